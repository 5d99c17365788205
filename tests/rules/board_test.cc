#include "rules/board.h"

#include <gtest/gtest.h>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr Color kBlack = Color::kBlack;
constexpr Color kWhite = Color::kWhite;

// The points marked '*' in a diagram of '.' and '*'.
PointSet marked(std::string_view diagram) {
  PointSet set;
  int i = 0;
  for (const char ch : diagram) {
    if (ch == '*') set.insert(i);
    if (ch == '*' || ch == '.') ++i;
  }
  return set;
}

void expect_board(const Board& board, std::string_view diagram) {
  EXPECT_TRUE(board == board_from_text(diagram)) << board.to_text();
}

TEST(Board, CapturingTheLastLibertyRemovesTheStone) {
  Board board = board_from_text(R"(
      . X .
      X O .
      . X .)");
  EXPECT_EQ(board.play(Point::at(1, 2), kBlack), 1);
  expect_board(board, R"(
      . X .
      X . X
      . X .)");
  EXPECT_FALSE(board.ko_point().has_value());
}

TEST(Board, AChainIsCapturedAsAWhole) {
  Board board = board_from_text(R"(
      O O X .
      O X . .
      . X . .)");
  EXPECT_EQ(board.play(Point::at(2, 0), kBlack), 3);
  expect_board(board, R"(
      . . X .
      . X . .
      X X . .)");
}

TEST(Board, OneMoveCapturesChainsOnAllSides) {
  Board board = board_from_text(R"(
      . . X . .
      . X O X .
      X O . O X
      . X O X .
      . . X . .)");
  EXPECT_EQ(board.legal(kBlack, false, false).count(), board.empty().count());
  EXPECT_EQ(board.play(Point::at(2, 2), kBlack), 4);
  EXPECT_EQ(board.stones(kWhite).count(), 0);
}

TEST(Board, AChainThatTouchesAPlayTwiceIsCountedOnce) {
  Board board = board_from_text(R"(
      . O O X
      O O X .
      O X . .
      X . . .)");
  EXPECT_EQ(board.play(Point::at(0, 0), kBlack), 5);
}

TEST(Board, CapturingComesBeforeSuicide) {
  Board board = board_from_text(R"(
      . X O .
      X O O .
      O O . .)");
  EXPECT_TRUE(board.legal(kWhite, false, false).contains(0));
  EXPECT_EQ(board.play(Point::at(0, 0), kWhite), 2);
  expect_board(board, R"(
      O . O .
      . O O .
      O O . .)");
}

TEST(Board, SuicideOfAChainIsLegalOnlyWhereTheRulesAllowIt) {
  Board board = board_from_text(R"(
      . X O
      O O O
      . . .)");
  EXPECT_FALSE(board.legal(kBlack, false, false).contains(0));
  EXPECT_FALSE(board.legal(kBlack, false, true).contains(0));
  EXPECT_TRUE(board.legal(kBlack, true, false).contains(0));
  EXPECT_EQ(board.play(Point::at(0, 0), kBlack), 0);
  expect_board(board, R"(
      . . O
      O O O
      . . .)");
  EXPECT_FALSE(board.ko_point().has_value());
}

TEST(Board, SuicideOfASingleStoneHasItsOwnSwitch) {
  Board board = board_from_text(R"(
      . O .
      O . .
      . . .)");
  EXPECT_FALSE(board.legal(kBlack, false, false).contains(0));
  EXPECT_FALSE(board.legal(kBlack, true, false).contains(0));
  EXPECT_TRUE(board.legal(kBlack, false, true).contains(0));
  EXPECT_EQ(board.hash_after(Point::at(0, 0), kBlack), board.hash());
  const Board before = board;
  EXPECT_EQ(board.play(Point::at(0, 0), kBlack), 0);
  EXPECT_TRUE(board == before);
}

TEST(Board, AMoveThatSavesAnotherOwnChainIsNoSuicide) {
  const Board board = board_from_text(R"(
      . X .
      O O .
      . . .)");
  EXPECT_TRUE(board.legal(kBlack, false, false).contains(0));
}

TEST(Board, TakingOneStoneWithALoneStoneInAtariIsKo) {
  Board board = board_from_text(R"(
      . X O .
      X . X O
      . X O .)");
  EXPECT_EQ(board.play(Point::at(1, 1), kWhite), 1);
  ASSERT_TRUE(board.ko_point().has_value());
  EXPECT_EQ(*board.ko_point(), Point::at(1, 2));
  EXPECT_FALSE(board.legal(kBlack, false, false).contains(6));
  EXPECT_TRUE(board.legal(kWhite, false, false).contains(6)) << "White may fill it";
}

TEST(Board, APassOrAMoveElsewhereLiftsTheKo) {
  Board board = board_from_text(R"(
      . X O .
      X . X O
      . X O .)");
  board.play(Point::at(1, 1), kWhite);
  Board passed = board;
  passed.pass();
  EXPECT_TRUE(passed.legal(kBlack, false, false).contains(6));
  board.play(Point::at(0, 0), kBlack);
  EXPECT_FALSE(board.ko_point().has_value());
}

TEST(Board, TakingTwoStonesOrWithAChainIsNoKo) {
  Board two = board_from_text(R"(
      . X O O .
      X . X X O
      . X O O .)");
  EXPECT_EQ(two.play(Point::at(1, 1), kWhite), 2);
  EXPECT_FALSE(two.ko_point().has_value());
  Board chain = board_from_text(R"(
      O . X O .
      . X O . .)");
  EXPECT_EQ(chain.play(Point::at(0, 1), kWhite), 1);
  EXPECT_FALSE(chain.ko_point().has_value());
}

TEST(Board, LibertiesAreCountedOnceForAChain) {
  const Board board = board_from_text(R"(
      . X X .
      . X . .
      O . . .
      O . . X)");
  EXPECT_EQ(board.liberties(Point::at(0, 1)), 5);
  EXPECT_EQ(board.liberties(Point::at(2, 0)), 3);
  EXPECT_EQ(board.stones_by_liberties()[1], marked(R"(
      . . . .
      . . . .
      . . . .
      . . . *)"));
  EXPECT_EQ(board.stones_by_liberties()[2], marked(R"(
      . . . .
      . . . .
      * . . .
      * . . .)"));
  EXPECT_EQ(board.chain(Point::at(1, 1)), marked(R"(
      . * * .
      . * . .
      . . . .
      . . . .)"));
}

TEST(Board, EyesAreNotFalseEyes) {
  const Board board = board_from_text(R"(
      . X . X O
      X X X O .
      X . X X .
      O X O O .
      . . . . .)");
  EXPECT_EQ(board.single_point_eyes(kBlack), marked(R"(
      * . . . .
      . . . . .
      . . . . .
      . . . . .
      . . . . .)"));
  const Board broken_once = board_from_text(R"(
      . . . .
      . X X .
      X . X .
      . X O .
      . . . .)");
  EXPECT_TRUE(broken_once.single_point_eyes(kBlack).contains(9));
}

TEST(Board, AreaIsStonesAndPointsThatReachOneColourOnly) {
  const Board board = board_from_text(R"(
      . X . O .
      X X . O O
      . X . O .)");
  const auto owned = area(board);
  EXPECT_EQ(owned[0], marked(R"(
      * * . . .
      * * . . .
      * * . . .)"));
  EXPECT_EQ(owned[1], marked(R"(
      . . . * *
      . . . * *
      . . . * *)"));
}

TEST(Board, AnEmptyBoardBelongsToNobody) {
  const auto owned = area(Board(BoardSize::square(19)));
  EXPECT_TRUE(owned[0].is_empty());
  EXPECT_TRUE(owned[1].is_empty());
}

TEST(Board, DiagramsGoRoundInText) {
  const Board board = board_from_text("\n . # +\n O X .\n\n . . .\n");
  EXPECT_EQ(board.to_text(), ". X .\nO X .\n. . .\n");
  EXPECT_TRUE(board_from_text(board.to_text()) == board);
  EXPECT_EQ(board.size(), BoardSize::square(3));
}

TEST(Board, BadDiagramsAreErrors) {
  for (const char* text : {"", ". . .", ".\n.\n.", "...\n..\n...", "..\n...", "..\n.z", "XO\nO.",
                           "XX\nXX", "....................\n....................",
                           "..\n..\n..\n..\n..\n..\n..\n..\n..\n..\n"
                           "..\n..\n..\n..\n..\n..\n..\n..\n..\n..\n.."}) {
    EXPECT_THROW(board_from_text(text), Error) << text;
  }
}

TEST(Board, StonesOfAllSizesComeBackAsTheyWereSet) {
  for (int width = kMinBoardSize; width <= kMaxBoardSize; ++width) {
    for (int height = kMinBoardSize; height <= kMaxBoardSize; ++height) {
      const BoardSize size{static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
      PointSet black;
      PointSet white;
      for (int i = 0; i < size.area(); ++i) {
        const Point p = size.point(i);
        if (p.row() % 2 == 0 && p.column() % 2 == 0) (p.row() % 4 == 0 ? black : white).insert(i);
      }
      const auto board = Board::from_stones(size, black, white);
      ASSERT_TRUE(board.has_value());
      EXPECT_EQ(board->stones(kBlack), black);
      EXPECT_EQ(board->stones(kWhite), white);
      EXPECT_EQ(board->empty(), PointSet::all(size) - black - white);
    }
  }
}

TEST(Board, CopiesOfOtherSizesReplaceTheBoard) {
  Board board = board_from_text("X.\n..");
  const Board large(BoardSize::square(19));
  board = large;
  EXPECT_TRUE(board == large);
  EXPECT_EQ(board.play(Point::at(18, 18), kWhite), 0);
  EXPECT_FALSE(board == large);
}

TEST(BoardDeathTest, PlayingOnAStoneOrOffTheBoardStopsTheProgram) {
  Board board = board_from_text("X.\n..");
  EXPECT_DEATH(board.play(Point::at(0, 0), kWhite), "a play needs an empty point");
  EXPECT_DEATH(board.play(Point::at(2, 0), kWhite), "a play lies on the board");
  EXPECT_DEATH(Board(BoardSize{0, 5}), "1 to 19 rows and columns");
}

TEST(Board, HashesDifferBySizeAndColour) {
  EXPECT_NE(Board(BoardSize::square(9)).hash(), Board(BoardSize::square(10)).hash());
  EXPECT_NE(board_from_text("X.\n..").hash(), board_from_text("O.\n..").hash());
}

}  // namespace
}  // namespace tengen
