// Shapes that kill and groups that live.

#include <gtest/gtest.h>

#include "dead_stones_cases.h"

namespace tengen {
namespace {

TEST(DeadStones, ABentFourInTheCornerKills) {
  expect_verdict(R"(
      X X . o X . . . .
      X o o o X . . . .
      . o X X X . . . .
      o o X . . . . . .
      X X X . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ABentFourWithOpenDameKills) {
  expect_verdict(R"(
      X X . o . X . . .
      X o o o . X . . .
      . o X X X X . . .
      o o . X . . . . .
      . X X X . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ABulkyFiveInsideKills) {
  expect_verdict(R"(
      X X X . o X . . .
      X X o o o X . . .
      o o o X X X . . .
      X X X X . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ThreeStonesInsideKill) {
  expect_verdict(R"(
      . X X X o X . . .
      o o o o o X . . .
      . X X X X X . . .
      X X . . . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, AStoneOnTheVitalPointKills) {
  expect_verdict(R"(
      . X . o X . . . .
      o o o o X . . . .
      X X X X X . . . .
      . . . . . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, AFalseEyeDoesNotLive) {
  expect_verdict(R"(
      . o . o X . . . .
      o o o X X . . . .
      X X X . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, SmallGroupsWithTwoEyesLive) {
  expect_verdict(R"(
      . O . O X . . . .
      O O O O X . X X X
      X X X X X X X O O
      . . . . . . X O O
      X X X . . . X X O
      O O X . . . X O O
      . O X . . . X O .
      O O X X X X X O O
      . O X X X O O O .)");
  expect_verdict(R"(
      . . . . O X . . .
      O O O O O X . . .
      X X X X X X X X X
      X X X . . . X O O
      O O X . . . X O .
      . O X . . . X O .
      O O X . . . X O .
      . O X X X X X O .
      O O X . . . X O O)");
}

TEST(DeadStones, DeadStonesInAnEyeOfALivingGroup) {
  expect_verdict(R"(
      . x x x O X . . .
      O O O O O X . . .
      . O X X X X . . .
      O O X . . . . . .
      X X X . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, StonesInAtariAreReadOut) {
  expect_verdict(R"(
      . . . X O . . . .
      . . . X O . . . .
      . . . X O O . . .
      . . . X X O . . .
      . . . . X O . . .
      . . . . X O O O .
      . . . . X X O x O
      . . . . . X O x O
      . . . . . X O . O)");
}

// White can take the black stone in atari, but is taken for it with four others.
TEST(DeadStones, AStoneWhoseCaptureCostsTheCaptorsIsNotDead) {
  expect_verdict(R"(
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . X X X X O . . .
      X o o o X O . . .
      X . X o X O . . .)");
}

TEST(DeadStones, KillingShapesOnALargeBoardKill) {
  expect_verdict(R"(
      X X . o X . . X o . X . o
      X o o o X . . X o o o o o
      . o X X X . . X X X X X X
      o o X . . . . . . . . . .
      X X X . . . . . . . . . .
      . . . . . . . . . . . . .
      X X X X X X X X X X X X X
      O O O O O O O O O O O O O
      . . . . . . . . . . . . .
      . . x . . . . . . . . . .
      . . . . . . . x x . . . .
      . . . . . . . . . . . . .
      . . . . . . . . . . . . .)");
}

TEST(DeadStones, LargeShapesWithTheirVitalPointTakenAreDead) {
  expect_verdict(R"(
      . . o o X . . . .
      . X . o X . . . .
      o . o o X . . . .
      o o o X X . . . .
      X X X X . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
  expect_verdict(R"(
      . X o o X . . . .
      X X X o X . . . .
      o X o o . X . . .
      o o o . X X . . .
      . X X X X . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
  expect_verdict(R"(
      . . o o X . . . .
      . X . o X . . . .
      o o o o X . . . .
      X X X X X . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, LargeShapesWithTheirVitalPointOpenAreUnsettled) {
  expect_verdict(R"(
      . . w w X . . . .
      . . . w X . . . .
      w . w w X . . . .
      w w w X X . . . .
      X X X X . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
  expect_verdict(R"(
      . . w w X . . . .
      . . . w X . . . .
      w w w w X . . . .
      X X X X X . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, FiveInARowAreNoNakade) {
  expect_verdict(R"(
      x . x x . O X . .
      O O O O O O X . .
      X X X X X X X . .
      . . . . . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

// If White takes the four stones, Black plays where they stood and takes two.
TEST(DeadStones, AGroupLivesUnderTheStones) {
  expect_verdict(R"(
      O X X . X . . X O
      O X X o X X X X O
      O O O X X O O O O
      . . O O O O . . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, GroupsWithOneEyeInsideLivingOnesAreDead) {
  expect_verdict(R"(
      . X X X X X O . .
      . X o o o X O . .
      . X o . o X O . .
      . X o o o X O . .
      . X X X X X O . .
      . . . . . X O . .
      . . . . . X O . .
      X X X X X X O . .
      O O O O O O O . .)");
  expect_verdict(R"(
      . . . . . . X O . . . . .
      . X X X X X X O . . . . .
      . X o o o X X O O O O O .
      . X o . o . X O x x x O .
      . X o o o X X O x . x O .
      . . X X X X X O x x x O .
      . . . . . . X O O O . O .
      . . . . . . X O . . . . .
      . . . . . . X O . . . . .
      . . . . . . X O . . . . .
      . . . . . . X O . . . . .
      . . . . . . X O . . . . .
      . . . . . . X O . . . . .)");
  expect_verdict(R"(
      . . . . . . . . . X O . . . . . . . .
      . . . . . . . . . X O . . . . . . . .
      . . X X X X X . . X O . . . . . . . .
      . . X o o o X . . X O . . O O O O O .
      . . X o . o X . . X O . . O x x x O .
      . . X o o o X . . X O . . O x . x O .
      . . X X . X X . . X O . . . x x x O .
      . . . . . . . . . X O . . O O O O O .
      . . . . . . . . . X O . . . . . . . .
      X X X X X X X X X X O O O O O O O O O
      O O O O O O O O O O X X X X X X X X X
      . . . . . . . . . O X . . . . . . . .
      . . . . . . . . . O X . . . . . . . .
      . . . . . . . . . O X . . . . . . . .
      . . . . . . . . . O X . . . . . . . .
      . . . . O O O O O O X X X X X X . . .
      . . . . O x x x x O X o o o o X . . .
      . . . . O x . . x O X o . . o X . . .
      . . . . O x . . x O X o . X o X . . .)");
}

}  // namespace
}  // namespace tengen
