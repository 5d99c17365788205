#include "selfplay/move_budget.h"

#include <algorithm>
#include <cmath>

#include "selfplay/game_chance.h"

namespace tengen {

int full_visits(const SelfplaySettings& settings) {
  const int full = settings.search.visits;
  const double first = settings.games.first_visits;
  if (first <= 0 || first >= full) return full;
  const double way = settings.games.full_visits_at > 0
                         ? std::min(1.0, settings.run_share / settings.games.full_visits_at)
                         : 1;
  return static_cast<int>(std::lround(first * std::pow(full / first, way)));
}

double decidedness(std::span<const MoveRecord> moves, int turns) {
  if (std::ssize(moves) < turns) return 0;
  double least = 1, most = -1;  // win - loss for the side that moves first
  for (std::size_t ply = moves.size() - static_cast<std::size_t>(turns); ply < moves.size();
       ++ply) {
    const double lead = 2.0 * moves[ply].root_win - 1;
    least = std::min(least, ply % 2 == 0 ? lead : -lead);
    most = std::max(most, ply % 2 == 0 ? lead : -lead);
  }
  return std::max({least, -most, 0.0});
}

MoveBudget drawn_budget(const SelfplaySettings& settings, std::span<const MoveRecord> moves,
                        std::uint64_t seed) {
  const GameOptions& games = settings.games;
  const int full = full_visits(settings);
  if (Rng(seed, kCheapSearch).uniform() < games.cheap_share) {
    return {std::min(games.cheap_visits, full), true, 0};
  }
  const double decided = decidedness(moves, games.reduce_turns);
  if (games.reduced_visits >= full || games.reduced_visits <= 0 || decided <= games.reduce_above) {
    return {full, false, 1};
  }
  const double root = (decided - games.reduce_above) / (1 - games.reduce_above);
  const double r = root * root;
  return {static_cast<int>(std::lround(full + r * (games.reduced_visits - full))), false,
          static_cast<float>(1 + r * (games.reduced_weight - 1))};
}

}  // namespace tengen
