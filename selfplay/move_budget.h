#pragma once

#include <span>

#include "selfplay/record.h"
#include "selfplay/selfplay_settings.h"

namespace tengen {

// How much search a move of self-play gets, and what its row then weighs.
struct MoveBudget {
  int visits = 0;
  bool is_cheap = false;  // no noise, no row
  float weight = 1;       // of the row; 0 if cheap
};

// Simulations of a full search when so much of the run is done: from games.first_visits to
// search.visits, growing by equal factors, which are reached at games.full_visits_at.
int full_visits(const SelfplaySettings& settings);

// How decided the game has been for the last `turns` moves: the least of their |win - loss|, if one
// side was ahead in all of them, else 0. Opening moves are even, so it is 0 soon after them.
double decidedness(std::span<const MoveRecord> moves, int turns);

// The budget of the next move of a game, `moves` being all before it. Cheap with chance
// games.cheap_share (playout-cap randomisation: Wu 2019, arXiv:1902.10565, 3.1). Else, where
// decidedness d is above games.reduce_above = t, with r = ((d - t) / (1 - t))^2 on the way to
// games.reduced_visits and games.reduced_weight (KataGo, cpp/program/play.cpp; instead of
// resignation). `seed` is that of the ply.
MoveBudget drawn_budget(const SelfplaySettings& settings, std::span<const MoveRecord> moves,
                        std::uint64_t seed);

}  // namespace tengen
