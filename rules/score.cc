#include "rules/score.h"

#include <cstdlib>

#include "rules/board.h"
#include "rules/board_layout.h"

namespace tengen {

std::string to_text(const Score& score) {
  const int margin = score.black_margin_half_points();
  if (margin == 0) return "0";
  const int half = std::abs(margin);
  return std::string(margin > 0 ? "B+" : "W+") + std::to_string(half / 2) +
         (half % 2 != 0 ? ".5" : "");
}

std::array<PointSet, 2> area(const Board& board) {
  return BoardLayout::visit(board, [](const auto& b) {
    const auto empty = b.empty();
    const auto black = b.spread(b.stones(0), empty);
    const auto white = b.spread(b.stones(1), empty);
    return std::array{b.to_set(black.without(white)), b.to_set(white.without(black))};
  });
}

}  // namespace tengen
