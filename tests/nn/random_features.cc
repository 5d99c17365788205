#include "random_features.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "nn/network_outputs.h"
#include "rules/playout.h"

namespace tengen {
namespace {

// Small tensors: a second thread costs more than it gives, above all on a busy machine.
class OneThread : public ::testing::Environment {
  void SetUp() override { at::set_num_threads(1); }
};
[[maybe_unused]] const auto* const kOneThread = ::testing::AddGlobalTestEnvironment(new OneThread);

}  // namespace

Features random_features(BoardSize size, std::uint64_t seed) {
  Rules rules;
  rules.size = size;
  rules.komi = Komi::from_half_points(static_cast<int>(seed % 21) - 10);
  Position position(rules);
  Rng rng(seed);
  for (std::uint32_t ply = rng.below(static_cast<std::uint32_t>(size.area())); ply > 0; --ply) {
    if (!position.is_over()) position.play(random_move(position, rng));
  }
  return features_of(position);
}

void shake(const Network& network, std::uint64_t seed) {
  Rng rng(seed);
  const at::NoGradGuard no_grad;
  for (const auto& [name, t] : network.parameters()) {
    float* values = t.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < t.numel(); ++i) {
      if (t.dim() == 1) values[i] += static_cast<float>(0.1 * rng.normal());
    }
    if (name.find("conv2") != std::string::npos || name.find("pass") != std::string::npos ||
        (name.starts_with("value.") && !name.starts_with("value.bins"))) {
      t.mul_(3);
    }
  }
  for (const auto& [name, t] : network.statistics()) {
    float* values = t.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < t.numel(); ++i) {
      const auto x = static_cast<float>(rng.normal());
      values[i] = name.ends_with(".mean") ? 0.3F * x : std::exp(0.5F * x);
    }
  }
}

void spoil_by_rounding(const Network& network, std::span<const EvaluationInput> positions) {
  const at::NoGradGuard no_grad;
  for (const auto& [name, t] : network.parameters()) {
    if (name == "value.value.weight") t.mul_(1000);
  }
  const RawOutputs doubtful = raw_outputs(network, positions.subspan(4, 1)).at(0);
  for (const auto& [name, t] : network.parameters()) {
    if (name != "value.value.bias") continue;
    for (std::int64_t i = 0; i < 3; ++i) t[i] -= doubtful.value[static_cast<std::size_t>(i)];
  }
}

}  // namespace tengen
