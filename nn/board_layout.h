#pragma once

#include <cstdint>
#include <vector>

#include "nn/cpu_kernels.h"
#include "rules/point.h"

namespace tengen {

// Where boards of one size stand in the arrays of positions that CpuKernels compute on: one after
// another, each row followed by an empty position, each board followed and preceded by `guard`.
class BoardLayout {
 public:
  // `reach`: of the tallest convolution, in rows; at least 1.
  BoardLayout(BoardSize size, int boards, int reach, const CpuKernels& kernels);

  BoardSize size() const { return size_; }
  int pitch() const { return size_.width + 1; }
  int boards() const { return boards_; }
  int first(int board) const { return guard_ + board * (size_.height * pitch() + guard_); }
  int positions() const { return first(boards_); }
  // Of point `index` (BoardSize::index), from the board's first.
  int offset(int index) const { return index + index / size_.width; }

  // Of the first `boards` boards, in order.
  const PositionTile* tiles() const { return tiles_.data(); }
  int tile_count(int boards) const { return boards * tiles_per_board_; }
  int tile_rows() const { return tiles_.front().rows; }  // where tiles are even
  const std::uint16_t* on_board() const { return on_board_.data(); }

 private:
  BoardSize size_;
  int boards_, guard_, tiles_per_board_;
  std::vector<PositionTile> tiles_;
  std::vector<std::uint16_t> on_board_;
};

}  // namespace tengen
