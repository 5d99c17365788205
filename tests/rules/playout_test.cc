#include "rules/playout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "rules/bench.h"

namespace tengen {
namespace {

Rules rules_of(int size) {
  Rules rules;
  rules.size = BoardSize::square(size);
  return rules;
}

// Independent uniform simulators agree on these means; the spread of one game is about a tenth.
void expect_mean_moves(int size, int games, double expected, double tolerance) {
  Rng rng(11, size);
  double moves = 0;
  for (int i = 0; i < games; ++i) {
    Position position(rules_of(size));
    moves += play_random_game(position, rng, 10 * position.size().area());
    ASSERT_TRUE(position.is_over());
  }
  EXPECT_NEAR(moves / games, expected, tolerance * expected) << size;
}

TEST(Playout, RandomGamesAreAsLongAsUniformGamesAre) {
  expect_mean_moves(9, 20000, 111.0, 0.005);
  expect_mean_moves(13, 5000, 219.3, 0.005);
  expect_mean_moves(19, 2000, 455.4, 0.005);
}

TEST(Playout, TheFastPathPlaysTheMovesOfRandomMove) {
  for (int seed = 0; seed < 60; ++seed) {
    Rules rules = rules_of(3 + seed % 8);
    rules.ko = static_cast<Ko>(seed % 3);
    rules.multi_stone_suicide = seed % 2 == 0;
    Position fast(rules);
    Position slow(rules);
    Rng fast_rng(seed);
    Rng slow_rng(seed);
    const int moves = play_random_game(fast, fast_rng, 300);
    for (int i = 0; i < moves; ++i) {
      ASSERT_FALSE(slow.is_over());
      const Move move = random_move(slow, slow_rng);
      ASSERT_TRUE(slow.is_legal(move));
      slow.play(move);
    }
    EXPECT_TRUE(fast.board() == slow.board());
    EXPECT_EQ(fast.hash(), slow.hash());
    EXPECT_EQ(fast.to_move(), slow.to_move());
    EXPECT_EQ(fast.ply(), slow.ply());
    EXPECT_EQ(fast.passes_in_a_row(), slow.passes_in_a_row());
    EXPECT_EQ(fast.legal_points(), slow.legal_points());
    for (int back = 0; back < std::min(5, moves); ++back) {
      EXPECT_EQ(fast.recent(back).move, slow.recent(back).move);
      EXPECT_EQ(fast.recent(back).color, slow.recent(back).color);
    }
    EXPECT_EQ(fast_rng.state(), slow_rng.state());
  }
}

TEST(Playout, StopsAfterTheGivenMoves) {
  Position position(rules_of(9));
  Rng rng(1);
  EXPECT_EQ(play_random_game(position, rng, 17), 17);
  EXPECT_EQ(position.ply(), 17);
  EXPECT_FALSE(position.is_over());
}

TEST(Playout, EveryLegalMoveIsDrawnEquallyOften) {
  Board board = board_from_text(R"(
      . X . O
      X . X O
      . O O .
      . . . .)");
  const Position position(rules_of(4), board, Color::kBlack);
  Rng rng(2);
  constexpr int kDraws = 40000;
  std::map<std::string, int> drawn;
  for (int i = 0; i < kDraws; ++i) ++drawn[to_text(random_move(position, rng), position.size())];
  const PointSet expected = position.legal_points() - board.single_point_eyes(Color::kBlack);
  ASSERT_EQ(static_cast<int>(drawn.size()), expected.count());
  const double mean = static_cast<double>(kDraws) / expected.count();
  for (const auto& [move, n] : drawn) EXPECT_NEAR(n, mean, 5 * std::sqrt(mean)) << move;
}

TEST(Playout, PassesOnlyWhenNothingElseIsLeft) {
  const Board board = board_from_text(R"(
      . X .
      X X X
      . X X)");
  const Position position(rules_of(3), board, Color::kBlack);
  Rng rng(3);
  EXPECT_TRUE(random_move(position, rng).is_pass());
}

TEST(Playout, TheSpeedMeasurementPlaysWholeGames) {
  const RandomGameRate rate = measure_random_games(BoardSize::square(9), 0.05, 1);
  EXPECT_GT(rate.games, 0);
  EXPECT_GT(rate.moves_per_s, 0);
  EXPECT_NEAR(rate.moves_per_game, 111.0, 11);
}

}  // namespace
}  // namespace tengen
