#include "rules/ladder.h"

#include "rules/board_access.h"
#include "rules/check.h"

namespace tengen {

Ladders read_ladders(const Board& board, Color attacker, std::span<const PastBoard> earlier) {
  check(earlier.size() < kLadderBoards, "at most two earlier boards");
  LadderSets sets;
  BoardAccess::visit(board, [&](const auto& state, const auto& engine) {
    engine.ladders(state, {index_of(attacker), earlier.data(), static_cast<int>(earlier.size())},
                   sets);
  });
  return {sets.captured, sets.working};
}

}  // namespace tengen
