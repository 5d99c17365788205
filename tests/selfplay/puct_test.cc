#include "selfplay/puct.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace tengen {
namespace {

// Expected numbers were worked out by hand from the formulas in the header's sources.

TEST(Puct, ScalingIsKataGosConstantTimesTheRootOfTheWeight) {
  PuctOptions options{.exploration = 1.1};
  EXPECT_NEAR(explore_scaling(options, 99.99, {}), 11, 1e-9);
  options = {.exploration = 1.0, .exploration_log = 0.45};  // KataGo's matches
  EXPECT_NEAR(explore_scaling(options, 500, {}), (1 + 0.45 * std::log(2)) * std::sqrt(500.01),
              1e-9);
}

TEST(Puct, ExplorationFollowsTheSpreadOfValues) {
  // Before anything is known, the prior's spread.
  EXPECT_EQ(stdev_factor({.mean = 0.3, .mean_square = 0.1, .weight = 1}, 0.85), 1);
  // mean 0, mean square 0.04, weight 101: variance (0.16 * 2 + 0.04 * 101) / 102.
  const double stdev = std::sqrt((0.32 + 4.04) / 102);
  EXPECT_NEAR(stdev_factor({.mean = 0, .mean_square = 0.04, .weight = 101}, 0.85),
              1 + 0.85 * (stdev / 0.4 - 1), 1e-12);
  // Values that are all the same leave the prior's part, whatever the mean: 0.32 / 1001.
  EXPECT_NEAR(stdev_factor({.mean = 0.9, .mean_square = 0.81, .weight = 1000}, 1),
              std::sqrt((0.97 * 2 + 0.81 * 1000) / 1001 - 0.81) / 0.4, 1e-9);
}

TEST(Puct, AVisitLessIsWhatTheInverseGives) {
  const double scaling = 7.3, prior = 0.2, utility = -0.1;
  for (const double weight : {0.0, 1.0, 5.5, 80.0}) {
    const double value = puct_value(utility, prior, weight, scaling);
    EXPECT_NEAR(wanted_weight(value, utility, prior, scaling), weight, 1e-9);
  }
  EXPECT_EQ(wanted_weight(5, utility, prior, scaling), 0);
  EXPECT_EQ(wanted_weight(-0.1, utility, prior, scaling), std::numeric_limits<double>::infinity());
}

TEST(Puct, FirstPlayUrgencyGoesFromTheNetworksValueToTheParentsLessTheReduction) {
  EXPECT_EQ(first_play_utility(0.5, -0.2, 0, 0.2, 2), -0.2);
  EXPECT_NEAR(first_play_utility(0.5, -0.2, 0.5, 0.2, 2),
              0.25 * 0.5 + 0.75 * -0.2 - 0.2 * std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(first_play_utility(0.5, -0.2, 1, 0.2, 2), 0.3, 1e-12);
}

TEST(Puct, ForcedPlayoutsAreTheRootOfTwicePriorTimesVisits) {
  EXPECT_NEAR(forced_weight(2, 0.08, 100), 4, 1e-12);
  EXPECT_EQ(forced_weight(0, 0.5, 100), 0);
}

TEST(Puct, FewVisitsHaveAWideBoundAndManyThatOfTheirStandardError) {
  // One visit: its prior has as much weight, the variance is 1e-8 + 1 / 2, of two samples.
  EXPECT_NEAR(lower_bound({.mean = 0.2, .mean_square = 0.04, .weight = 1}, 1, 5).radius,
              5 * std::sqrt(0.5 / 2), 1e-5);
  // 10,000 visits of variance 0.25: the prior does not count.
  const LowerBound many = lower_bound({.mean = 0.5, .mean_square = 0.5, .weight = 1e4}, 1e4, 5);
  EXPECT_NEAR(many.radius, 5 * std::sqrt(0.25 / 1e4), 1e-6);
  EXPECT_NEAR(many.bound, 0.5 - many.radius, 1e-12);
  // Unequal weights are fewer samples: weights 3 and 1 are 16 / 10 of them.
  const double prior = 4 / std::pow(1.6, 3);
  const double variance = 0.1 - 0.01 + prior / (4 + prior);
  const double samples = (4 + prior) * (4 + prior) / (10 + prior * prior);
  EXPECT_NEAR(lower_bound({.mean = 0.1, .mean_square = 0.1, .weight = 4}, 10, 2).radius,
              2 * std::sqrt(variance / samples), 1e-12);
}

TEST(Puct, TheBestBoundIsPreferredAmongMovesWithEnoughVisits) {
  std::vector<double> values = {100, 20, 14};
  prefer_best_bound(values, std::vector<LowerBound>{{0.1, 0.05}, {0.2, 0.1}, {0.9, 0.1}}, 0.15);
  EXPECT_EQ(values[0], 100);
  EXPECT_EQ(values[2], 14);  // below 15 of the most visits
  const double factor = (0.05 + 0.1) / (0.05 + 0.02);
  EXPECT_NEAR(values[1], 100 * factor * factor, 1e-9);
}

TEST(Puct, TheMostVisitedStaysIfItsBoundIsTheBest) {
  std::vector<double> values = {100, 20};
  prefer_best_bound(values, std::vector<LowerBound>{{0.3, 0.05}, {0.2, 0.1}}, 0.15);
  EXPECT_GE(values[0], 100);
  EXPECT_EQ(values[1], 20);
}

TEST(Puct, TemperaturesHalveOnALargerBoardLater) {
  EXPECT_EQ(temperature_at(1.25, 1.1, 19, 0, 361), 1.25);
  EXPECT_NEAR(temperature_at(1.25, 1.1, 19, 19, 361), 1.175, 1e-12);
  EXPECT_NEAR(temperature_at(1.25, 1.1, 19, 9, 81), 1.175, 1e-12);
  EXPECT_NEAR(temperature_at(0.75, 0.15, 19, 1000, 81), 0.15, 1e-12);
}

TEST(Puct, ATemperatureOfTwoTakesRoots) {
  std::vector<double> policy = {0.64, 0.36, 0};
  apply_temperature(policy, 2);
  EXPECT_NEAR(policy[0], 0.8 / 1.4, 1e-12);
  EXPECT_NEAR(policy[1], 0.6 / 1.4, 1e-12);
  EXPECT_EQ(policy[2], 0);
}

TEST(Puct, HalfOfTheNoiseIsUniformAndHalfGoesToMovesLikelierThanMost) {
  // Logarithms of 0.01 (cut), 0.01, 1e-4, 1e-4: two are above their mean by ln 10 each.
  const auto shape = dirichlet_shape(std::vector<double>{0.9898, 0.01, 1e-4, 1e-4});
  EXPECT_NEAR(shape[0], 0.5 * (0.5 + 0.25), 1e-9);
  EXPECT_NEAR(shape[1], 0.5 * (0.5 + 0.25), 1e-9);
  EXPECT_NEAR(shape[2], 0.125, 1e-9);
  for (const double s : dirichlet_shape(std::vector<double>(5, 0.2))) EXPECT_NEAR(s, 0.2, 1e-12);
}

TEST(Puct, DirichletNoiseHasItsMeanAndVariance) {
  // Of alphas a with sum c: mean a / c, variance (a / c) (1 - a / c) / (c + 1).
  const std::vector<double> prior = {0.9898, 0.01, 1e-4, 1e-4};
  const auto shape = dirichlet_shape(prior);
  constexpr double kConcentration = 3;
  constexpr int kDraws = 40000;
  std::vector<double> sum(4, 0), square(4, 0);
  Rng rng(5);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<double> policy = prior;
    add_dirichlet_noise(policy, kConcentration, 1, rng);
    EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-9);
    for (std::size_t a = 0; a < 4; ++a) sum[a] += policy[a], square[a] += policy[a] * policy[a];
  }
  for (std::size_t a = 0; a < 4; ++a) {
    const double mean = sum[a] / kDraws;
    const double variance = shape[a] * (1 - shape[a]) / (kConcentration + 1);
    EXPECT_NEAR(mean, shape[a], 5 * std::sqrt(variance / kDraws));
    EXPECT_NEAR(square[a] / kDraws - mean * mean, variance, 0.05 * variance);
  }
}

TEST(Puct, NoiseTakesItsShareOfThePrior) {
  std::vector<double> policy = {0.7, 0.2, 0.1};
  Rng rng(1);
  add_dirichlet_noise(policy, 10.83, 0.25, rng);
  EXPECT_GE(policy[0], 0.75 * 0.7);
  EXPECT_NEAR(policy[0] + policy[1] + policy[2], 1, 1e-12);
  EXPECT_NE(policy[0], 0.7);
}

TEST(Puct, CertainEvaluationsWeighUpToTheMaximum) {
  EXPECT_NEAR(uncertainty_weight(0, 0.25, 8), 8, 1e-12);
  EXPECT_NEAR(uncertainty_weight(0.25, 0.25, 8), 0.25 / (0.25 + 0.25 / 8), 1e-12);
}

}  // namespace
}  // namespace tengen
