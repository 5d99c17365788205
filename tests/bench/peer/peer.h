#pragma once

#include <cstdint>

// How fast the prototype (prototype.h) is: for rules_bench, which compares.
namespace tengen::peer {

bool is_available();  // on this processor

struct Played {
  std::int64_t games = 0;
  std::int64_t moves = 0;
};
// Uniformly random games without filling own eyes, exact positional superko, on 9x9, 13x13, 19x19.
Played play_games(int size, int games);
// The same as an environment: the whole legal mask with superko at every step, then a draw from it
// less the own eyes, then the move.
Played play_steps(int size, int games);
// `games` games in turn, one move each, over and over, `rounds` times.
Played play_in_turn(int size, int games, int rounds);

}  // namespace tengen::peer
