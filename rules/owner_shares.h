#pragma once

#include <array>

#include "rules/board.h"
#include "rules/point_set.h"

namespace tengen {

// For each point the share of random games from a board in which Black owned it in the end, and
// White. Half of the games begin with each side; chance comes from the board's hash.
class OwnerShares {
 public:
  OwnerShares(const Board& board, int games);  // games >= 1

  double of(int index, Color c) const {
    return static_cast<double>(counts_[index_of(c)][index]) / games_;
  }
  double mean(const PointSet& points, Color c) const;  // requires points

 private:
  int games_;
  std::array<std::array<int, kMaxArea>, 2> counts_{};  // [colour][BoardSize::index]
};

}  // namespace tengen
