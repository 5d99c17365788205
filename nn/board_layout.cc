#include "nn/board_layout.h"

#include <algorithm>

#include "nn/packed_layers.h"

namespace tengen {
namespace {

// Tiles of a board from its position 0.
std::vector<PositionTile> tiles_of(BoardSize size, const CpuKernels& kernels) {
  std::vector<PositionTile> tiles;
  const int pitch = size.width + 1;
  if (kernels.tiles_are_even) {
    const int positions = size.height * pitch - 1;  // without the last row's empty one
    const int count = parts_of(positions, kernels.max_rows), rows = parts_of(positions, count);
    for (int t = 0; t < count; ++t) tiles.push_back({t * rows, rows, 0});
    return tiles;
  }
  const int count = parts_of(size.width, kernels.max_rows);
  for (int row = 0; row < size.height; ++row) {
    for (int t = 0; t < count; ++t) {
      const int from = size.width * t / count, to = size.width * (t + 1) / count;
      tiles.push_back({row * pitch + from, to - from, 0});
    }
  }
  return tiles;
}

}  // namespace

BoardLayout::BoardLayout(BoardSize size, int boards, int reach, const CpuKernels& kernels)
    : size_(size), boards_(boards) {
  const auto tiles = tiles_of(size, kernels);
  tiles_per_board_ = static_cast<int>(tiles.size());
  const int beyond = tiles.back().position + tiles.back().rows - size.height * pitch();
  guard_ = reach * pitch() + 1 + std::max(0, beyond);  // what a tile beyond the board reads too
  on_board_.resize(static_cast<std::size_t>(positions()));
  for (int board = 0; board < boards; ++board) {
    for (PositionTile tile : tiles) {
      tile.position += first(board);
      tile.board = board;
      tiles_.push_back(tile);
    }
    for (int i = 0; i < size.area(); ++i) {
      on_board_[static_cast<std::size_t>(first(board) + offset(i))] = 0xFFFF;
    }
  }
}

}  // namespace tengen
