#include <gtest/gtest.h>

#include "rules/board.h"

namespace tengen {
namespace {

constexpr Color kBlack = Color::kBlack;
constexpr Color kWhite = Color::kWhite;

// 'S' pass-alive stones, 'T' territory, '.' the rest, row by row.
std::string life_of(const Board& board, Color c, bool suicide) {
  const PassAlive alive = pass_alive(board, c, suicide);
  std::string text;
  for (int i = 0; i < board.size().area(); ++i) {
    text += alive.stones.contains(i) ? 'S' : alive.territory.contains(i) ? 'T' : '.';
    if ((i + 1) % board.size().width == 0) text += '\n';
  }
  return text;
}

int black_margin(const Board& board, bool suicide) {
  const auto owned = area_pass_dead_removed(board, suicide);
  return owned[0].count() - owned[1].count();
}

TEST(PassAlive, TwoEyesLive) {
  const Board board = board_from_text(R"(
      . X . X .
      X X X X .
      . . . . .
      . . . . .)");
  EXPECT_EQ(life_of(board, kBlack, false), "TSTS.\nSSSS.\n.....\n.....\n");
  EXPECT_EQ(life_of(board, kWhite, false), ".....\n.....\n.....\n.....\n");
}

// The outer region below has one point that touches no black stone: too little to live in.
TEST(PassAlive, ARegionWithOneInnerPointIsTerritory) {
  const Board board = board_from_text(R"(
      . X . X .
      X X X X .
      . . . . .)");
  EXPECT_EQ(life_of(board, kBlack, false), "TSTST\nSSSST\nTTTTT\n");
}

TEST(PassAlive, OneEyeDoesNotLive) {
  const Board board = board_from_text(R"(
      . X . . .
      X X . . .
      . . . . .)");
  EXPECT_EQ(life_of(board, kBlack, false), ".....\n.....\n.....\n");
}

TEST(PassAlive, ChainsLiveTogetherThroughSharedEyes) {
  const Board board = board_from_text(R"(
      . X O O
      X . X O
      O X O O
      O O O .)");
  // Each black chain touches both points or is taken with the others.
  EXPECT_EQ(life_of(board, kBlack, false), "....\n....\n....\n....\n");
  const Board joined = board_from_text(R"(
      . X O .
      X X O .
      . X O .
      X X O .)");
  EXPECT_EQ(life_of(joined, kBlack, false), "TS..\nSS..\nTS..\nSS..\n");
}

TEST(PassAlive, AFalseEyeDoesNotLive) {
  const Board board = board_from_text(R"(
      . X . X O
      X X O X O
      O O O O O
      . . . . .)");
  EXPECT_EQ(life_of(board, kBlack, false), ".....\n.....\n.....\n.....\n");
}

// An enemy in an eye whose points all touch the chain does no harm; where suicide is allowed it
// could fill from within, and its stones must touch the chain too.
TEST(PassAlive, ADeadStoneInsideAnEyeIsTerritory) {
  const Board board = board_from_text(R"(
      . X O . X
      X X X X X
      . . . . .)");
  EXPECT_EQ(life_of(board, kBlack, false), "TSTTS\nSSSSS\nTTTTT\n");
  const auto owned = area_pass_dead_removed(board, false);
  EXPECT_EQ(owned[0].count(), 15);
  EXPECT_TRUE(owned[1].is_empty());
  EXPECT_EQ(area(board)[1].count(), 1);
}

TEST(PassAlive, SekiStonesStay) {
  const Board board = board_from_text(R"(
      X . X O . O X . X
      X X X O O O X X X
      O O O . . . O O O
      . O . O O O . O .)");
  for (const Color c : {kBlack, kWhite}) {
    const auto owned = area_pass_dead_removed(board, false);
    EXPECT_EQ(board.stones(c) - owned[index_of(c)], PointSet()) << name_of(c);
  }
}

TEST(PassAlive, TwoStonesAliveOnlyThroughTheirSharedDameAreKept) {
  const Board board = board_from_text(R"(
      . X O . O
      X X O O .
      . O X X O
      O O X . X
      . O X X .)");
  const auto owned = area_pass_dead_removed(board, false);
  for (const Color c : {kBlack, kWhite}) {
    EXPECT_EQ(board.stones(c) - owned[index_of(c)], PointSet()) << name_of(c);
  }
}

// The golden case of KataGo's tests (cpp/tests/gtp/passalivemode.txt): White's three stones are
// dead since they can neither live nor take themselves off; under suicide rules they are not.
TEST(PassAlive, TheSuicideRuleDecidesKataGosFourByFiveCase) {
  const Board board = board_from_text(R"(
      . . . X
      X X . .
      O X X X
      O O X .
      . X . X)");
  EXPECT_EQ(black_margin(board, false), 20);
  EXPECT_EQ(black_margin(board, true), 13);
}

TEST(PassAlive, AnEmptyBoardAndABoardOfOneColour) {
  EXPECT_EQ(black_margin(Board(BoardSize::square(9)), false), 0);
  Board board(BoardSize::square(9));
  board.play(Point::at(4, 4), kBlack);
  EXPECT_EQ(life_of(board, kBlack, false).find_first_of("ST"), std::string::npos);
  EXPECT_EQ(black_margin(board, false), 81) << "the whole rest reaches Black only";
}

}  // namespace
}  // namespace tengen
