#include "selfplay/move_budget.h"

#include <gtest/gtest.h>

#include "games.h"

namespace tengen {
namespace {

// Moves after which the first player's win - loss was these.
std::vector<MoveRecord> moves_with_leads(std::initializer_list<double> leads) {
  std::vector<MoveRecord> moves;
  for (const double lead : leads) {
    const double own = moves.size() % 2 == 0 ? lead : -lead;
    moves.push_back({.root_win = static_cast<float>((1 + own) / 2)});
  }
  return moves;
}

TEST(MoveBudget, DecidedIsWhatBothSidesAgreeUpon) {
  EXPECT_NEAR(decidedness(moves_with_leads({0, 0.95, 0.92, 0.97}), 3), 0.92, 1e-6);
  EXPECT_NEAR(decidedness(moves_with_leads({-0.93, -0.99, -0.95}), 3), 0.93, 1e-6);
  EXPECT_EQ(decidedness(moves_with_leads({0.95, -0.99, 0.95}), 3), 0);  // they do not
  EXPECT_EQ(decidedness(moves_with_leads({0.95, 0.95}), 3), 0);         // too early
}

TEST(MoveBudget, DecidedGamesGetFewerVisitsAndLighterRows) {
  SelfplaySettings settings;
  settings.search.visits = 600;
  settings.games.reduced_visits = 100;
  const auto at = [&](double lead) {
    return drawn_budget(settings, moves_with_leads({lead, lead, lead}), 1);
  };
  EXPECT_EQ(at(0.9).visits, 600);
  EXPECT_EQ(at(0.9).weight, 1);
  EXPECT_EQ(at(0.95).visits, 475);  // r = 1/4
  EXPECT_NEAR(at(0.95).weight, 0.775, 1e-4);
  EXPECT_EQ(at(-1).visits, 100);
  EXPECT_NEAR(at(-1).weight, 0.1, 1e-6);
  settings.games.reduced_visits = 0;  // off
  EXPECT_EQ(at(1).visits, 600);
  EXPECT_EQ(at(1).weight, 1);
}

TEST(MoveBudget, VisitsGrowByEqualFactorsUntilTheyAreFull) {
  SelfplaySettings settings;
  settings.search.visits = 32;
  settings.games.first_visits = 8;
  settings.games.full_visits_at = 0.5;
  const std::pair<double, int> expected[] = {{0, 8}, {0.125, 11}, {0.25, 16}, {0.5, 32}, {1, 32}};
  for (const auto& [share, visits] : expected) {
    settings.run_share = share;
    EXPECT_EQ(full_visits(settings), visits) << share;
  }
  settings.games.first_visits = 0;
  settings.run_share = 0;
  EXPECT_EQ(full_visits(settings), 32);
  settings.games.first_visits = 64;  // more than there are to be
  EXPECT_EQ(full_visits(settings), 32);
}

TEST(MoveBudget, CheapSearchesComeInTheirShare) {
  SelfplaySettings settings;
  settings.games.cheap_share = 0.75;
  int cheap = 0;
  for (int ply = 0; ply < 4000; ++ply) {
    const MoveBudget budget = drawn_budget(settings, {}, ply_seed(7, 3, ply));
    EXPECT_EQ(budget.visits, budget.is_cheap ? 8 : 32);
    EXPECT_EQ(budget.weight, budget.is_cheap ? 0 : 1);
    cheap += budget.is_cheap ? 1 : 0;
  }
  EXPECT_NEAR(cheap, 3000, 140);  // 5 standard deviations
}

TEST(MoveBudget, CheapMovesHaveAnOpinionButNoPolicyAndNoRow) {
  SelfplaySettings settings = small_games();
  settings.games.cheap_share = 0.6;
  settings.games.cheap_visits = 2;
  int cheap = 0, full = 0;
  for (const GameRecord& game :
       games_of_pool(settings, 8, 30, std::make_shared<HashEvaluator>(5))) {
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    std::int64_t rows = 0;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
      const MoveRecord& played = game.moves[ply];
      if (static_cast<int>(ply) < game.opening_moves) {
        EXPECT_EQ(played.weight, 0);
        EXPECT_EQ(played.visits, 0);
        continue;
      }
      EXPECT_EQ(played.visits, played.weight > 0 ? 6 : 2);
      EXPECT_EQ(played.policy.empty(), played.weight == 0);
      EXPECT_NE(played.root_win, 0.5F);
      EXPECT_NE(played.raw_win, 0.5F);
      (played.weight > 0 ? full : cheap) += 1;
      rows += played.weight > 0 ? 1 : 0;
    }
    EXPECT_EQ(row_count(game), rows);
  }
  EXPECT_NEAR(cheap / static_cast<double>(cheap + full), 0.6, 0.08);
}

TEST(MoveBudget, SettingsThatVaryItChangeNoGameByPoolSizeOrParking) {
  SelfplaySettings settings = small_games();
  settings.games.cheap_share = 0.5;
  settings.games.cheap_visits = 2;
  settings.games.reduced_visits = 2;
  settings.games.reduce_above = 0.3;
  settings.games.reduce_turns = 2;
  settings.games.first_visits = 3;
  settings.run_share = 0.4;
  TextByIndex one, many;
  bool has_reduced = false;
  for (const GameRecord& game :
       games_of_pool(settings, 1, 20, std::make_shared<HashEvaluator>(5))) {
    one[game.index] = canonical_text(game);
    for (const MoveRecord& played : game.moves) {
      has_reduced |= played.weight > 0 && played.weight < 1;
    }
  }
  EXPECT_TRUE(has_reduced);
  add_texts(games_of_pool(settings, 16, 20, std::make_shared<HashEvaluator>(5)), many);
  EXPECT_TRUE(one == many);
}

}  // namespace
}  // namespace tengen
