#include "rules/local_reading.h"

#include <gtest/gtest.h>

namespace tengen {
namespace {

TEST(LocalReading, ReadsWhatDecidesAChain) {
  const auto read = [](std::string_view diagram, Point target, int max_nodes = 4000) {
    const Board board = board_from_text(diagram);
    return read_chain(board, PointSet::all(board.size()), target, max_nodes);
  };
  EXPECT_EQ(read(R"(
      . X . X
      X X X X
      . . . .)",
                 Point::at(0, 1)),
            Reading::kSafe);
  EXPECT_EQ(read(R"(
      . . . O X . X
      O O O O X X X
      X X X X X . X)",
                 Point::at(1, 0)),
            Reading::kUnsettled);
  EXPECT_EQ(read(R"(
      . . O X . X
      O O O X X X
      X X X X . X)",
                 Point::at(1, 0)),
            Reading::kCaptured);
  EXPECT_EQ(read(R"(
      . . . O X . X
      O O O O X X X
      X X X X X . X)",
                 Point::at(1, 0), 1),
            Reading::kUnknown);
}

TEST(LocalReading, AHanezekiIsSafe) {
  const Board board = board_from_text(R"(
      X X X . O . X . O O O X
      O O O O O X X X X X X X
      X X X X X O O O O O O O
      . . . . X O . . . . . .)");
  PointSet region;
  for (int i = 0; i < 2 * board.size().width; ++i) region.insert(i);
  for (const Point target : {Point::at(0, 0), Point::at(1, 0), Point::at(0, 8), Point::at(1, 8)}) {
    EXPECT_EQ(read_chain(board, region, target, 200000), Reading::kSafe);
  }
}

// White takes four stones on D5; Black plays on C4, and two of the takers cannot get away.
TEST(LocalReading, StonesAreNotTakenForGoodIfTheirOwnerLivesUnderThem) {
  const auto read = [](std::string_view diagram, Point target) {
    const Board board = board_from_text(diagram);
    PointSet region;
    for (int row = 0; row < 2; ++row) {
      for (int column = 1; column < 7; ++column) {
        region.insert(board.size().index(Point::at(row, column)));
      }
    }
    return read_chain(board, region, target, 20000);
  };
  constexpr const char* kUnder = R"(
      O X X . X . . X O
      O X X O X X X X O
      O O O X X O O O O
      . . O O O O . . .
      . . . . . . . . .)";
  EXPECT_EQ(read(kUnder, Point::at(0, 1)), Reading::kSafe);
  EXPECT_EQ(read(kUnder, Point::at(1, 3)), Reading::kCaptured);
  // With an escape below for the takers Black has one eye, whoever begins.
  constexpr const char* kEscape = R"(
      O X X . X . . X O
      O X X O X X X X O
      O O O O X O O O O
      . . O O O O . . .
      . . . . . . . . .)";
  EXPECT_EQ(read(kEscape, Point::at(0, 1)), Reading::kCaptured);
}

}  // namespace
}  // namespace tengen
