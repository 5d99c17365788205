#include "rules/bench.h"

#include <ctime>

#include "rules/playout.h"

namespace tengen {

RandomGameRate measure_random_games(BoardSize size, double seconds, std::uint64_t seed) {
  constexpr int kGamesBetweenClocks = 100;
  Rules rules;
  rules.size = size;
  const Position start(rules);
  Rng rng(seed);
  RandomGameRate rate;
  std::int64_t moves = 0;
  double spent_s = 0;
  const std::clock_t begin = std::clock();
  while (spent_s < seconds) {
    for (int i = 0; i < kGamesBetweenClocks; ++i, ++rate.games) {
      Position game = start;
      moves += play_random_game(game, rng, 10 * size.area());
    }
    spent_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  rate.moves_per_s = static_cast<double>(moves) / spent_s;
  rate.moves_per_game = static_cast<double>(moves) / static_cast<double>(rate.games);
  return rate;
}

}  // namespace tengen
