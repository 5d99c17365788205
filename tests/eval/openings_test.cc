#include "eval/openings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "eval/arena.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

std::vector<EvenOpening> make_five() {
  return even_openings({.rules = rules_on(5, 0), .count = 5, .seed = 4});
}

const std::vector<EvenOpening>& five() {
  static const std::vector<EvenOpening> openings = make_five();
  return openings;
}

TEST(EvenOpenings, AreDifferentUpToSymmetryAndAllowNoDraw) {
  ASSERT_EQ(five().size(), 5U);
  std::set<std::uint64_t> seen;
  for (const EvenOpening& opening : five()) {
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
  const auto again = make_five();
  ASSERT_EQ(again.size(), five().size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].moves, five()[i].moves);
    EXPECT_EQ(again[i].komi, five()[i].komi);
  }
}

TEST(EvenOpenings, AreEvenBetweenTheJudges) {
  const auto judge = make_rollout_player(100);
  int black_wins = 0, games = 0;
  for (const EvenOpening& opening : five()) {
    ArenaStart start{.rules = rules_on(5, 0), .opening = opening.moves};
    start.rules.komi = opening.komi;
    for (; start.seed < 10; ++start.seed, ++games) {
      black_wins += play_games(*judge, *judge, {&start, 1}).front().black_margin > 0 ? 1 : 0;
    }
  }
  EXPECT_NEAR(black_wins / static_cast<double>(games), 0.5, 0.2);
}

}  // namespace
}  // namespace tengen
