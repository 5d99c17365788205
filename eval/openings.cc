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
  Trial(const EvenOpeningsOptions& options, const std::vector<Move>& opening, std::uint64_t seed)
      : judge_(make_rollout_player(options.playouts)),
        start_{.rules = options.rules, .opening = opening, .seed = seed} {}

  bool black_wins(double komi) {
    start_.rules.komi = odd_komi(komi);
    start_.seed = mix64(start_.seed);
    return play_games(*judge_, *judge_, {&start_, 1}).front().black_margin > 0;
  }

  double even_komi(int games) {
    // The first step crosses half of the board's range; the last is about a point.
    const double first_step = start_.rules.size.area() / 2.0;
    double komi = 0;
    for (int k = 0; k < games; ++k) komi += (black_wins(komi) ? 1 : -1) * first_step / (k + 1);
    return komi;
  }

  bool is_even(double komi, int games) {
    int wins = 0;
    for (int k = 0; k < games; ++k) wins += black_wins(komi) ? 1 : 0;
    return wins >= kLeastShare * games && wins <= (1 - kLeastShare) * games;
  }

 private:
  static constexpr double kLeastShare = 0.3;  // of the games, to either side
  std::unique_ptr<Player> judge_;
  ArenaStart start_;
};

}  // namespace

std::vector<EvenOpening> even_openings(const EvenOpeningsOptions& options) {
  std::vector<EvenOpening> openings;
  std::set<std::uint64_t> seen;
  Rng rng(options.seed);
  const int tries = 100 * options.count;  // small boards have few openings
  for (int t = 0; t < tries && std::ssize(openings) < options.count; ++t) {
    auto moves = random_opening(options.rules, options.moves, rng);
    if (!seen.insert(symmetric_hash(options.rules, moves)).second) continue;
    Trial trial(options, moves, rng.next());
    const double komi = trial.even_komi(options.games);
    if (std::abs(komi) > options.most_komi) continue;
    if (!trial.is_even(komi, options.check_games)) continue;
    openings.push_back({std::move(moves), odd_komi(komi)});
  }
  return openings;
}

}  // namespace tengen
