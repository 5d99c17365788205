#include "nn/net_evaluator.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <thread>

#include "nn/batch_tensors.h"
#include "nn/cpu_network.h"
#include "nn/devices.h"
#include "nn/net_outputs.h"
#include "nn/network_model.h"
#include "random_features.h"
#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

using at::Tensor;

constexpr BoardSize kMixed[] = {{9, 9}, {5, 5}, {7, 9}, {9, 4}, {2, 2}};

std::vector<EvaluationInput> inputs_of(int count, std::span<const BoardSize> sizes) {
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < count; ++i) {
    const BoardSize size = sizes[i % std::ssize(sizes)];
    inputs.push_back({random_features(size, i), Symmetry(i % Symmetry::count(size))});
  }
  return inputs;
}

std::shared_ptr<Network> shaken(const char* shape) {
  auto network = std::make_shared<Network>(network_shape(shape), 4);
  shake(*network, 5);
  return network;
}

Calibration how(const char* precision, int batch) {
  Calibration calibration;
  calibration.device = "cpu";
  calibration.precision = precision;
  calibration.batch = batch;
  return calibration;
}

std::vector<Evaluation> evaluate(Evaluator& evaluator, const std::vector<EvaluationInput>& inputs) {
  std::vector<Evaluation> outputs(inputs.size());
  evaluator.evaluate(inputs, outputs);
  return outputs;
}

bool same_bits(const Evaluation& a, const Evaluation& b, BoardSize size) {
  const auto same = [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  };
  for (int i = 0; i <= size.area(); ++i) {
    if (!same(a.policy_logits[i], b.policy_logits[i])) return false;
  }
  return same(a.win, b.win) && same(a.loss, b.loss) && same(a.no_result, b.no_result) &&
         same(a.score, b.score);
}

// What Network::forward says of one input, alone on a canvas of its own.
Evaluation reference(const Network& network, const EvaluationInput& input) {
  const BoardSize size = input.features.size;
  const int side = std::max(size.width, size.height);
  const Tensor planes = at::empty({1, side, side, kPlanes}, at::kFloat);
  const Tensor scalars = at::empty({1, kScalars}, at::kFloat);
  fill_input_row(input.features, input.symmetry, side, planes.mutable_data_ptr<float>(),
                 scalars.mutable_data_ptr<float>());
  const auto heads = network.forward(planes.permute({0, 3, 1, 2}), scalars);
  Evaluation e;
  for (int i = 0; i < size.area(); ++i) {
    const Point seen = input.symmetry.apply(size.point(i), size);
    e.policy_logits[i] = heads[kPolicyHead][0][seen.row() * side + seen.column()].item<float>();
  }
  e.policy_logits[size.area()] = heads[kPolicyHead][0][side * side].item<float>();
  Tensor logits = heads[kValueHead][0].clone();
  if (!can_have_no_result(input.features)) {
    logits[2] = -std::numeric_limits<float>::infinity();
  }
  const Tensor outcome = logits.softmax(0);
  e.win = outcome[0].item<float>();
  e.loss = outcome[1].item<float>();
  e.no_result = outcome[2].item<float>();
  e.score = heads[kScoreMeanHead][0].item<float>() * (1 - e.no_result);
  return e;
}

void expect_near(const Evaluation& a, const Evaluation& b, BoardSize size, float tolerance) {
  for (int i = 0; i <= size.area(); ++i) {
    ASSERT_NEAR(a.policy_logits[i], b.policy_logits[i], tolerance) << "move " << i;
  }
  EXPECT_NEAR(a.win, b.win, tolerance);
  EXPECT_NEAR(a.loss, b.loss, tolerance);
  EXPECT_NEAR(a.no_result, b.no_result, tolerance);
  EXPECT_NEAR(a.score, b.score, 20 * tolerance);
}

TEST(NetEvaluator, SaysWhatTheNetworkSaysOnBoardsOfAllSizesAndSymmetries) {
  for (const char* shape : {"b2c16", "b4c32", "b4c64"}) {
    const auto network = shaken(shape);
    NetEvaluator evaluator(network, "net", how("fp32", 8), BoardSize::square(9));
    EXPECT_EQ(evaluator.batch_size(), 8);
    EXPECT_EQ(evaluator.id(), "net");
    const auto inputs = inputs_of(19, kMixed);
    const auto outputs = evaluate(evaluator, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      expect_near(outputs[i], reference(*network, inputs[i]), inputs[i].features.size, 1e-4F);
    }
  }
}

TEST(NetEvaluator, Bf16IsCloseToFp32) {
  const auto network = std::make_shared<Network>(network_shape("b4c32"), 4);
  NetEvaluator exact(network, "net", how("fp32", 8), BoardSize::square(9));
  NetEvaluator rough(network, "net", how("bf16", 8), BoardSize::square(9));
  const auto inputs = inputs_of(20, kMixed);
  const auto a = evaluate(exact, inputs), b = evaluate(rough, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    expect_near(a[i], b[i], inputs[i].features.size, 0.03F);
    EXPECT_FALSE(same_bits(a[i], b[i], inputs[i].features.size));
  }
}

TEST(NetEvaluator, AnAnswerIsTheSameBitForBitAmongAnyNeighboursAndInAnyPlace) {
  for (const char* shape : {"b3c32", "b4c64"}) {
    const auto network = shaken(shape);
    for (const char* precision : {"fp32", "bf16"}) {
      for (const int batch : {16, 40}) {
        NetEvaluator evaluator(network, "net", how(precision, batch), BoardSize::square(9));
        const auto inputs = inputs_of(50, kMixed);
        const auto before = evaluate(evaluator, inputs);
        Rng rng(batch);
        std::vector<int> order(inputs.size());
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = order.size(); i > 1; --i) {
          std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
        }
        order.resize(33);  // other neighbours, some of them leftovers of the call before
        std::vector<EvaluationInput> shuffled;
        for (const int i : order) shuffled.push_back(inputs[i]);
        const auto after = evaluate(evaluator, shuffled);
        for (std::size_t i = 0; i < order.size(); ++i) {
          ASSERT_TRUE(same_bits(after[i], before[order[i]], shuffled[i].features.size))
              << shape << " " << precision << " batch " << batch << " row " << i;
        }
        for (const int i : {0, 1, 49}) {
          const auto alone = evaluate(evaluator, {inputs[i]});
          ASSERT_TRUE(same_bits(alone[0], before[i], inputs[i].features.size));
        }
      }
    }
  }
}

TEST(NetEvaluator, WhatIsLeftOfACallGoesIntoAShortBatchWithTheSameBits) {
  const auto network = shaken("b3c32");
  EvaluatorOptions options;
  options.device = "cpu";
  options.kernels = "libtorch";
  options.batch = 128;
  for (const char* precision : {"fp32", "bf16"}) {
    options.precision = precision;
    const Calibration chosen = calibrate(*network, options, BoardSize::square(9));
    if (chosen.short_batches.empty()) GTEST_SKIP() << "no smaller batch has the same bits here";
    NetEvaluator evaluator(network, "net", chosen, BoardSize::square(9));
    NetEvaluator whole(network, "net", how(precision, 128), BoardSize::square(9));
    for (const int rows : {1, 16, 17, 40, 100, 150}) {
      const auto inputs = inputs_of(rows, kMixed);
      const auto a = evaluate(evaluator, inputs), b = evaluate(whole, inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        ASSERT_TRUE(same_bits(a[i], b[i], inputs[i].features.size))
            << precision << ", row " << i << " of " << rows;
      }
    }
  }
}

TEST(NetEvaluator, EvaluatorsInManyThreadsAgree) {
  const auto network = shaken("b2c32");
  const auto inputs = inputs_of(24, kMixed);
  std::array<std::vector<Evaluation>, 3> outputs;
  std::vector<std::thread> threads;
  for (auto& mine : outputs) {
    threads.emplace_back([&] {
      NetEvaluator evaluator(network, "net", how("fp32", 8), BoardSize::square(9));
      mine = evaluate(evaluator, inputs);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_TRUE(same_bits(outputs[0][i], outputs[1][i], inputs[i].features.size));
    ASSERT_TRUE(same_bits(outputs[0][i], outputs[2][i], inputs[i].features.size));
  }
}

TEST(NetEvaluator, NegativeScalesAreComputedToo) {
  const auto network = shaken("b2c16");
  for (const auto& [name, t] : network->parameters()) {
    if (name == "block1.norm1.scale") t.neg_();
  }
  NetEvaluator evaluator(network, "net", how("fp32", 4), BoardSize::square(5));
  constexpr BoardSize kSmall[] = {{5, 5}, {4, 3}};
  const auto inputs = inputs_of(6, kSmall);
  const auto outputs = evaluate(evaluator, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    expect_near(outputs[i], reference(*network, inputs[i]), inputs[i].features.size, 1e-4F);
  }
}

TEST(NetEvaluator, AnAnswerThatIsNotFiniteIsAnError) {
  for (const float bad : {1e38F, std::numeric_limits<float>::quiet_NaN()}) {
    const auto network = shaken("b2c16");
    for (const auto& [name, t] : network->parameters()) {
      if (name == "block0.conv2") t.fill_(bad);
    }
    for (const char* precision : {"fp32", "bf16"}) {
      NetEvaluator evaluator(network, "net-7", how(precision, 4), BoardSize::square(5));
      constexpr BoardSize kSmall[] = {{5, 5}};
      try {
        evaluate(evaluator, inputs_of(1, kSmall));
        FAIL() << bad << " " << precision;
      } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "net net-7: its answer to a position is not finite");
      }
    }
  }
}

TEST(NetEvaluator, RefusesUnequalLengths) {
  NetEvaluator evaluator(shaken("b2c16"), "net", how("fp32", 4), BoardSize::square(5));
  constexpr BoardSize kSmall[] = {{5, 5}};
  const auto inputs = inputs_of(2, kSmall);
  std::vector<Evaluation> outputs(1);
  EXPECT_DEATH(evaluator.evaluate(inputs, outputs), "one output per input");
}

TEST(NetEvaluator, LeavesTheThreadsOfTheCallerAsTheyWere) {
  at::set_num_threads(2);
  NetEvaluator evaluator(shaken("b2c16"), "net", how("fp32", 4), BoardSize::square(5));
  EXPECT_EQ(evaluator.forward_only(), 4);
  EXPECT_EQ(at::get_num_threads(), 2);
  at::set_num_threads(1);
}

TEST(Calibration, ChoosesWhatItMeasuredAndAccepted) {
  const Network network(network_shape("b2c32"), 1);
  EvaluatorOptions options;
  options.device = "cpu";
  const Calibration chosen = calibrate(network, options, BoardSize::square(5));
  EXPECT_EQ(chosen.device, "cpu");
  double best = 0, rate = 0;
  for (const auto& t : chosen.timings) {
    EXPECT_GT(t.rows_per_s, 0);
    if (t.accepted) {
      EXPECT_LE(t.policy_difference, 0.02);
      EXPECT_LE(t.value_difference, 0.02);
      best = std::max(best, t.rows_per_s);
    }
    if (t.precision == chosen.precision && t.batch == chosen.batch) rate = t.rows_per_s;
  }
  EXPECT_GT(rate, 0.85 * best);
}

TEST(Calibration, TakesWhatTheOptionsFix) {
  const Network network(network_shape("b2c16"), 1);
  EvaluatorOptions options;
  options.device = "cpu";
  options.precision = "fp32";
  options.batch = 24;
  const Calibration chosen = calibrate(network, options, BoardSize{5, 4});
  EXPECT_EQ(chosen.precision, "fp32");
  EXPECT_EQ(chosen.batch, 24);
  for (const auto& timing : chosen.timings) {
    EXPECT_EQ(timing.precision, "fp32");
    EXPECT_EQ(timing.batch, 24);
  }
  options.kernels = "libtorch";
  EXPECT_EQ(calibrate(network, options, BoardSize{5, 4}).timings.size(), 1U);
}

// Whichever is chosen says what LibTorch says in fp32.
TEST(Calibration, OurOwnKernelsAreAsGood) {
  const auto network = shaken("b3c32");
  EvaluatorOptions options;
  options.device = "cpu";
  options.kernels = "own";
  const Calibration chosen = calibrate(*network, options, BoardSize::square(9));
  EXPECT_FALSE(chosen.cpu_path.empty());
  NetEvaluator evaluator(network, "net", chosen, BoardSize::square(9));
  const auto inputs = inputs_of(20, kMixed);
  const auto outputs = evaluate(evaluator, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_NEAR(outputs[i].win, reference(*network, inputs[i]).win, 0.01);
  }
  EXPECT_EQ(evaluator.forward_only(), chosen.batch);
}

TEST(Calibration, OwnKernelsThatDoNotKnowTheNetAreAnError) {
  NetworkShape shape = network_shape("b2c16");
  shape.activation = Activation::kMish;
  const Network network(shape, 1);
  EvaluatorOptions options;
  options.device = "cpu";
  options.kernels = "own";
  if (available_cpu_paths(net_model(network, "net")).size() == 1) {
    EXPECT_THROW(calibrate(network, options, BoardSize::square(5)), UsageError);
  }
  options.kernels = "auto";
  EXPECT_EQ(calibrate(network, options, BoardSize::square(5)).device, "cpu");
}

TEST(Calibration, RefusesAPrecisionThatDoesNotAgreeWithFp32) {
  const auto network = shaken("b2c16");
  for (const auto& [name, t] : network->parameters()) {
    if (name == "policy.conv2" || name == "value.value.weight") t.mul_(2000);
  }
  EvaluatorOptions options;
  options.device = "cpu";
  options.precision = "bf16";
  EXPECT_THROW(calibrate(*network, options, BoardSize::square(5)), Error);
  options.precision = "auto";
  EXPECT_EQ(calibrate(*network, options, BoardSize::square(5)).precision, "fp32");
}

TEST(Devices, AreThoseThatTheMachineHas) {
  EXPECT_EQ(resolve_devices("cpu"), std::vector<std::string>{"cpu"});
  EXPECT_EQ(resolve_devices("auto"), std::vector<std::string>{best_device()});
  for (const char* unknown : {"gpu", "cuda:77", ""}) {
    EXPECT_THROW(resolve_devices(unknown), UsageError) << unknown;
  }
  if (torch::cuda::is_available()) {
    EXPECT_EQ(resolve_devices("all"), device_names());
    EXPECT_EQ(resolve_device("cuda"), "cuda:0");
  } else {
    EXPECT_THROW(resolve_devices("all"), UsageError);
    EXPECT_THROW(resolve_devices("cuda"), UsageError);
  }
}

TEST(Calibration, RefusesWhatTheMachineHasNot) {
  const Network network(network_shape("b2c16"), 1);
  EvaluatorOptions options;
  options.device = "cuda:3";
  if (!torch::cuda::is_available()) {
    EXPECT_THROW(calibrate(network, options, BoardSize::square(5)), UsageError);
  }
  options.device = "cpu";
  options.precision = "fp16";
  if (std::ranges::count(available_cpu_paths(net_model(network, "net")), CpuPath::kFp16) == 0) {
    EXPECT_THROW(calibrate(network, options, BoardSize::square(5)), UsageError);
  } else {
    EXPECT_EQ(calibrate(network, options, BoardSize::square(5)).cpu_path, "fp16");
  }
}

}  // namespace
}  // namespace tengen
