#include "eval/openings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "eval/arena.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

EvenOpeningsOptions ten_openings() {
  return {.rules = rules_on(5, 0), .count = 10, .playouts = 50, .games = 16, .seed = 4};
}

TEST(EvenOpenings, AreDifferentUpToSymmetryAndAllowNoDraw) {
  const auto openings = even_openings(ten_openings());
  ASSERT_EQ(openings.size(), 10U);
  std::set<std::uint64_t> seen;
  for (const EvenOpening& opening : openings) {
    EXPECT_EQ(opening.moves.size(), 2U);
    EXPECT_FALSE(opening.komi.is_integer());
    for (int s = 0; s < 8; ++s) {
      Position position(rules_on(5, 0));
      for (const Move m : opening.moves) position.play(Symmetry(s).apply(m, position.size()));
      EXPECT_TRUE(s > 0 || !seen.contains(position.hash()));
      seen.insert(position.hash());
    }
  }
}

TEST(EvenOpenings, AreTheSameForTheSameSeed) {
  const auto first = even_openings(ten_openings()), again = even_openings(ten_openings());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].moves, again[i].moves);
    EXPECT_EQ(first[i].komi, again[i].komi);
  }
}

TEST(EvenOpenings, AreEvenBetweenTheJudges) {
  const EvenOpeningsOptions options = ten_openings();
  const auto judge = make_rollout_player(options.playouts);
  int black_wins = 0, games = 0;
  for (const EvenOpening& opening : even_openings(options)) {
    ArenaStart start{.rules = options.rules, .opening = opening.moves};
    start.rules.komi = opening.komi;
    for (; start.seed < 10; ++start.seed, ++games) {
      black_wins += play_games(*judge, *judge, {&start, 1}).front().black_margin > 0 ? 1 : 0;
    }
  }
  EXPECT_NEAR(black_wins / static_cast<double>(games), 0.5, 0.2);
}

}  // namespace
}  // namespace tengen
