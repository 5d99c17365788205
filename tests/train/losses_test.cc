#include "train/losses.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "nn/network.h"
#include "rows.h"

namespace tengen {
namespace {

using at::Tensor;

// Bins that a score on a 3x3 board can lie in; the others do not count.
constexpr int kBins = 2 * (9 + 60);
constexpr int kFirstBin = (kScoreBins - kBins) / 2;

// Zero everywhere, as leaves, for `rows` rows on a canvas.
std::vector<Tensor> flat_outputs(int rows, int canvas) {
  const std::int64_t points = static_cast<std::int64_t>(canvas) * canvas;
  std::vector<Tensor> outputs(kHeadCount);
  outputs[kPolicyHead] = at::zeros({rows, points + 1});
  outputs[kOpponentPolicyHead] = at::zeros({rows, points + 1});
  outputs[kValueHead] = at::zeros({rows, 3});
  outputs[kShortTermValueHead] = at::zeros({rows, kHorizons, 3});
  outputs[kOwnershipHead] = at::zeros({rows, canvas, canvas});
  outputs[kScoreHead] = at::zeros({rows, kScoreBins});
  outputs[kSoftPolicyHead] = at::zeros({rows, points + 1});
  outputs[kSoftOpponentPolicyHead] = at::zeros({rows, points + 1});
  for (const Head head : {kScoreMeanHead, kScoreDeviationHead, kLeadHead}) {
    outputs[head] = at::zeros({rows});
  }
  for (Tensor& output : outputs) {
    if (output.defined()) output.requires_grad_(true);
  }
  return outputs;
}

LossSums sums_of(const Tensor& sums) {
  LossSums values;
  for (int i = 0; i < kLossSums; ++i) values[i] = sums[i].item<double>();
  return values;
}

std::vector<Tensor> tensors(const std::vector<Sample>& rows) {
  Batch batch;
  fill_batch(rows, batch);
  return to_tensors(batch, "cpu");
}

LossTerms terms_of(const std::vector<Tensor>& outputs, const std::vector<Tensor>& batch,
                   const TrainOptions& options = {}) {
  Tensor sums;
  losses(outputs, batch, options, &sums);
  return to_terms(sums_of(sums));
}

TEST(Losses, FlatOutputsGiveHandComputedLosses) {
  Sample row = random_row(BoardSize::square(3), 1);
  row.score = 2;  // between bins 1.5 and 2.5
  const LossTerms terms = terms_of(flat_outputs(1, 3), tensors({row}));
  EXPECT_NEAR(terms.policy, std::log(10), 1e-5);
  EXPECT_NEAR(terms.opponent_policy, std::log(10), 1e-5);
  EXPECT_NEAR(terms.value, std::log(3), 1e-5);
  EXPECT_NEAR(terms.ownership, std::log(2), 1e-5);
  EXPECT_NEAR(terms.score_pdf, std::log(kBins), 1e-4);
  EXPECT_NEAR(terms.score_mean, 2, 1e-5);  // 2^2 / 2
  EXPECT_NEAR(terms.lead, 2, 1e-5);
  EXPECT_NEAR(terms.soft_policy, std::log(10), 1e-5);
  EXPECT_NEAR(terms.short_term, std::log(3), 1e-5);
  // Uniform over kBins bins a point wide, against 0: beyond the threshold of 10 linear.
  const double deviation = std::sqrt((kBins * kBins - 1.0) / 12);
  EXPECT_NEAR(terms.score_deviation, 10 * (deviation - 5), 1e-2);

  double cdf = 0;
  for (int i = 0; i < kBins; ++i) {
    const double centre = i - kBins / 2 + 0.5;
    const double target = centre < 1 ? 0 : centre < 2 ? 0.5 : 1;
    cdf += std::pow((i + 1.0) / kBins - target, 2);
  }
  EXPECT_NEAR(terms.score_cdf, cdf, 1e-3);
}

TEST(Losses, FarScoresCountLinearly) {
  Sample row = random_row(BoardSize::square(3), 1);
  row.score = 20;
  const LossTerms terms = terms_of(flat_outputs(1, 3), tensors({row}));
  EXPECT_NEAR(terms.score_mean, 12 * (20 - 6), 1e-3);
}

TEST(Losses, TheScoreTargetIsSplitOverItsTwoBins) {
  for (const auto& [score, low, share] :
       {std::tuple(2.0F, 1.5F, 0.5), std::tuple(-0.5F, -0.5F, 1.0), std::tuple(0.0F, -0.5F, 0.5)}) {
    Sample row = random_row(BoardSize::square(3), 1);
    row.score = score;
    std::vector<Tensor> outputs = flat_outputs(1, 3);
    TrainOptions options;
    options.score_pdf_weight = 1;
    options.score_cdf_weight = options.score_deviation_weight = 0;
    losses(outputs, tensors({row}), options, nullptr).backward();
    // The gradient of a cross-entropy is probability minus target.
    const Tensor target =
        1.0 / kBins - outputs[kScoreHead].grad()[0].slice(0, kFirstBin, kFirstBin + kBins);
    const int bin = static_cast<int>(low + kBins / 2 - 0.5F);
    EXPECT_NEAR(target[bin].item<double>(), share, 1e-5);
    EXPECT_NEAR(target[bin + 1].item<double>(), 1 - share, 1e-5);
    EXPECT_NEAR(target.sum().item<double>(), 1, 1e-4);
  }
}

TEST(Losses, ScoresBeyondTheBoardsBinsCountAsTheLastOne) {
  Sample row = random_row(BoardSize::square(3), 1);
  std::vector<Tensor> outputs = flat_outputs(1, 3);
  const int last = kScoreBins / 2 + 9 + 60 - 1;  // the bin centred at area + 59.5
  outputs[kScoreHead].data().slice(1, last + 1, kScoreBins).fill_(-1e4);
  row.score = 69.5F + 200;
  const double beyond = terms_of(outputs, tensors({row})).score_pdf;
  row.score = 68.5F;
  EXPECT_NEAR(beyond, terms_of(outputs, tensors({row})).score_pdf, 1e-5);
}

TEST(Losses, TheTotalWeighsTermsRowsAndTargets) {
  std::vector<Sample> rows = random_rows(BoardSize::square(3), 2, 1);
  rows[0].weight = 0.1F;
  rows[1].policy_weight = 0;
  rows[1].opponent_policy.clear();
  rows[1].short_term_weight = 0;
  TrainOptions options;
  options.ownership_weight = options.score_pdf_weight = options.score_cdf_weight =
      options.score_mean_weight = options.score_deviation_weight = options.lead_weight = 0;
  const double total = losses(flat_outputs(2, 3), tensors(rows), options, nullptr).item<double>();
  const double policy = options.policy_weight * 0.1 * std::log(10);
  const double reply = options.opponent_policy_weight * 0.1 * std::log(10);
  const double value = options.value_weight * 1.1 * std::log(3);
  const double short_term = options.short_term_weight * kHorizons * 0.1 * std::log(3);
  EXPECT_NEAR(total, (policy + reply + value + short_term) / 2, 1e-5);
  const LossTerms terms = terms_of(flat_outputs(2, 3), tensors(rows), options);
  EXPECT_NEAR(terms.total, total, 1e-5);
  EXPECT_NEAR(terms.policy, std::log(10), 1e-5);  // the mean over the rows that have one
}

TEST(Losses, EachHorizonHasATargetOfItsOwn) {
  Sample row = random_row(BoardSize::square(3), 1);
  row.short_term[0] = {.win = 1};
  row.short_term[1] = {.win = 0.25F, .loss = 0.25F, .no_result = 0.5F};
  std::vector<Tensor> outputs = flat_outputs(1, 3);
  TrainOptions options;
  options.short_term_weight = 1;
  losses(outputs, tensors({row}), options, nullptr).backward();
  // The gradient of a cross-entropy is probability minus target.
  const Tensor target = 1.0 / 3 - outputs[kShortTermValueHead].grad()[0];
  const float expected[2][3] = {{1, 0, 0}, {0.25F, 0.25F, 0.5F}};
  for (int k = 0; k < kHorizons; ++k) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(target[k][i].item<double>(), expected[k][i], 1e-5);
  }
}

TEST(Losses, AResignedGameTrainsNeitherScoreNorOwnership) {
  std::vector<Sample> rows = random_rows(BoardSize::square(3), 2, 1);
  rows[1].score_weight = 0;
  const LossTerms one = terms_of(flat_outputs(1, 3), tensors({rows[0]}));
  const LossTerms both = terms_of(flat_outputs(2, 3), tensors(rows));
  for (const auto term : {&LossTerms::ownership, &LossTerms::score_pdf, &LossTerms::score_cdf,
                          &LossTerms::score_mean, &LossTerms::score_deviation, &LossTerms::lead}) {
    EXPECT_NEAR(both.*term, one.*term, 1e-5);
  }
}

TEST(Losses, NoGradientReachesThePointsOffTheBoard) {
  std::vector<Sample> rows = random_rows(BoardSize::square(3), 1, 1);
  rows.push_back(random_row(BoardSize::square(5), 2));
  std::vector<Tensor> outputs = flat_outputs(2, 5);
  for (const Head head : {kPolicyHead, kOpponentPolicyHead}) {  // as the network masks them
    const Tensor off_board = tensors(rows)[kBatchPlanes].select(1, 0).flatten(1) == 0;
    outputs[head].data().narrow(1, 0, 25).masked_fill_(off_board, -1e4);
  }
  losses(outputs, tensors(rows), {}, nullptr).backward();
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 5; ++x) {
      const bool on_board = y < 3 && x < 3;
      EXPECT_EQ(outputs[kPolicyHead].grad()[0][y * 5 + x].item<float>() != 0, on_board);
      EXPECT_EQ(outputs[kOpponentPolicyHead].grad()[0][y * 5 + x].item<float>() != 0, on_board);
      if (on_board) continue;
      EXPECT_EQ(outputs[kOwnershipHead].grad()[0][y][x].item<float>(), 0);
    }
  }
}

TEST(Losses, EntropyIsThatOfTheTargetsAndAccuracyThatOfTheBestMoves) {
  Sample row = random_row(BoardSize::square(2), 1);
  row.policy = {0.5F, 0.25F, 0.25F, 0, 0};
  std::vector<Tensor> outputs = flat_outputs(1, 2);
  const auto accuracy = [&] { return terms_of(outputs, tensors({row})).policy_accuracy; };
  EXPECT_NEAR(terms_of(outputs, tensors({row})).policy_entropy, 1.5 * std::log(2), 1e-6);
  outputs[kPolicyHead] = at::tensor({1.F, 0.F, 0.F, 0.F, 0.F}).unsqueeze(0);
  EXPECT_EQ(accuracy(), 1);
  outputs[kPolicyHead] = at::tensor({0.F, 1.F, 0.F, 0.F, 0.F}).unsqueeze(0);
  EXPECT_EQ(accuracy(), 0);
}

TEST(Losses, TheSoftPolicyIsLearnedAgainstTheFlattenedTarget) {
  Sample row = random_row(BoardSize::square(3), 1);
  std::fill(row.policy.begin(), row.policy.end(), 0.F);
  row.policy[0] = 0.8F;
  row.policy[9] = 0.2F;
  auto outputs = flat_outputs(1, 3);
  // Where the net says what the flattened target is, its gradient is nothing.
  std::vector<double> flat(10, std::pow(1e-7, kSoftExponent));
  flat[0] = std::pow(0.8 + 1e-7, kSoftExponent);
  flat[9] = std::pow(0.2 + 1e-7, kSoftExponent);
  for (int i = 0; i < 10; ++i) outputs[kSoftPolicyHead].data()[0][i] = std::log(flat[i]);
  TrainOptions options;
  options.soft_policy_weight = 8;
  losses(outputs, tensors({row}), options, nullptr).backward();
  EXPECT_LT(outputs[kSoftPolicyHead].grad().abs().max().item<float>(), 1e-5F);
  EXPECT_GT(outputs[kPolicyHead].grad().abs().max().item<float>(), 0.1F);
}

}  // namespace
}  // namespace tengen
