#include <gtest/gtest.h>

#include "rules/check.h"
#include "rules/edit_distance.h"
#include "rules/move.h"
#include "rules/score.h"

namespace tengen {
namespace {

TEST(Text, CoordinatesSkipTheLetterIAndCountRowsFromTheBottom) {
  const BoardSize size = BoardSize::square(19);
  EXPECT_EQ(to_text(Point::at(18, 0), size), "A1");
  EXPECT_EQ(to_text(Point::at(0, 8), size), "J19");
  EXPECT_EQ(to_text(Point::at(15, 3), size), "D4");
  EXPECT_EQ(parse_point("d4", size), Point::at(15, 3));
  EXPECT_EQ(parse_point("T1", size), Point::at(18, 18));
}

TEST(Text, PointsAndMovesGoRoundOnAllSizes) {
  for (const BoardSize size : {BoardSize{2, 19}, BoardSize{19, 2}, BoardSize{7, 10}}) {
    for (int i = 0; i <= size.area(); ++i) {
      const Move move = move_at(i, size);
      EXPECT_EQ(policy_index(move, size), i);
      EXPECT_EQ(parse_move(to_text(move, size), size), move);
    }
  }
}

TEST(Text, BadCoordinatesAreNoPoints) {
  const BoardSize size = BoardSize::square(9);
  for (const char* text :
       {"", "A", "I5", "K1", "A0", "A10", "A-1", "A1x", "11", "A 1", "A99999999999"}) {
    EXPECT_FALSE(parse_point(text, size).has_value()) << text;
  }
  EXPECT_EQ(parse_move("PASS", size), Move::pass());
  EXPECT_FALSE(parse_move("passs", size).has_value());
}

TEST(Text, BoardSizesAreWidthByHeight) {
  EXPECT_EQ(parse_board_size("9"), BoardSize::square(9));
  EXPECT_EQ(parse_board_size("7x10"), (BoardSize{7, 10}));
  EXPECT_EQ(to_text(BoardSize{7, 10}), "7x10");
  for (const char* text : {"", "1", "20", "9x", "x9", "9x20", "9x9x9", "-9", "9.0", "+9"}) {
    EXPECT_FALSE(parse_board_size(text).has_value()) << text;
  }
}

TEST(Text, KomiGoesRoundInHalfPoints) {
  for (int half = -800; half <= 800; ++half) {
    const Komi komi = Komi::from_half_points(half);
    EXPECT_EQ(parse_komi(to_text(komi)), komi) << half;
  }
  EXPECT_EQ(to_text(Komi::from_half_points(-1)), "-0.5");
  EXPECT_EQ(to_text(Komi()), "7.5");
  EXPECT_EQ(parse_komi("6.50"), Komi::from_half_points(13));
  EXPECT_EQ(parse_komi("+7.0"), Komi::from_half_points(14));
  for (const char* text : {"", "7.25", "7.", ".5", "400.5", "--1", "1e2", "7 ", "nan", "7.5.5"}) {
    EXPECT_FALSE(parse_komi(text).has_value()) << text;
  }
}

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "visits"), 6);
  EXPECT_EQ(edit_distance("visit", "visits"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3);
}

TEST(Text, ScoresReadAsInSgf) {
  Score score;
  score.black_area.insert(0);
  score.komi = Komi::from_half_points(15);
  EXPECT_EQ(to_text(score), "W+6.5");
  score.komi = Komi::from_half_points(-22);
  EXPECT_EQ(to_text(score), "B+12");
}

TEST(CheckDeathTest, ABrokenPromiseStopsTheProgramAndSaysWhere) {
  EXPECT_DEATH(check(false, "two is odd"), "text_test.cc:[0-9]+: broken promise: two is odd");
}

}  // namespace
}  // namespace tengen
