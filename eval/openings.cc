#include "eval/openings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "eval/arena.h"
#include "eval/player.h"
#include "rules/playout.h"
#include "rules/rng.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

constexpr int kMoves = 2;              // of an opening
constexpr int kPlayouts = 100;         // of the judges per move
constexpr int kGames = 24;             // between the judges, to find komi
constexpr int kCheckGames = 10;        // at the komi found
constexpr double kLeastShare = 0.3;    // of these, to either side
constexpr int kTriesPerOpening = 100;  // small boards have few openings

// The smallest of the position's hashes under all symmetries: equal for equal openings.
std::uint64_t symmetric_hash(const Rules& rules, const std::vector<Move>& moves) {
  std::uint64_t smallest = ~0ULL;
  for (int s = 0; s < Symmetry::count(rules.size); ++s) {
    Position position(rules);
    for (const Move move : moves) position.play(Symmetry(s).apply(move, rules.size));
    smallest = std::min(smallest, position.hash());
  }
  return smallest;
}

// The nearest komi that allows no draw.
Komi odd_komi(double points) {
  return Komi::from_half_points(2 * static_cast<int>(std::floor(points)) + 1);
}

// Two equal judges and one opening.
class Trial {
 public:
  Trial(const Rules& rules, const std::vector<Move>& opening, std::uint64_t seed)
      : start_{.rules = rules, .opening = opening, .seed = seed} {}

  bool black_wins(double komi) {
    start_.rules.komi = odd_komi(komi);
    start_.seed = mix64(start_.seed);
    return play_games(*judge_, *judge_, {&start_, 1}).front().black_margin > 0;
  }

  double even_komi() {
    // The first step crosses half of the board's range; the last is about a point.
    const double first_step = start_.rules.size.area() / 2.0;
    double komi = 0;
    for (int k = 0; k < kGames; ++k) komi += (black_wins(komi) ? 1 : -1) * first_step / (k + 1);
    return komi;
  }

  bool is_even(double komi) {
    int wins = 0;
    for (int k = 0; k < kCheckGames; ++k) wins += black_wins(komi) ? 1 : 0;
    return wins >= kLeastShare * kCheckGames && wins <= (1 - kLeastShare) * kCheckGames;
  }

 private:
  std::unique_ptr<Player> judge_ = make_rollout_player(kPlayouts);
  ArenaStart start_;
};

}  // namespace

std::vector<EvenOpening> even_openings(const EvenOpeningsOptions& options) {
  std::vector<EvenOpening> openings;
  std::set<std::uint64_t> seen;
  Rng rng(options.seed);
  const int tries = kTriesPerOpening * options.count;
  for (int t = 0; t < tries && std::ssize(openings) < options.count; ++t) {
    auto moves = random_opening(options.rules, kMoves, rng);
    if (!seen.insert(symmetric_hash(options.rules, moves)).second) continue;
    Trial trial(options.rules, moves, rng.next());
    const double komi = trial.even_komi();
    if (std::abs(komi) > options.most_komi) continue;
    if (!trial.is_even(komi)) continue;
    openings.push_back({std::move(moves), odd_komi(komi)});
  }
  return openings;
}

}  // namespace tengen
