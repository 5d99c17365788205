#include "rules/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tengen {
namespace {

constexpr int kDraws = 200000;

template <class Draw>
std::pair<double, double> mean_and_variance(Draw draw) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

// Published values: splitmix64 of 0 and 1234567, xoshiro256++ from the state {1, 2, 3, 4}.
TEST(Rng, FollowsThePublishedAlgorithms) {
  EXPECT_EQ(mix64(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(mix64(1234567), 6457827717110365317ULL);
  Rng rng(0);
  rng.set_state({1, 2, 3, 4});
  EXPECT_EQ(rng.next(), 41943041ULL);
  EXPECT_EQ(rng.next(), 58720359ULL);
  EXPECT_EQ(rng.next(), 3588806011781223ULL);
}

TEST(Rng, SameSeedSameNumbersAndStreamsDiffer) {
  Rng a(5, 1);
  Rng b(5, 1);
  Rng c(5, 2);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t x = a.next();
    EXPECT_EQ(x, b.next());
    seen.insert(x);
    seen.insert(c.next());
  }
  EXPECT_EQ(seen.size(), 2000U);
}

TEST(Rng, AStateGoesOnWhereItWasTaken) {
  Rng a(9);
  a.next();
  Rng b(0);
  b.set_state(a.state());
  EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, DistributionsHaveTheirMeanAndVariance) {
  Rng rng(3);
  const auto [normal, normal_variance] = mean_and_variance([&] { return rng.normal(); });
  EXPECT_NEAR(normal, 0, 0.01);
  EXPECT_NEAR(normal_variance, 1, 0.02);
  const auto [exponential, exponential_variance] =
      mean_and_variance([&] { return rng.exponential(); });
  EXPECT_NEAR(exponential, 1, 0.01);
  EXPECT_NEAR(exponential_variance, 1, 0.03);
  const auto [gumbel, gumbel_variance] = mean_and_variance([&] { return rng.gumbel(); });
  EXPECT_NEAR(gumbel, 0.5772157, 0.015);          // Euler's constant
  EXPECT_NEAR(gumbel_variance, 1.6449341, 0.04);  // pi^2 / 6
  const auto [uniform, uniform_variance] = mean_and_variance([&] { return rng.uniform(); });
  EXPECT_NEAR(uniform, 0.5, 0.005);
  EXPECT_NEAR(uniform_variance, 1.0 / 12, 0.002);
}

TEST(Rng, BelowIsEven) {
  Rng rng(4);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
  for (const int n : counts) EXPECT_NEAR(n, 10000, 400);
}

}  // namespace
}  // namespace tengen
