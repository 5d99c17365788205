#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/point.h"
#include "rules/rules.h"

// Numbers that only right rules give: of positions and games on small boards, which others have
// counted, and of the first moves under each ko and suicide rule, which two programs have.
namespace tengen {

// Legal positions: colourings of the board in which every chain has a liberty (Tromp and Farnebäck,
// "Combinatorics of Go", 2006; OEIS A094777 for squares).
struct PositionCount {
  BoardSize size;
  std::int64_t positions;
};
std::span<const PositionCount> published_position_counts();
// By setting up every colouring. Requires at most 16 points, as does count_reachable.
std::int64_t count_colourings(BoardSize size);
// By play from the empty board, either colour moving at any time.
std::int64_t count_reachable(BoardSize size, bool suicide);

// Games: ways to play from the empty board without bringing an earlier position back, either colour
// moving at any time since passes are free, suicide allowed (Tromp and Farnebäck; 2x2: Tromp).
struct GameCount {
  BoardSize size;
  std::int64_t games;
};
std::span<const GameCount> published_game_counts();
// Requires a board with at most 64 positions. `tell` hears of progress.
std::int64_t count_games(BoardSize size, bool suicide,
                         const std::function<void(const std::string&)>& tell = {});

// Sequences of exactly `depth` moves from the empty board, passes included, none of them played
// after the game's end.
std::int64_t perft(const Rules& rules, int depth);
struct PerftCounts {
  std::string_view rules;               // for parse_rules
  std::vector<std::int64_t> sequences;  // of one move, of two, ...
};
const std::vector<PerftCounts>& perft_counts();

}  // namespace tengen
