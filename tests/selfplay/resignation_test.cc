#include "selfplay/resignation.h"

#include <gtest/gtest.h>

#include "games.h"

namespace tengen {
namespace {

std::vector<MoveRecord> searched(std::initializer_list<float> wins) {
  std::vector<MoveRecord> moves;
  for (const float win : wins) moves.push_back({.root_win = win, .visits = 8});
  return moves;
}

TEST(Resignation, ALowIsWhatASideFoundForSeveralMovesInARow) {
  const auto moves = searched({0.2F, 0.9F, 0.1F, 0.8F, 0.05F, 0.9F, 0.5F});
  EXPECT_FLOAT_EQ(sustained_low(moves, 0, 1), 0.05F);
  EXPECT_FLOAT_EQ(sustained_low(moves, 0, 2), 0.1F);
  EXPECT_FLOAT_EQ(sustained_low(moves, 0, 3), 0.2F);
  EXPECT_FLOAT_EQ(sustained_low(moves, 1, 2), 0.9F);
  EXPECT_EQ(sustained_low(moves, 1, 4), 1);
  auto broken = moves;
  broken[2].visits = 0;  // an opening move
  EXPECT_EQ(sustained_low(broken, 0, 3), 1);
}

TEST(Resignation, TheSideToMoveGivesUpAfterEnoughMovesOfItsOwn) {
  const auto moves = searched({0.02F, 0.9F, 0.03F, 0.9F});
  EXPECT_TRUE(would_resign(moves, 2, 0.05));
  EXPECT_FALSE(would_resign(moves, 2, 0.025));
  EXPECT_FALSE(would_resign(moves, 3, 0.05));
  EXPECT_FALSE(would_resign(moves, 2, 0));
  EXPECT_FALSE(would_resign(searched({0.02F, 0.9F, 0.03F}), 1, 0.05));  // the other one's turn
}

// A game of one move a side that Black won, Black having once found so little.
GameRecord won_by_black(float low, float white_low = 0.01F) {
  GameRecord game;
  game.moves = searched({low, white_low});
  game.outcome.winner = Color::kBlack;
  return game;
}

TEST(Resignation, TheThresholdIsTheHighestThatIsSeldomWrong) {
  GameOptions options;
  options.resign_below = 0.2;
  ResignCalibration calibration;
  for (int i = 0; i < 36; ++i) calibration.add(won_by_black(0.9F), 1);
  calibration.add(won_by_black(0.1F), 1);
  calibration.add(won_by_black(0.12F), 1);
  calibration.add(won_by_black(0.15F), 1);
  EXPECT_EQ(calibration.threshold(options), 0);  // too few games
  calibration.add(won_by_black(0.9F, 0.3F), 1);  // nobody would have resigned
  EXPECT_NEAR(calibration.wrong_share(0.2), 3.0 / 39, 1e-9);
  options.resign_wrong_share = 0.1;
  EXPECT_EQ(calibration.threshold(options), 0.2);
  options.resign_wrong_share = 0.06;
  EXPECT_NEAR(calibration.threshold(options), 0.15, 1e-6);  // two of 39
  options.resign_wrong_share = 0;
  EXPECT_NEAR(calibration.threshold(options), 0.1, 1e-6);
}

TEST(Resignation, ADrawIsAWrongOneForEitherSide) {
  GameRecord drawn = won_by_black(0.5F, 0.1F);
  drawn.outcome.winner.reset();
  ResignCalibration calibration;
  calibration.add(drawn, 1);
  EXPECT_EQ(calibration.wrong_share(0.2), 1);
  drawn.end = GameEnd::kResignation;  // says nothing
  calibration.add(drawn, 1);
  EXPECT_EQ(calibration.games(), 1U);
}

TEST(Resignation, GamesEndByItExceptThoseThatCalibrate) {
  SelfplaySettings settings = small_games();
  settings.games.resign_turns = 2;
  settings.games.resign_calibration_share = 0.3;
  settings.resign_below = 0.55;
  int resigned = 0, played_on = 0;
  TextByIndex texts, others;
  const auto games = games_of_pool(settings, 8, 60, std::make_shared<HashEvaluator>(5));
  for (const GameRecord& game : games) {
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    played_on += drawn_calibration(settings, game.index) ? 1 : 0;
    if (game.end != GameEnd::kResignation) continue;
    ++resigned;
    EXPECT_FALSE(drawn_calibration(settings, game.index));
    const std::size_t plies = game.moves.size();
    EXPECT_LT(game.moves[plies - 2].root_win, 0.55F);
    EXPECT_LT(game.moves[plies - 4].root_win, 0.55F);
    EXPECT_EQ(game.outcome.winner, plies % 2 == 0 ? Color::kWhite : Color::kBlack);
  }
  EXPECT_GT(resigned, 20);
  EXPECT_NEAR(played_on, 18, 14);
  add_texts(games, texts);
  add_texts(games_of_pool(settings, 1, 60, std::make_shared<HashEvaluator>(5)), others);
  EXPECT_TRUE(texts == others);
}

}  // namespace
}  // namespace tengen
