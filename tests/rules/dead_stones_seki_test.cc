// Sekis and kos.

#include <gtest/gtest.h>

#include "dead_stones_cases.h"

namespace tengen {
namespace {

// Neither side can play on the two shared liberties.
TEST(DeadStones, ASekiWithoutEyesStays) {
  expect_verdict(R"(
      . . X O . X O . .
      . . X O . X O . .
      . . X O O X O . .
      . . . X X O O . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
}

TEST(DeadStones, ASekiWithAnEyeEachStays) {
  expect_verdict(R"(
      X O . O . X . X O
      X O O O O X X X O
      X X X X X O O O O
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
}

TEST(DeadStones, ASekiInTheCornerStays) {
  expect_verdict(R"(
      . O O O . X O . .
      X X X X X X O . .
      O O O O O O O . .
      . . . . . . . . .
      O O O O O O O O O
      X X X X X X X X X
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ASekiWithOpenDameStays) {
  expect_verdict(R"(
      . X . O . X . O .
      . X X O . X O O .
      . . X O O X O . .
      . . . X X O O . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
  expect_verdict(R"(
      . O O O . X . O .
      X X X X X X O O .
      O O O O O O O . .
      . . . . . . . . .
      O O O O O O O O O
      X . X X X X . X X
      . X . . . . X . .
      . . . . . . . . .
      . . . . . . . . .)");
}

// Four stones in a row are no nakade.
TEST(DeadStones, ASekiInsideALargeTerritoryStays) {
  expect_verdict(R"(
      . O O O O O O O O O X . .
      . O X X X X X X X O X . .
      . O X . O O O . X O X . .
      . O X X X X X X X O X . .
      . O O O O O O O O O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .)");
}

TEST(DeadStones, TwoSekisOnALargeBoardStay) {
  expect_verdict(R"(
      . . X O . X O . . . . . . . . . . . .
      . . X O . X O . . . . . . . . . . . .
      . . X O O X O . . . . . . . . . . . .
      . . . X X O O . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      X X X X X O O O O O O O O O O O O O O
      O O O O O X X X X X X X X X X X X X X
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . o . . . . . . .
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . . X X X X X X X
      . . . . O X . . . . . . X O O O O O O
      . . . . O X . . . . . . X O . X X X .)");
}

TEST(DeadStones, ASekiOfGroupsWithEyesAndDameStays) {
  expect_verdict(R"(
      . . X O O O X X X O . . .
      . . X O . O X . X O . . .
      . . X O O O X X X O . . .
      . . X O O . X O O O . . .
      . . X O O O X O . . . . .
      . . X O O . X O . . . . .
      . . X O O O X O . . . . .
      . . X X X X O O . . . . .
      . . . . . X O . . . . . .)");
}

// With the dame shared, the side without an eye runs out of liberties first.
TEST(DeadStones, AnEyeAgainstNoEyeIsNoSeki) {
  expect_verdict(R"(
      . . X O O O x O . . . . .
      . . X O . O x O . . . . .
      . . X O O O x O . . . . .
      . . X O O . x O . . . . .
      . . X O O O x O . . . . .
      . . X O O . x O . . . . .
      . . X O O O x O . . . . .
      . . X X X X O O . . . . .
      . . . . . X O . . . . . .)");
}

// As in a hanezeki both have stones in atari, and who takes them loses the race, or gains nothing.
// It is much to read; LocalReading.AHanezekiIsSafe has the whole of it.
constexpr const char* kHanezeki = R"(
      b b b . w . b . w w w b O
      w w w w w b b b b b b b O
      X X X X X O O O O O O O O
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .)";

TEST(DeadStones, AHanezekiIsNotDead) {
  expect_verdict(kHanezeki);
}

TEST(DeadStones, AnOpenKoIsUnsettled) {
  expect_verdict(R"(
      . . . . X O . . .
      . . . . X O . . .
      . . . X w . O . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
}

TEST(DeadStones, ADoubleKoSekiStays) {
  expect_verdict(R"(
      . . X O b . X O . . . . .
      . . X O O X X O . . . . .
      . . X O O X O O . . . . .
      . . X O . X O . . . . . .
      . . X O O X O . . . . . .
      . . X O O X O . . . . . .
      . . X O O X O O . . . . .
      . . X O O X X O . . . . .
      . . X O . w X O . . . . .)");
}

// Without the dame in the middle whoever takes a ko takes all.
TEST(DeadStones, TwoKosWithoutADameAreUnsettled) {
  expect_verdict(R"(
      . . X w b . b O . . . . .
      . . X w w b b O . . . . .
      . . X w w b O O . . . . .
      . . X w w b O . . . . . .
      . . X w w b O . . . . . .
      . . X w w b O . . . . . .
      . . X w w b O O . . . . .
      . . X w w b b O . . . . .
      . . X w . w b O . . . . .)");
}

// Black can connect for a seki; White can take the ko, and must then fill a dame to kill.
TEST(DeadStones, ATenThousandYearKoIsUnsettled) {
  expect_verdict(R"(
      . . X O b . b O . . . . .
      . . X O O b b O . . . . .
      . . X O . b O O . . . . .
      . . X O O b O . . . . . .
      . . X O . b O . . . . . .
      . . X O O b O . . . . . .
      . . X X X O O . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .
      . . . . X O . . . . . . .)");
}

// A ko that can be taken again and again but never be ended is no eye.
TEST(DeadStones, AnEyeByAnEndlessKoDoesNotLive) {
  expect_verdict(R"(
      . . X o . o X . . . . . .
      . . X o o X X . . . . . .
      . . X o o X X . . . . . .
      . . X o o o X . . . . . .
      . . X o . o X . . . . . .
      . . X o o o X . . . . . .
      . . X o o o X . . . . . .
      . . X X X X X . . . . . .
      . . . . . . . . . . . . .)");
}

// Black takes one, White takes back the other: by the rules of 1989 White is dead in the end, but
// the reading forbids Black to take again.
TEST(DeadStones, EyesByTwoKosFarApartAreUnsettled) {
  expect_verdict(R"(
      . . X w . w X . . . . . .
      . . X w w X X . . . . . .
      . . X w w X X . . . . . .
      . . X w w w X . . . . . .
      . . X w . w X . . . . . .
      . . X w w w X . . . . . .
      . . X w w X X . . . . . .
      . . X w w X X . . . . . .
      . . X w b . X . . . . . .)");
}

// The seki on the right would give White threats for ever.
TEST(DeadStones, ABentFourKillsWhateverKoThreatsThereAre) {
  expect_verdict(R"(
      X X . o X . . X O . X O .
      X o o o X . . X O . X O .
      . o X X X . . X O O X O .
      o o X . . . . X X X O O .
      X X X . . . . . . X O . .
      . . . . . . . . . X O . .
      . . . . . . . . . X O . .
      . . . . . . . . . X O . .
      . . . . . . . . . X O . .
      . . . . . . . . . X O . .
      . . . . . . . . . X O . .
      . . . . . . . . . X O . .
      . . . . . . . . . X O . .)");
}

}  // namespace
}  // namespace tengen
