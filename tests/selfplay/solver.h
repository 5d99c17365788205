#pragma once

#include <cstdint>
#include <optional>

#include "rules/position.h"

namespace tengen {

// Exact play by brute force, for tests: alpha-beta over whole games with the position's own rules
// and history, so superko is exact. Slow; for positions with a handful of moves left.
class Solver {
 public:
  explicit Solver(std::int64_t node_limit) : limit_(node_limit) {}

  // Margin in half points with best play, for the side to move, as far as it lies in (alpha, beta);
  // otherwise a bound on that side. nullopt: more nodes than the limit.
  std::optional<int> margin(const Position& position, int alpha, int beta);
  // 1 win, 0 draw, -1 loss for the side to move.
  std::optional<int> result(const Position& position);
  // The result for the side to move if it plays `move`.
  std::optional<int> result_after(const Position& position, Move move);

 private:
  std::int64_t limit_;
  std::int64_t nodes_ = 0;
};

}  // namespace tengen
