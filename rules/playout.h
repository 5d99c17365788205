#pragma once

#include <vector>

#include "rules/position.h"
#include "rules/rng.h"

namespace tengen {

// Uniformly random legal moves that do not fill own single-point eyes; a pass only when nothing
// else is left. The policy of random games everywhere.
Move random_move(const Position& position, Rng& rng);
// That many of them from the empty board, as an opening.
std::vector<Move> random_opening(const Rules& rules, int count, Rng& rng);

// Plays random moves until two passes or until `max_moves` more moves are played. Returns how many.
// The fast path for whole games: the same distribution as random_move, superko exact.
int play_random_game(Position& position, Rng& rng, int max_moves);

}  // namespace tengen
