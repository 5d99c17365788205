#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/check.h"
#include "rules/point.h"

namespace tengen {

// A play on a point, or a pass. Whose move it is, is the position's affair.
class Move {
 public:
  static constexpr Move pass() { return Move(); }
  constexpr Move(Point p) : is_pass_(false), point_(p) {}  // NOLINT(google-explicit-constructor)

  constexpr bool is_pass() const { return is_pass_; }
  constexpr Point point() const { return point_; }  // requires !is_pass()
  friend constexpr bool operator==(Move, Move) = default;

 private:
  constexpr Move() : is_pass_(true), point_(Point::at(0, 0)) {}
  bool is_pass_;
  Point point_;
};

// Entry of the policy: the point's index, or area() for a pass.
constexpr int policy_index(Move m, BoardSize size) {
  return m.is_pass() ? size.area() : size.index(m.point());
}
constexpr Move move_at(int policy_index, BoardSize size) {
  return policy_index == size.area() ? Move::pass() : Move(size.point(policy_index));
}

std::string to_text(Move m, BoardSize size);                            // "D4" or "pass"
std::optional<Move> parse_move(std::string_view text, BoardSize size);  // case-insensitive

}  // namespace tengen
