#include "nn/cpu_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "naive_network.h"
#include "nn/reference_network.h"
#include "random_inputs.h"
#include "random_net_model.h"
#include "rules/rng.h"

namespace tengen {
namespace {

const std::vector<BoardSize> kMixed = {{9, 9}, {5, 5}, {7, 10}, {9, 4}, {2, 2}, {13, 13}, {1, 6}};

// Nets that have between them every kind of layer.
std::vector<RandomNetOptions> all_kinds() {
  RandomNetOptions old = lively_net(), mish = lively_net("np"), silu = lively_net("pno", 32),
                   identity = lively_net();
  old.stem_kernel = 1;
  old.version = 8;
  mish.activations = {Activation::kMish};
  mish.version = 15;
  silu.activations = {Activation::kSilu};
  silu.stem_kernel = 5;
  silu.version = 16;
  identity.activations = {Activation::kIdentity};
  return {lively_net(), old, mish, silu, identity};
}

std::vector<RawOutputs> outputs_of(CpuNetwork& network,
                                   const std::vector<EvaluationInput>& inputs) {
  std::vector<RawOutputs> outputs(inputs.size());
  network.compute(inputs, outputs);
  return outputs;
}

// All numbers in one row.
std::vector<float> flat(const RawOutputs& out) {
  std::vector<float> all(out.value.begin(), out.value.end());
  for (const auto& plane : out.policy) all.insert(all.end(), plane.begin(), plane.end());
  all.insert(all.end(), out.misc.begin(), out.misc.end());
  all.insert(all.end(), out.ownership.begin(), out.ownership.end());
  return all;
}

float largest_difference(const RawOutputs& a, const RawOutputs& b) {
  const auto x = flat(a), y = flat(b);
  EXPECT_EQ(x.size(), y.size());
  float largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

RandomNetOptions tileable(const char* blocks, int channels, int stem) {
  RandomNetOptions shape = lively_net(blocks, channels);
  shape.pooled = channels / 2;
  shape.stem_kernel = stem;
  shape.version = stem == 5 ? 15 : 11;
  return shape;
}

// Largest difference in probability of a move or a result.
float probability_difference(const RawOutputs& a, const RawOutputs& b) {
  const auto softmax = [](std::vector<float> x) {
    const float highest = *std::ranges::max_element(x);
    float sum = 0;
    for (float& v : x) sum += v = std::exp(v - highest);
    for (float& v : x) v /= sum;
    return x;
  };
  const auto difference = [&](const auto& x, const auto& y) {
    const auto p = softmax({x.begin(), x.end()}), q = softmax({y.begin(), y.end()});
    float largest = 0;
    for (std::size_t i = 0; i < p.size(); ++i) largest = std::max(largest, std::abs(p[i] - q[i]));
    return largest;
  };
  float largest = difference(a.value, b.value);
  for (std::size_t k = 0; k < a.policy.size(); ++k) {
    largest = std::max(largest, difference(a.policy[k], b.policy[k]));
  }
  return largest;
}

TEST(CpuNetwork, EveryPathOfThisMachineSaysWhatTheReferenceSays) {
  for (const auto& shape : {tileable("op", 16, 3), tileable("pon", 48, 5), tileable("opop", 64, 3),
                            tileable("n", 96, 1), tileable("o", 32, 7)}) {
    const auto model = std::make_shared<const NetModel>(random_net_model(3, shape));
    const auto inputs =
        random_inputs(56, {{9, 9}, {5, 5}, {7, 10}, {9, 4}, {2, 2}, {19, 19}, {1, 6}}, 1);
    const auto expected = outputs_of(*make_reference_network(model), inputs);
    const auto paths = available_cpu_paths(*model);
    EXPECT_GE(paths.size(), 2U);
    for (const CpuPath path : paths) {
      const auto outputs = outputs_of(*make_cpu_network(model, path), inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto about = std::string(name_of(path)) + ", " + std::to_string(shape.channels) +
                           " channels, position " + std::to_string(i);
        if (path == CpuPath::kAmx || path == CpuPath::kFp16) {
          EXPECT_LT(probability_difference(outputs[i], expected[i]), 0.05F) << about;
          EXPECT_LT(largest_difference(outputs[i], expected[i]), 0.2F) << about;
        } else {
          EXPECT_LT(largest_difference(outputs[i], expected[i]), 1e-4F) << about;
        }
      }
    }
  }
}

TEST(CpuNetwork, ReferenceSaysWhatPlainLoopsInDoubleSay) {
  for (const RandomNetOptions& shape : all_kinds()) {
    const auto model = std::make_shared<const NetModel>(random_net_model(3, shape));
    const auto network = make_reference_network(model);
    const auto inputs = random_inputs(14, kMixed, 1);
    const auto outputs = outputs_of(*network, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const RawOutputs expected = naive_outputs(*model, inputs[i]);
      EXPECT_LT(largest_difference(outputs[i], expected), 2e-5F)
          << shape.version << ", position " << i;
    }
  }
}

TEST(CpuNetwork, AnAnswerIsTheSameBitForBitAmongAnyNeighboursAndInAnyPlace) {
  const auto model = std::make_shared<const NetModel>(random_net_model(3, tileable("opo", 48, 3)));
  const auto inputs = random_inputs(80, kMixed, 1);
  std::vector<std::size_t> order(inputs.size());
  std::iota(order.begin(), order.end(), 0);
  Rng rng(7);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
  }
  order.resize(57);
  std::vector<EvaluationInput> shuffled;
  for (const std::size_t i : order) shuffled.push_back(inputs[i]);
  for (const CpuPath path : available_cpu_paths(*model)) {
    const auto network = make_cpu_network(model, path);
    const auto before = outputs_of(*network, inputs), after = outputs_of(*network, shuffled);
    const auto elsewhere = outputs_of(*make_cpu_network(model, path), shuffled);
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(flat(after[i]), flat(before[order[i]])) << name_of(path) << " " << i;
      EXPECT_EQ(flat(after[i]), flat(elsewhere[i])) << name_of(path) << " " << i;
    }
    for (const std::size_t i : {0, 1, 79}) {
      EXPECT_EQ(flat(outputs_of(*network, {inputs[i]})[0]), flat(before[i])) << name_of(path);
    }
  }
}

}  // namespace
}  // namespace tengen
