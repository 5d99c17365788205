#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace tengen {

// Points given to White, in half points, so that it is exact. Integer komi allows a draw.
class Komi {
 public:
  // The most that is read or drawn, to either side: more than any board has points.
  static constexpr int kMaxPoints = 400;

  constexpr Komi() = default;
  static constexpr Komi from_half_points(int half_points) { return Komi(half_points); }
  constexpr int half_points() const { return half_points_; }
  constexpr double points() const { return half_points_ / 2.0; }
  constexpr bool is_integer() const { return half_points_ % 2 == 0; }
  friend constexpr auto operator<=>(Komi, Komi) = default;

 private:
  explicit constexpr Komi(int half_points) : half_points_(half_points) {}
  int half_points_ = 15;
};

std::string to_text(Komi komi);                         // "7.5", "-3", "0"
std::optional<Komi> parse_komi(std::string_view text);  // multiples of 0.5 within kMaxPoints

}  // namespace tengen
