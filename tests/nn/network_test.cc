#include "nn/network.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <set>

#include "nn/batch_tensors.h"
#include "nn/net_tensors.h"
#include "random_features.h"
#include "rules/check.h"

namespace tengen {
namespace {

using at::Tensor;

struct Rows {
  Tensor planes;   // [B, kPlanes, canvas, canvas], channels last in memory
  Tensor scalars;  // [B, kScalars]
};

Rows rows_of(const std::vector<Features>& features, int canvas) {
  const auto n = static_cast<std::int64_t>(features.size());
  const Tensor planes = at::empty({n, canvas, canvas, kPlanes}, at::kFloat);
  const Tensor scalars = at::empty({n, kScalars}, at::kFloat);
  for (std::int64_t i = 0; i < n; ++i) {
    fill_input_row(features[i], Symmetry(), canvas, planes[i].mutable_data_ptr<float>(),
                   scalars[i].mutable_data_ptr<float>());
  }
  return {planes.permute({0, 3, 1, 2}), scalars};
}

float largest_difference(const Tensor& a, const Tensor& b) {
  return (a - b).abs().max().item<float>();
}

TEST(NetworkShape, NamesAreReadAndWritten) {
  for (const char* name : {"b2c16", "b2c32", "b3c32", "b4c32", "b4c64", "b6c64", "b6c96", "b10c128",
                           "b15c192", "b18c384nbt"}) {
    EXPECT_EQ(name_of(network_shape(name)), name);
  }
}

TEST(NetworkShape, TheReceptiveFieldGrowsByTwoPointsABlock) {
  EXPECT_EQ(receptive_radius(network_shape("b2c16")), 5);
  EXPECT_EQ(receptive_radius(network_shape("b18c384nbt")), 1 + 18 * 4);
}

TEST(NetworkShape, AnUnknownNameGetsTheNearest) {
  try {
    network_shape("b4c63");
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "net size 'b4c63' is not known; the nearest is 'b4c64'");
  }
}

TEST(Network, HeadsHaveTheirShapes) {
  const Network network(network_shape("b2c16"), 1);
  const Rows rows = rows_of({random_features({5, 5}, 1), random_features({4, 3}, 2)}, 6);
  const auto heads = network.forward(rows.planes, rows.scalars);
  ASSERT_EQ(heads.size(), static_cast<std::size_t>(kHeadCount));
  EXPECT_EQ(heads[kPolicyHead].sizes(), at::IntArrayRef({2, 37}));
  EXPECT_EQ(heads[kOpponentPolicyHead].sizes(), at::IntArrayRef({2, 37}));
  EXPECT_EQ(heads[kValueHead].sizes(), at::IntArrayRef({2, 3}));
  EXPECT_EQ(heads[kOwnershipHead].sizes(), at::IntArrayRef({2, 6, 6}));
  EXPECT_EQ(heads[kScoreHead].sizes(), at::IntArrayRef({2, kScoreBins}));
  EXPECT_EQ(heads[kScoreMeanHead].sizes(), at::IntArrayRef({2}));
  EXPECT_EQ(heads[kShortTermValueHead].sizes(), at::IntArrayRef({2, kHorizons, 3}));
  EXPECT_EQ(heads[kMiscHead].sizes(), at::IntArrayRef({2, 6}));
  for (const Head head : {kScoreMeanHead, kScoreDeviationHead, kLeadHead}) {
    EXPECT_EQ(heads[head].sizes(), at::IntArrayRef({2}));
  }
  for (const Tensor& head : heads) {
    if (head.defined()) {
      EXPECT_EQ(head.scalar_type(), at::kFloat);
    }
  }
  EXPECT_FALSE(heads[kOptimisticPolicyHead].defined());
}

TEST(Network, PlayGetsTheHeadsThatItAsksFor) {
  NetworkShape shape = network_shape("b2c16");
  shape.has_optimistic = true;
  const Network network(shape, 1);
  const Rows rows = rows_of({random_features({5, 5}, 1)}, 5);
  const auto all = network.forward(rows.planes, rows.scalars);
  const auto play = network.forward(rows.planes, rows.scalars, ForwardMode::kPlay);
  for (const Head head : {kPolicyHead, kOptimisticPolicyHead, kValueHead, kMiscHead}) {
    EXPECT_TRUE(at::equal(all[head], play[head])) << head;
  }
  for (const Head head : {kShortTermValueHead, kScoreHead, kOwnershipHead}) {
    EXPECT_FALSE(play[head].defined()) << head;
  }
  EXPECT_TRUE(all[kOptimisticPolicyHead].defined());
}

TEST(Network, TheSameSeedGivesTheSameWeights) {
  const Network a(network_shape("b2c16"), 7), b(network_shape("b2c16"), 7),
      c(network_shape("b2c16"), 8);
  const auto of_a = a.parameters(), of_b = b.parameters(), of_c = c.parameters();
  std::set<std::string> names;
  std::int64_t count = 0;
  bool differs = false;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    EXPECT_TRUE(at::equal(of_a[i].second, of_b[i].second)) << of_a[i].first;
    differs |= !at::equal(of_a[i].second, of_c[i].second);
    EXPECT_TRUE(names.insert(of_a[i].first).second) << of_a[i].first;
    EXPECT_FALSE(of_a[i].second.requires_grad());
    count += of_a[i].second.numel();
  }
  EXPECT_TRUE(differs);
  EXPECT_EQ(a.parameter_count(), count);
}

TEST(Network, AFreshNetIsNearlyFlatAndEven) {
  for (const char* name : {"b3c32", "b6c64"}) {
    const Network network(network_shape(name), 3);
    std::vector<Features> features;
    for (int i = 0; i < 16; ++i) features.push_back(random_features({9, 9}, i));
    const Rows rows = rows_of(features, 9);
    const auto heads = network.forward(rows.planes, rows.scalars);
    EXPECT_LT(largest_difference(heads[kPolicyHead].softmax(1), at::full({16, 82}, 1.0 / 82)),
              0.02);
    EXPECT_LT((heads[kValueHead].softmax(1) - 1.0 / 3).abs().max().item<float>(), 0.2);
    EXPECT_LT(heads[kScoreMeanHead].abs().max().item<float>(), 15);
    EXPECT_GT(heads[kPolicyHead].std(1).min().item<float>(), 0.003);  // but not dead
  }
}

TEST(Network, MixedSizesInOneBatchEqualSingleSizes) {
  const Network network(network_shape("b4c32"), 5);
  shake(network, 1);
  constexpr BoardSize kSizes[] = {{9, 9}, {5, 5}, {7, 4}, {2, 2}, {6, 9}};
  std::vector<Features> all;
  for (int i = 0; i < 5; ++i) all.push_back(random_features(kSizes[i], i));
  const Rows rows = rows_of(all, 9);
  const auto mixed = network.forward(rows.planes, rows.scalars);
  for (int i = 0; i < 5; ++i) {
    const BoardSize size = kSizes[i];
    const int side = std::max(size.width, size.height);
    const Rows single = rows_of({all[i]}, side);
    const auto alone = network.forward(single.planes, single.scalars);
    for (const Head head : {kValueHead, kScoreHead, kScoreMeanHead}) {
      EXPECT_LT(largest_difference(mixed[head][i], alone[head][0]), 1e-4) << head << " row " << i;
    }
    for (const Head head : {kPolicyHead, kOpponentPolicyHead}) {
      EXPECT_LT(std::abs((mixed[head][i][81] - alone[head][0][side * side]).item<float>()), 1e-5);
      for (int row = 0; row < 9; ++row) {
        for (int column = 0; column < 9; ++column) {
          const float of_mixed = mixed[head][i][row * 9 + column].item<float>();
          if (size.contains(Point::at(row, column))) {
            EXPECT_NEAR(of_mixed, alone[head][0][row * side + column].item<float>(), 2e-5);
          } else {
            EXPECT_EQ(of_mixed, -1e4F);
          }
        }
      }
    }
    const Tensor own = mixed[kOwnershipHead][i];
    EXPECT_LT(
        largest_difference(own.narrow(0, 0, side).narrow(1, 0, side), alone[kOwnershipHead][0]),
        1e-5);
    EXPECT_EQ((own * (1 - rows.planes[i][0])).abs().max().item<float>(), 0.F);
  }
}

TEST(Network, WhatIsOffTheBoardHasNoGradientAndNoEffect) {
  const Network network(network_shape("b3c32"), 5);
  shake(network, 2);
  Rows rows = rows_of({random_features({5, 4}, 1), random_features({7, 7}, 2)}, 7);
  const Tensor off = 1 - rows.planes.narrow(1, 0, 1);
  const Tensor x = rows.planes.clone().requires_grad_(true);
  const auto heads = network.forward(x, rows.scalars);
  Tensor sum = at::zeros({});
  for (const Tensor& head : heads) {
    if (head.defined()) sum = sum + (head * head.detach().clamp(-10, 10)).sum();
  }
  sum.backward();
  // A convolution reads one point beyond the edge; the stem is the only layer to see the planes, so
  // what is two points off touches nothing.
  const Tensor far = off - at::max_pool2d(1 - off, 3, 1, 1).mul(off);
  const Tensor gradient = x.grad().narrow(1, 1, kPlanes - 1);  // plane 0 is the mask itself
  EXPECT_EQ((gradient * far).abs().max().item<float>(), 0.F);
  EXPECT_GT((gradient * (1 - off)).abs().max().item<float>(), 0.F);
}

// Every kind of part: nested blocks, another activation, hidden numbers before the pass.
NetworkShape rich_shape(NormKind norm) {
  NetworkShape shape = network_shape("b2c16");
  shape.blocks[0] = {ModelBlock::Kind::kNested,
                     8,
                     0,
                     {{ModelBlock::Kind::kPooling, 4, 4}, {ModelBlock::Kind::kOrdinary, 8}}};
  shape.stem_size = 5;
  shape.activation = Activation::kMish;
  shape.norm = norm;
  shape.has_pass_hidden = shape.has_optimistic = true;
  return shape;
}

class NetworkOfAnyShape : public ::testing::TestWithParam<NetworkShape> {};
INSTANTIATE_TEST_SUITE_P(Network, NetworkOfAnyShape,
                         ::testing::Values(network_shape("b2c16"), rich_shape(NormKind::kFixed),
                                           rich_shape(NormKind::kBatch)));

TEST_P(NetworkOfAnyShape, GradientsReachEveryParameterAndAreTheSlopes) {
  const Network network(GetParam(), 9);
  shake(network, 3);
  const Rows rows = rows_of({random_features({5, 5}, 1), random_features({4, 5}, 2)}, 5);
  const auto loss = [&] {
    const auto heads = network.forward(rows.planes, rows.scalars, ForwardMode::kTraining);
    Tensor optimistic = at::zeros({});
    if (heads[kOptimisticPolicyHead].defined()) {
      optimistic = heads[kOptimisticPolicyHead].log_softmax(1).select(1, 2).sum();
    }
    return optimistic + heads[kSoftPolicyHead].log_softmax(1).select(1, 1).sum() +
           heads[kShortTermValueHead].log_softmax(2).select(2, 0).sum() +
           heads[kPolicyHead].log_softmax(1).select(1, 3).sum() +
           heads[kOpponentPolicyHead].log_softmax(1).select(1, 0).sum() +
           heads[kValueHead].log_softmax(1).select(1, 1).sum() +
           heads[kOwnershipHead].square().sum() +
           heads[kScoreHead].log_softmax(1).select(1, kScoreBins / 2 + 3).sum() +
           heads[kMiscHead].square().sum();
  };
  for (const auto& [name, t] : network.parameters()) Tensor(t).requires_grad_(true);
  loss().backward();
  const at::NoGradGuard no_grad;
  for (const auto& [name, t] : network.parameters()) {
    ASSERT_TRUE(t.grad().defined()) << name;
    const double norm = t.grad().norm().item<double>();
    EXPECT_GT(norm, 1e-4) << name;
    if (norm < 0.1) continue;  // the loss's own rounding would hide the change
    // Along the gradient the loss changes by its squared norm.
    const Tensor step = t.grad() * (2e-3 / norm);
    t.add_(step);
    const double above = loss().item<double>();
    t.sub_(step, 2);
    const double below = loss().item<double>();
    t.add_(step);
    EXPECT_NEAR((above - below) / 4e-3 / norm, 1, 0.15) << name;
  }
}

TEST(Network, LearnsOneBatchByHeart) {
  const Network network(network_shape("b2c16"), 2);
  std::vector<Features> features;
  for (int i = 0; i < 16; ++i) features.push_back(random_features({5, 5}, 100 + i));
  const Rows rows = rows_of(features, 5);
  std::vector<Tensor> parameters;
  for (const auto& [name, t] : network.parameters()) {
    parameters.push_back(t);
    parameters.back().requires_grad_(true);
  }
  torch::optim::Adam optimizer(parameters, torch::optim::AdamOptions(5e-3));
  const Tensor moves = at::arange(16, at::kLong), results = at::arange(16, at::kLong) % 2,
               bins = kScoreBins / 2 - 8 + at::arange(16, at::kLong);
  Tensor loss;
  for (int step = 0; step < 150; ++step) {
    const auto heads = network.forward(rows.planes, rows.scalars);
    loss = at::cross_entropy_loss(heads[kPolicyHead], moves) +
           at::cross_entropy_loss(heads[kValueHead], results) +
           at::cross_entropy_loss(heads[kScoreHead], bins) * 0.1;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  const auto heads = network.forward(rows.planes, rows.scalars);
  EXPECT_TRUE(at::equal(heads[kPolicyHead].argmax(1), moves));
  EXPECT_TRUE(at::equal(heads[kValueHead].argmax(1), results));
  EXPECT_LT(loss.item<float>(), 0.5F);
}

TEST(Network, ACopySharesNothing) {
  const Network network(network_shape("b2c16"), 2);
  const Network copy = network.clone();
  const Rows rows = rows_of({random_features({5, 5}, 1)}, 5);
  const Tensor before = copy.forward(rows.planes, rows.scalars)[kPolicyHead];
  EXPECT_TRUE(at::equal(before, network.forward(rows.planes, rows.scalars)[kPolicyHead]));
  for (const auto& [name, t] : network.parameters()) t.add_(0.1);
  EXPECT_TRUE(at::equal(before, copy.forward(rows.planes, rows.scalars)[kPolicyHead]));
  EXPECT_FALSE(at::equal(before, network.forward(rows.planes, rows.scalars)[kPolicyHead]));
}

TEST(Network, ComputesInTheArithmeticOfItsInput) {
  const Network network(network_shape("b3c32"), 2);
  const Rows rows = rows_of({random_features({9, 9}, 1), random_features({9, 9}, 2)}, 9);
  const auto exact = network.forward(rows.planes, rows.scalars);
  const auto rough = network.forward(rows.planes.to(at::kBFloat16), rows.scalars.to(at::kBFloat16));
  for (int head = 0; head < kHeadCount; ++head) {
    if (head == kOptimisticPolicyHead) continue;  // this shape has none
    EXPECT_EQ(rough[head].scalar_type(), at::kFloat);
    EXPECT_FALSE(at::equal(exact[head], rough[head])) << head;
  }
  EXPECT_LT(largest_difference(exact[kPolicyHead].softmax(1), rough[kPolicyHead].softmax(1)), 0.01);
  EXPECT_LT(largest_difference(exact[kValueHead].softmax(1), rough[kValueHead].softmax(1)), 0.02);
}

TEST(Network, OperationsAreCountedPerLayer) {
  // b2c16: stem, one ordinary block, one with 8 of 16 channels pooled, heads of width 16, 16, 32.
  const double area = 25;
  const double convs = 9 * (22 * 16) + 9 * (16 * 16 + 16 * 16) + 9 * (16 * 16 + 8 * 16) +
                       16 * (16 + 16 + 16) + 16 * 1 + 16 * 1;
  const double matrices = 19 * 16 + 24 * 8 + 48 * 16 + 48 * 1 + 48 * 32 + 32 * 3 + 32 * 6;
  EXPECT_EQ(flop_per_evaluation(network_shape("b2c16"), 25), 2 * (convs * area + matrices));
}

// What the running statistics come to is what a batch normalises with, when it is always the same.
TEST(BatchNorm, PlayEqualsTrainingOnceTheStatisticsAreTheBatchs) {
  const Network network(rich_shape(NormKind::kBatch), 4);
  shake(network, 5);
  const Rows rows = rows_of({random_features({5, 5}, 1), random_features({4, 3}, 2)}, 5);
  const at::NoGradGuard no_grad;
  std::vector<Tensor> of_batch;
  const auto trained =
      network.forward(rows.planes, rows.scalars, ForwardMode::kTraining, &of_batch);
  const auto before = network.forward(rows.planes, rows.scalars);
  EXPECT_GT(largest_difference(trained[kPolicyHead], before[kPolicyHead]), 1e-3F);
  const auto running = network.statistics();
  ASSERT_EQ(of_batch.size(), running.size());
  for (std::size_t i = 0; i < running.size(); ++i) Tensor(running[i].second).copy_(of_batch[i]);
  const auto played = network.forward(rows.planes, rows.scalars);
  for (const Head head : {kPolicyHead, kValueHead, kOwnershipHead, kMiscHead, kScoreHead}) {
    EXPECT_LT(largest_difference(trained[head], played[head]), 1e-4F) << head;
  }
}

// Points beyond a smaller board are not part of the mean.
TEST(BatchNorm, StatisticsDoNotDependOnTheCanvas) {
  const Network network(rich_shape(NormKind::kBatch), 4);
  shake(network, 6);
  const std::vector features = {random_features({5, 5}, 1), random_features({4, 3}, 2)};
  std::vector<Tensor> small, large;
  const at::NoGradGuard no_grad;
  const Rows on_5 = rows_of(features, 5), on_9 = rows_of(features, 9);
  network.forward(on_5.planes, on_5.scalars, ForwardMode::kTraining, &small);
  network.forward(on_9.planes, on_9.scalars, ForwardMode::kTraining, &large);
  ASSERT_EQ(small.size(), large.size());
  for (std::size_t i = 0; i < small.size(); ++i) {
    EXPECT_LT(largest_difference(small[i], large[i]), 1e-4F) << network.statistics()[i].first;
  }
}

}  // namespace
}  // namespace tengen
