#include "selfplay/resignation.h"

#include <algorithm>
#include <vector>

#include "selfplay/game_chance.h"

namespace tengen {

double sustained_low(std::span<const MoveRecord> moves, int side, int turns) {
  double low = 1;
  std::vector<float> stretch;  // of this side's searched moves in a row
  for (auto ply = static_cast<std::size_t>(side); ply < moves.size(); ply += 2) {
    if (moves[ply].visits == 0) {
      stretch.clear();
      continue;
    }
    stretch.push_back(moves[ply].root_win);
    if (std::ssize(stretch) < turns) continue;
    low = std::min<double>(low, *std::max_element(stretch.end() - turns, stretch.end()));
  }
  return low;
}

bool would_resign(std::span<const MoveRecord> moves, int turns, double below) {
  const auto needed = static_cast<std::size_t>(2 * turns);
  if (below <= 0 || moves.size() < needed) return false;
  return sustained_low(moves.last(needed), 0, turns) < below;
}

bool drawn_calibration(const SelfplaySettings& settings, std::uint64_t index) {
  Rng rng = stream_of(settings.seed, index, GameStream::kCalibration);
  return rng.uniform() < settings.games.resign_calibration_share;
}

void ResignCalibration::add(const GameRecord& game, int turns) {
  if (is_unscored(game.end)) return;
  const int first = game.rules.handicap == 0 ? index_of(Color::kBlack) : index_of(Color::kWhite);
  const double lows[] = {sustained_low(game.moves, 0, turns), sustained_low(game.moves, 1, turns)};
  const double any = std::min(lows[0], lows[1]);
  const double winner =
      game.outcome.winner ? lows[index_of(*game.outcome.winner) == first ? 0 : 1] : any;
  games_.push_back({winner, any});
  if (games_.size() > kMemory) games_.pop_front();
}

double ResignCalibration::wrong_share(double below) const {
  double resigned = 0, wrong = 0;
  for (const Lows& lows : games_) {
    resigned += lows.any < below ? 1 : 0;
    wrong += lows.winner < below ? 1 : 0;
  }
  return resigned == 0 ? 0 : wrong / resigned;
}

double ResignCalibration::threshold(const GameOptions& options) const {
  if (games_.size() < kLeast) return 0;
  // Between two winners' lows only more losers resign: the best threshold is at one of them.
  std::vector<double> candidates = {options.resign_below};
  for (const Lows& lows : games_) {
    if (lows.winner < options.resign_below) candidates.push_back(lows.winner);
  }
  double best = 0;
  for (const double below : candidates) {
    if (below > best && wrong_share(below) <= options.resign_wrong_share) best = below;
  }
  return best;
}

}  // namespace tengen
