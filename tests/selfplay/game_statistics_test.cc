#include "selfplay/game_statistics.h"

#include <gtest/gtest.h>

#include "games.h"

namespace tengen {
namespace {

double value_of(const Statistics& all, const std::string& name) {
  for (const auto& [key, value] : all) {
    if (key == name) return value;
  }
  ADD_FAILURE() << name;
  return -1;
}

TEST(GameStatistics, AreSharesAndMeansOfTheGames) {
  Rules rules;
  rules.size = BoardSize::square(4);
  rules.komi = Komi::from_half_points(5);
  std::vector<GameRecord> games = {played_game(rules, "B1 C1 B2 C2 B3 C3 B4 D4 pass pass"),
                                   played_game(rules, "B1 C1 B2 C2")};
  games[1].rules.komi = Komi::from_half_points(9);
  games[1].index |= 1ULL << 48;  // a fork
  games[1].opening_moves = 1;
  games[1].moves[1].weight = 0;
  games[1].moves[2].weight = 0.5F;
  games[1].moves[2].policy_surprise = 1.3F;
  SelfplaySettings settings = small_games();
  const Statistics all = game_statistics(settings, games);
  EXPECT_EQ(value_of(all, "mean_moves"), 7);
  EXPECT_EQ(value_of(all, "ended_by_cap"), 0.5);
  EXPECT_EQ(value_of(all, "forks"), 0.5);
  EXPECT_EQ(value_of(all, "opening_moves"), 0.5);
  EXPECT_EQ(value_of(all, "komi_mean"), 3.5);
  EXPECT_EQ(value_of(all, "komi_stdev"), 1);
  EXPECT_EQ(value_of(all, "size_4"), 1);
  EXPECT_EQ(value_of(all, "size_5"), 0);
  EXPECT_NEAR(value_of(all, "moves_without_row"), 1 / 14.0, 1e-9);
  EXPECT_NEAR(value_of(all, "reduced_rows"), 1 / 13.0, 1e-9);
  EXPECT_NEAR(value_of(all, "row_weight"), 12.5 / 13, 1e-9);
  EXPECT_NEAR(value_of(all, "policy_surprise"), 1.3 / 13, 1e-6);
  EXPECT_EQ(value_of(all, "row_visits"), 8);
}

TEST(GameStatistics, TellWhatChanceWasToDraw) {
  SelfplaySettings settings = small_games();
  settings.games.rules = "tromp-taylor suicide=none | japanese-9x9";
  settings.games.rules_weights = {3, 1};
  settings.games.sizes = {9};
  settings.games.random_opening_share = 0.5;
  settings.games.random_opening_mean = 0.05;
  settings.games.cheap_share = 0.75;
  settings.games.cheap_visits = 1;
  settings.games.move_cap = 0.5;
  const auto games = games_of_pool(settings, 8, 40, std::make_shared<HashEvaluator>(5));
  const Statistics all = game_statistics(settings, games);
  EXPECT_NEAR(value_of(all, "rules_1"), 0.75, 0.35);
  EXPECT_NEAR(value_of(all, "rules_1") + value_of(all, "rules_2"), 1, 1e-9);
  EXPECT_NEAR(value_of(all, "random_openings"), 0.5, 0.4);
  EXPECT_NEAR(value_of(all, "moves_without_row"), 0.75, 0.06);
}

TEST(GameStatistics, OfNoGamesAreZero) {
  for (const auto& [name, value] : game_statistics(small_games(), {})) EXPECT_EQ(value, 0) << name;
}

}  // namespace
}  // namespace tengen
