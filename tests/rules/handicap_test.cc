#include "rules/handicap.h"

#include <gtest/gtest.h>

#include <string>

namespace tengen {
namespace {

std::string placed(int n, int stones, HandicapPlacement placement = HandicapPlacement::kCentre) {
  std::string text;
  for (const Point p : fixed_handicap_points(BoardSize::square(n), stones, placement)) {
    (text += text.empty() ? "" : " ") += to_text(p, BoardSize::square(n));
  }
  return text;
}

TEST(FixedHandicap, On19x19HasThePointsOfTheGtpDraft) {
  EXPECT_EQ(placed(19, 1), "Q16");
  EXPECT_EQ(placed(19, 2), "Q16 D4");
  EXPECT_EQ(placed(19, 3), "Q16 D4 D16");
  EXPECT_EQ(placed(19, 4), "Q16 D4 D16 Q4");
  EXPECT_EQ(placed(19, 5), "Q16 D4 D16 Q4 K10");
  EXPECT_EQ(placed(19, 6), "Q16 D4 D16 Q4 D10 Q10");
  EXPECT_EQ(placed(19, 7), "Q16 D4 D16 Q4 D10 Q10 K10");
  EXPECT_EQ(placed(19, 8), "Q16 D4 D16 Q4 D10 Q10 K4 K16");
  EXPECT_EQ(placed(19, 9), "Q16 D4 D16 Q4 D10 Q10 K4 K16 K10");
}

TEST(FixedHandicap, BySidesKeepsTheCentreForTheNinthStone) {
  const auto sides = HandicapPlacement::kSides;
  EXPECT_EQ(placed(9, 4, sides), "G7 C3 C7 G3");
  EXPECT_EQ(placed(9, 5, sides), "G7 C3 C7 G3 C5");
  EXPECT_EQ(placed(9, 6, sides), "G7 C3 C7 G3 C5 G5");
  EXPECT_EQ(placed(9, 7, sides), "G7 C3 C7 G3 C5 G5 E3");
  EXPECT_EQ(placed(9, 8, sides), "G7 C3 C7 G3 C5 G5 E3 E7");
  EXPECT_EQ(placed(9, 9, sides), "G7 C3 C7 G3 C5 G5 E3 E7 E5");
}

TEST(FixedHandicap, UsesTheThirdLineUpTo12AndTheFourthFrom13) {
  EXPECT_EQ(placed(9, 5), "G7 C3 C7 G3 E5");
  EXPECT_EQ(placed(11, 2), "J9 C3");
  EXPECT_EQ(placed(13, 8), "K10 D4 D10 K4 D7 K7 G4 G10");
  EXPECT_EQ(placed(12, 4), "K10 C3 C10 K3");
}

TEST(FixedHandicap, AllowsWhatTheDraftAllows) {
  for (int n = 2; n <= 6; ++n) EXPECT_EQ(max_fixed_handicap(BoardSize::square(n)), 0);
  EXPECT_EQ(max_fixed_handicap(BoardSize::square(7)), 4);
  for (int n = 8; n <= 18; n += 2) EXPECT_EQ(max_fixed_handicap(BoardSize::square(n)), 4);
  for (int n = 9; n <= 19; n += 2) EXPECT_EQ(max_fixed_handicap(BoardSize::square(n)), 9);
}

}  // namespace
}  // namespace tengen
