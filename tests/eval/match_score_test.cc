#include "eval/match_score.h"

#include <gtest/gtest.h>

namespace tengen {
namespace {

MatchScore score_of(std::array<int, 5> pairs) {
  MatchScore score;
  const double points[5][2] = {{0, 0}, {0, 0.5}, {0, 1}, {0.5, 1}, {1, 1}};
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < pairs[k]; ++i) score.add_pair(points[k][0], points[k][1]);
  }
  return score;
}

TEST(WilsonInterval, EqualsThePublishedValues) {
  // n = 100: the half width at 50 % is 9.6 %.
  const Interval even = wilson_interval(50, 100);
  EXPECT_NEAR(even.low, 0.40383, 1e-5);
  EXPECT_NEAR(even.high, 0.59617, 1e-5);
  const Interval high = wilson_interval(95, 100);
  EXPECT_NEAR(high.low, 0.88825, 1e-5);
  EXPECT_NEAR(high.high, 0.97846, 1e-5);
}

TEST(WilsonInterval, IsEverythingWithoutTrialsAndNeverLeavesZeroToOne) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
  EXPECT_NEAR(wilson_interval(10, 10).high, 1, 1e-12);
  EXPECT_NEAR(wilson_interval(10, 10).low, 0.72246, 1e-4);  // 10 / (10 + z^2)
}

TEST(WilsonIntervalOfPairs, CountsAPairThatOnlyWinsTogetherAsOneTrial) {
  const MatchScore score = score_of({10, 0, 0, 0, 10});
  const Interval games = wilson_interval(score), pairs = wilson_interval(10, 20);
  EXPECT_NEAR(games.low, pairs.low, 1e-12);
  EXPECT_NEAR(games.high, pairs.high, 1e-12);
}

TEST(WilsonIntervalOfPairs, IsNarrowerWhenOpeningsCancel) {
  const Interval together = wilson_interval(score_of({25, 0, 0, 0, 25}));
  const Interval independent = wilson_interval(score_of({12, 0, 26, 0, 12}));
  const Interval cancelling = wilson_interval(score_of({5, 0, 40, 0, 5}));
  EXPECT_GT(together.high, independent.high);
  EXPECT_GT(independent.high, cancelling.high);
  // Independent games: as 100 trials, but for the virtual pair.
  EXPECT_NEAR(independent.high, wilson_interval(50, 100).high, 0.003);
}

TEST(WilsonIntervalOfPairs, OfAnAllWonMatchCountsPairs) {
  const Interval interval = wilson_interval(score_of({0, 0, 0, 0, 20}));
  EXPECT_NEAR(interval.low, wilson_interval(20, 20).low, 1e-12);
}

TEST(Elo, OfKnownShares) {
  EXPECT_DOUBLE_EQ(elo_of_share(0.5), 0);
  EXPECT_NEAR(elo_of_share(0.75), 190.85, 0.01);  // 400 log10(3)
  EXPECT_NEAR(elo_of_share(0.25), -190.85, 0.01);
  EXPECT_NEAR(elo_of_share(10.0 / 11.0), 400, 1e-9);
  EXPECT_EQ(elo_of_share(1), 1200);
  EXPECT_EQ(elo_of_share(0), -1200);
  EXPECT_NEAR(share_of_elo(35), 0.550199, 1e-6);
  EXPECT_NEAR(elo_of_share(share_of_elo(123)), 123, 1e-9);
}

TEST(SprtLlr, EqualsTheFormulaByHand) {
  // Ten split pairs: mean 1/2, variance (0.5 * 0.25 + 0.5 * 0.25) / 11 with the virtual pairs;
  // s1 = 0.550199: 10 * 0.050199 * (1 - 1.050199) / (2 * 0.0227273) = -0.5544.
  EXPECT_NEAR(sprt_llr(score_of({0, 0, 10, 0, 0}), 0, 35), -0.5544, 1e-4);
  // 16 pairs: mean 10.5 / 17, variance 8 / 17 - mean^2 = 0.0891003:
  // 16 * 0.050199 * (1.235294 - 1.050199) / 0.1782007 = 0.8343.
  EXPECT_NEAR(sprt_llr(score_of({1, 2, 4, 6, 3}), 0, 35), 0.8343, 1e-3);
}

TEST(SprtLlr, SaysNothingWithoutGamesAndIsFiniteForOneSidedMatches) {
  EXPECT_EQ(sprt_llr({}, 0, 35), 0);
  EXPECT_GT(sprt_llr(score_of({0, 0, 0, 0, 50}), 0, 35), 2.944);
  EXPECT_LT(sprt_llr(score_of({50, 0, 0, 0, 0}), 0, 35), -2.944);
}

TEST(SprtLlr, OfTheOtherSideIsTheNegativeForMirroredHypotheses) {
  const MatchScore ours = score_of({3, 1, 10, 2, 9}), theirs = score_of({9, 2, 10, 1, 3});
  EXPECT_NEAR(sprt_llr(ours, -20, 20), -sprt_llr(theirs, -20, 20), 1e-12);
}

TEST(MatchScore, CountsGamesAndPairs) {
  const MatchScore score = score_of({1, 1, 1, 1, 2});
  EXPECT_EQ(score.games(), 12);
  EXPECT_EQ(score.wins, 6);
  EXPECT_EQ(score.draws, 2);
  EXPECT_EQ(score.losses, 4);
  EXPECT_EQ(score.pair_count(), 6);
  EXPECT_DOUBLE_EQ(score.share(), 7.0 / 12);
}

TEST(MatchScore, IsPrintedInPlainWords) {
  EXPECT_EQ(to_text(score_of({0, 0, 50, 0, 0})),
            "50 wins, 0 draws, 50 losses: 50.0 % (95 %: 48.1 to 51.9), Elo +0");
  EXPECT_TRUE(to_text(score_of({0, 0, 0, 0, 10})).ends_with("Elo above +1200"));
  EXPECT_TRUE(to_text(score_of({10, 0, 0, 0, 0})).ends_with("Elo below -1200"));
}

}  // namespace
}  // namespace tengen
