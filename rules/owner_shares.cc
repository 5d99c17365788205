#include "rules/owner_shares.h"

#include <algorithm>
#include <vector>

#include "rules/batch.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr std::uint64_t kSeed = 0x7E46E9DEAD;
constexpr int kMovesPerPoint = 3;  // of a game, at most
constexpr int kAtOnce = 10;        // games: they stay in the nearest cache

}  // namespace

// Superko would change next to nothing.
OwnerShares::OwnerShares(const Board& board, int games) : games_(games) {
  Rules rules;
  rules.size = board.size();
  rules.ko = Ko::kSimple;
  const int most_moves = kMovesPerPoint * board.size().area();
  GameBatch batch(std::vector<Rules>(kAtOnce, rules),
                  {.max_moves = most_moves, .seed = mix64(kSeed, board.hash())});
  std::array<Score, kAtOnce> scores;
  for (int done = 0; done < games; done += kAtOnce) {
    for (int game = 0; game < kAtOnce; ++game) {
      batch.set_up(game, board, game % 2 == 0 ? Color::kBlack : Color::kWhite);
    }
    batch.play_random(most_moves);
    batch.scores(scores);
    for (int game = 0; game < std::min(kAtOnce, games - done); ++game) {
      scores[game].black_area.for_each([&](int i) { ++counts_[0][i]; });
      scores[game].white_area.for_each([&](int i) { ++counts_[1][i]; });
    }
  }
}

double OwnerShares::mean(const PointSet& points, Color c) const {
  double sum = 0;
  points.for_each([&](int i) { sum += of(i, c); });
  return sum / points.count();
}

}  // namespace tengen
