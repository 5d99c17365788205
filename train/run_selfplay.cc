#include "train/run_selfplay.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rules/rng.h"
#include "selfplay/parked.h"
#include "selfplay/shard.h"
#include "train/run_dir.h"
#include "train/run_version.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kScoreMemory = 400;  // games that the moving komi centre looks at

std::int64_t rows_of(const GameRecord& game) {
  return static_cast<std::int64_t>(game.moves.size()) - game.opening_moves;
}

// Sums over the games of a stretch, for the metrics.
struct Summary {
  std::int64_t games = 0, moves = 0, black_wins = 0, draws = 0, caps = 0, pass_alive = 0;

  void add(const GameRecord& game) {
    ++games;
    moves += static_cast<std::int64_t>(game.moves.size());
    const auto winner = game.score.winner();
    draws += winner ? 0 : 1;
    black_wins += winner == Color::kBlack ? 1 : 0;
    caps += game.end == GameEnd::kMoveCap ? 1 : 0;
    pass_alive += game.end == GameEnd::kAllPassAlive ? 1 : 0;
  }

  double share(std::int64_t n) const {
    return games > 0 ? static_cast<double>(n) / static_cast<double>(games) : 0;
  }
};

}  // namespace

SelfplayPart::SelfplayPart(RunContext& context) : context_(context) {}

}  // namespace tengen
