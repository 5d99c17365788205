#include "eval/openings.h"

#include <algorithm>
#include <cmath>
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

std::vector<Move> random_moves(const Rules& rules, int count, Rng& rng) {
  Position position(rules);
  std::vector<Move> moves;
  while (std::ssize(moves) < count) {
    moves.push_back(random_move(position, rng));
    position.play(moves.back());
  }
  return moves;
}

// The nearest komi that allows no draw.
Komi odd_komi(double points) {
  return Komi::from_half_points(2 * static_cast<int>(std::floor(points)) + 1);
}

double even_komi(const EvenOpeningsOptions& options, const std::vector<Move>& opening,
                 std::uint64_t seed) {
  const auto judge = make_rollout_player(options.playouts);
  // The first step crosses most of the board's range; the last is about a point.
  const double first_step = options.rules.size.area() / 2.0;
  double komi = 0;
  for (int k = 0; k < options.games; ++k) {
    ArenaStart start{.rules = options.rules,
                     .opening = opening,
                     .seed = mix64(seed, static_cast<std::uint64_t>(k))};
    start.rules.komi = odd_komi(komi);
    const auto game = play_games(*judge, *judge, {&start, 1}).front();
    komi += (game.black_margin > 0 ? 1 : -1) * first_step / (k + 1);
  }
  return komi;
}

}  // namespace

std::vector<EvenOpening> even_openings(const EvenOpeningsOptions& options) {
  std::vector<EvenOpening> openings;
  std::set<std::uint64_t> seen;
  Rng rng(options.seed);
  const int tries = 100 * options.count;  // small boards have few openings
  for (int t = 0; t < tries && std::ssize(openings) < options.count; ++t) {
    auto moves = random_moves(options.rules, options.moves, rng);
    if (!seen.insert(symmetric_hash(options.rules, moves)).second) continue;
    const double komi = even_komi(options, moves, rng.next());
    if (std::abs(komi) > options.max_komi) continue;
    openings.push_back({std::move(moves), odd_komi(komi)});
  }
  return openings;
}

}  // namespace tengen
