#include "nn/net_versions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/error_of.h"
#include "tests/nn/random_net_model.h"

namespace tengen {
namespace {

NetModel relu_model(int version) {
  RandomNetOptions options{.version = version, .activations = {Activation::kRelu}};
  options.blocks.pop_back();  // the nested one
  NetModel model = random_net_model(7, options);
  model.scales = default_scales(version);
  return model;
}

TEST(NetVersions, AllButErrorsGoesToVersion8) {
  for (const int from : {9, 10, 11, 12, 13, 14}) {
    const NetModel model = relu_model(from);
    const NetModel eight = with_version(model, 8);
    EXPECT_EQ(eight.version, 8);
    EXPECT_EQ(eight.blocks, model.blocks);
    EXPECT_EQ(eight.value.value, model.value.value);
    ASSERT_EQ(eight.value.misc.out, 4);
    for (int row = 0; row < eight.value.misc.in; ++row) {
      for (int column = 0; column < 4; ++column) {
        EXPECT_EQ(eight.value.misc.weights[row * 4 + column],
                  model.value.misc.weights[row * 6 + column]);
      }
    }
    EXPECT_EQ(eight.value.misc_bias.weights.size(), 4U);
    const int planes = model.policy.channels();
    ASSERT_EQ(eight.policy.channels(), 1);
    for (int p = 0; p < eight.policy.conv2.in; ++p) {
      EXPECT_EQ(eight.policy.conv2.weights[p], model.policy.conv2.weights[p * planes]);
    }
    for (int row = 0; row < eight.policy.pass.in; ++row) {
      EXPECT_EQ(eight.policy.pass.weights[row], model.policy.pass.weights[row * planes]);
    }
  }
}

// The raw numbers that stand for the errors, through the formulas of each version.
TEST(NetVersions, ErrorsThatAreMissingBecomeConstants) {
  const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
  for (const int to : {10, 11, 12, 13, 14}) {
    const NetModel model = with_version(relu_model(8), to);
    ASSERT_EQ(model.value.misc.out, 6);
    for (std::size_t i = 0; i < model.value.misc.weights.size(); ++i) {
      EXPECT_TRUE(i % 6 < 4 || model.value.misc.weights[i] == 0);
    }
    const double w = model.value.misc_bias.weights[4];
    const double s = model.value.misc_bias.weights[5];
    const double score_scale = to < 13 ? 30 : 150;
    if (to < 14) {
      EXPECT_NEAR(std::sqrt(softplus(w) * 0.25), 0.25, 1e-6);
      EXPECT_NEAR(std::sqrt(softplus(s) * score_scale), 3, 1e-5);
    } else {
      EXPECT_NEAR(std::sqrt(std::pow(softplus(w / 2), 2) * 0.25), 0.25, 1e-6);
      EXPECT_NEAR(std::sqrt(std::pow(softplus(s / 2), 2) * score_scale), 3, 1e-5);
    }
    EXPECT_EQ(with_version(model, 8), relu_model(8));
  }
}

TEST(NetVersions, UpTheOptimisticPolicyIsThePolicy) {
  const NetModel model = relu_model(11);
  const NetModel twelve = with_version(model, 12);
  ASSERT_EQ(twelve.policy.channels(), 2);
  for (int p = 0; p < model.policy.conv2.in; ++p) {
    EXPECT_EQ(twelve.policy.conv2.weights[2 * p], model.policy.conv2.weights[p]);
    EXPECT_EQ(twelve.policy.conv2.weights[2 * p + 1], model.policy.conv2.weights[p]);
  }
  EXPECT_EQ(with_version(twelve, 11), model);
  const NetModel thirteen = with_version(model, 13);
  EXPECT_EQ(thirteen.scales.score_error.value, 30);
  EXPECT_EQ(with_version(thirteen, 11), model);
}

TEST(NetVersions, ValuesOfMovesAreLeftOut) {
  const NetModel model = random_net_model(3, {.version = 16});
  const NetModel fifteen = with_version(model, 15);
  EXPECT_EQ(fifteen.policy.channels(), 2);
  EXPECT_EQ(fifteen.policy.pass_hidden->matrix.out, 2);
  EXPECT_EQ(fifteen.policy.pass, model.policy.pass);
}

TEST(NetVersions, WhatAVersionCannotSayIsRefusedWithTheReason) {
  const auto refusal = [](const NetModel& model, int version) {
    const std::string error = error_of([&] { with_version(model, version); });
    return error.substr(std::min(error.size(), error.find("written as ") + 11));
  };
  EXPECT_EQ(refusal(random_net_model(1, {.activations = {Activation::kMish}}), 8),
            "version 8: activation 'tip.act' is not ReLU");
  EXPECT_EQ(refusal(random_net_model(1, {.activations = {Activation::kRelu}}), 8),
            "version 8: nested blocks came with version 11");
  NetModel fifteen = relu_model(15);
  fifteen.options = {};
  EXPECT_EQ(refusal(fifteen, 14), "version 14: its pass has no hidden layer");
  EXPECT_EQ(refusal(fifteen, 16), "version 16: nothing is converted up to it");
  fifteen.options[1] = 1;
  EXPECT_EQ(refusal(fifteen, 14),
            "version 14: it cannot ask for pass-alive areas under suicide rules");
  EXPECT_EQ(refusal(relu_model(14), 13),
            "version 13: the numbers of its short-term errors mean something else");
  EXPECT_EQ(refusal(relu_model(11), 14),
            "version 14: the numbers of its short-term errors mean something else");
  EXPECT_EQ(refusal(relu_model(13), 11), "version 11: its scales of outputs are fixed");
  NetModel scaled = relu_model(13);
  scaled.scales.lead = {21, {}};
  EXPECT_EQ(refusal(scaled, 8), "version 8: its scales of outputs are fixed");
  EXPECT_EQ(refusal(relu_model(8), 9), "version 9: nothing is converted up to it");
  EXPECT_EQ(refusal(relu_model(8), 7), "version 7: known are 8 to 16");
}

}  // namespace
}  // namespace tengen
