#pragma once

#include <vector>

#include "rules/position.h"
#include "rules/rng.h"

namespace tengen {

// Uniformly random legal moves that do not fill own single-point eyes; a pass only when nothing
// else is left. The policy of random games everywhere.
Move random_move(const Position& position, Rng& rng);
// That many of them from the start, as an opening; fewer if the game is over before.
std::vector<Move> random_opening(const Rules& rules, int count, Rng& rng);

// Plays random moves until the game is over or `max_moves` more moves are played. Returns how many.
// The same distribution as random_move, superko exact; where board and superko decide everything
// (GameBatch::is_compact) the fast path for whole games, on which captures are not counted
// (Position::lost_stones).
int play_random_game(Position& position, Rng& rng, int max_moves);

}  // namespace tengen
