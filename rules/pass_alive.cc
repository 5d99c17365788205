#include "rules/board.h"
#include "rules/board_access.h"

namespace tengen {

std::array<PointSet, 2> area(const Board& board) {
  return BoardAccess::visit(board,
                            [](const auto& s, const auto& engine) { return engine.area(s); });
}

PassAlive pass_alive(const Board& board, Color c, bool multi_stone_suicide) {
  const auto [stones, territory] =
      BoardAccess::visit(board, [&](const auto& s, const auto& engine) {
        return engine.alive(s, index_of(c), multi_stone_suicide);
      });
  return {stones, territory};
}

std::array<PointSet, 2> area_pass_dead_removed(const Board& board, bool multi_stone_suicide) {
  return BoardAccess::visit(board, [&](const auto& s, const auto& engine) {
    return engine.area_without_dead(s, multi_stone_suicide);
  });
}

}  // namespace tengen
