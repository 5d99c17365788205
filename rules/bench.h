#pragma once

#include <cstdint>

#include "rules/point.h"

namespace tengen {

// Speed of play_random_game on one core, from the empty board, with exact positional superko and
// without suicide. The moves of a game say that it was the real thing: 111.0, 219.3 and 455.4
// within 0.5 % on 9x9, 13x13 and 19x19.
struct RandomGameRate {
  double moves_per_s = 0;
  double moves_per_game = 0;
  std::int64_t games = 0;
};

// Plays whole games for about `seconds` of processor time.
RandomGameRate measure_random_games(BoardSize size, double seconds, std::uint64_t seed);

}  // namespace tengen
