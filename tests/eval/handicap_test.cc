#include "eval/handicap.h"

#include <gtest/gtest.h>

#include <string>

namespace tengen {
namespace {

std::string placed(int n, int stones) {
  std::string text;
  for (const Point p : fixed_handicap_points(BoardSize::square(n), stones)) {
    (text += text.empty() ? "" : " ") += to_text(p, BoardSize::square(n));
  }
  return text;
}

TEST(FixedHandicap, On19x19IsTheTableOfTheDraft) {
  EXPECT_EQ(placed(19, 2), "D4 Q16");
  EXPECT_EQ(placed(19, 3), "D4 Q16 D16");
  EXPECT_EQ(placed(19, 4), "D4 Q16 D16 Q4");
  EXPECT_EQ(placed(19, 5), "D4 Q16 D16 Q4 K10");
  EXPECT_EQ(placed(19, 6), "D4 Q16 D16 Q4 D10 Q10");
  EXPECT_EQ(placed(19, 7), "D4 Q16 D16 Q4 D10 Q10 K10");
  EXPECT_EQ(placed(19, 8), "D4 Q16 D16 Q4 D10 Q10 K4 K16");
  EXPECT_EQ(placed(19, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
}

TEST(FixedHandicap, UsesTheThirdLineUpTo12AndTheFourthFrom13) {
  EXPECT_EQ(placed(9, 5), "C3 G7 C7 G3 E5");
  EXPECT_EQ(placed(11, 2), "C3 J9");
  EXPECT_EQ(placed(13, 5), "D4 K10 D10 K4 G7");
  EXPECT_EQ(placed(12, 4), "C3 K10 C10 K3");
}

TEST(FixedHandicap, AllowsWhatTheDraftAllows) {
  for (int n = 2; n <= 6; ++n) EXPECT_EQ(max_fixed_handicap(BoardSize::square(n)), 0);
  EXPECT_EQ(max_fixed_handicap(BoardSize::square(7)), 4);
  for (int n = 8; n <= 18; n += 2) EXPECT_EQ(max_fixed_handicap(BoardSize::square(n)), 4);
  for (int n = 9; n <= 19; n += 2) EXPECT_EQ(max_fixed_handicap(BoardSize::square(n)), 9);
}

}  // namespace
}  // namespace tengen
