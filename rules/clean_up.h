#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/board.h"
#include "rules/color.h"
#include "rules/point_set.h"

namespace tengen {

// What KataGo's two clean-up phases after a game under territory scoring remember beside the board
// (its BoardHistory; "encore" there). In them the simple ko and superko are not in force; instead
// a stone that took a ko is blocked from being retaken until the opponent spends a move on lifting
// the block, and each ko capture may be done once in the same position.
class CleanUp {
 public:
  // Stones that took a ko and may not be retaken before their block is lifted.
  const PointSet& blocked() const { return blocked_; }
  std::uint64_t blocked_hash() const;

  // Whether a play of `c` at p lifts a block and does nothing else: on the blocked stone itself
  // while it stands alone in atari, or on the point from which it would be taken.
  bool lifts_block(const Board& board, Point p, Color c) const {
    return block_at(board, p, c) >= 0;
  }
  PointSet lifting_points(const Board& board, Color c) const;
  void lift_block(const Board& board, Point p, Color c);

  // Ko captures that `c` has already done in this position.
  PointSet spent(const Board& board, Color c) const;

  // To be told of each play: a capture of a ko blocks the stone that took it.
  void note_ko_capture(std::uint64_t hash_before, Point p, Color c, BoardSize size);
  void forget_blocks_on(const PointSet& empty) { blocked_ -= empty; }

 private:
  struct KoCapture {
    std::uint64_t hash_before;
    Point point;
    Color color;
  };
  // The point whose block the play lifts, or -1.
  int block_at(const Board& board, Point p, Color c) const;

  PointSet blocked_;
  std::vector<KoCapture> captures_;
};

}  // namespace tengen
