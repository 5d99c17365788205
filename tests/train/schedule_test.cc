#include "train/schedule.h"

#include <gtest/gtest.h>

namespace tengen {
namespace {

TEST(Schedule, WarmsUpLinearlyAndThenFollowsTheCosine) {
  TrainOptions options;
  options.learning_rate = 1e-3;
  options.final_learning_rate = 0.05;
  options.warmup_steps = 200;
  EXPECT_DOUBLE_EQ(learning_rate_at(0, 0, options), 1e-3 / 200);
  EXPECT_DOUBLE_EQ(learning_rate_at(99, 0, options), 1e-3 / 2);
  EXPECT_DOUBLE_EQ(learning_rate_at(199, 0, options), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate_at(5000, 0, options), 1e-3);
  EXPECT_NEAR(learning_rate_at(5000, 0.5, options), 1e-3 * (0.05 + 0.95 / 2), 1e-12);
  // cos(pi / 3) = 1/2.
  EXPECT_NEAR(learning_rate_at(5000, 1.0 / 3, options), 1e-3 * (0.05 + 0.95 * 0.75), 1e-12);
  EXPECT_NEAR(learning_rate_at(5000, 1, options), 5e-5, 1e-12);
  EXPECT_NEAR(learning_rate_at(5000, 1.7, options), 5e-5, 1e-12);
}

TEST(Schedule, NoWarmUpStartsAtTheFullRate) {
  TrainOptions options;
  options.warmup_steps = 0;
  EXPECT_DOUBLE_EQ(learning_rate_at(0, 0, options), options.learning_rate);
}

TEST(Schedule, TheAverageForgetsItsStartQuickly) {
  TrainOptions options;
  options.ema_decay = 0.9995;
  EXPECT_DOUBLE_EQ(ema_decay_at(0, options), 0.1);
  EXPECT_DOUBLE_EQ(ema_decay_at(80, options), 0.9);
  EXPECT_DOUBLE_EQ(ema_decay_at(1000000, options), 0.9995);
}

// The table of a small run: W_min = S = 30 k, beta 0.4, alpha 0.65.
TEST(Schedule, TheWindowGrowsAsTheSmallRunTableSays) {
  TrainOptions options;
  options.window_min = options.window_scale = 30000;
  options.window_slope = 0.4;
  options.window_exponent = 0.65;
  EXPECT_EQ(window_rows(1000, options), 1000);
  EXPECT_EQ(window_rows(30000, options), 30000);
  EXPECT_NEAR(window_rows(100000, options), 52000, 1000);
  EXPECT_NEAR(window_rows(300000, options), 94000, 1000);
  EXPECT_NEAR(window_rows(1000000, options), 192000, 1000);
  EXPECT_NEAR(window_rows(3000000, options), 380000, 2000);
}

TEST(Schedule, TheWindowGrowsAsKataGosShufflerDoes) {
  TrainOptions options;
  options.window_min = options.window_scale = 250000;
  options.window_slope = 0.4;
  options.window_exponent = 0.65;
  EXPECT_NEAR(window_rows(1000000, options), 475000, 2500);
  EXPECT_NEAR(window_rows(10000000, options), 1790000, 10000);
  EXPECT_NEAR(window_rows(100000000, options), 7650000, 30000);
}

}  // namespace
}  // namespace tengen
