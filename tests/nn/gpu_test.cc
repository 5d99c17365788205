#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "nn/batch_tensors.h"
#include "nn/net_evaluator.h"
#include "nn/play_network_cuda.h"
#include "random_features.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr BoardSize kMixed[] = {{9, 9}, {5, 5}, {7, 9}, {9, 4}};

std::vector<EvaluationInput> inputs_of(int count, int seed = 0) {
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < count; ++i) {
    const BoardSize size = kMixed[i % std::ssize(kMixed)];
    inputs.push_back({random_features(size, seed + i), Symmetry(i % Symmetry::count(size))});
  }
  return inputs;
}

std::shared_ptr<Network> shaken() {
  auto network = std::make_shared<Network>(network_shape("b2c32"), 4);
  shake(*network, 5);
  return network;
}

NetEvaluator evaluator_on(const std::string& device, const std::string& precision) {
  Calibration how;
  how.device = device;
  how.precision = precision;
  how.batch = 32;
  return {shaken(), "net", how, BoardSize::square(9)};
}

std::vector<Evaluation> answers(Evaluator& evaluator, const std::vector<EvaluationInput>& inputs) {
  std::vector<Evaluation> outputs(inputs.size());
  evaluator.evaluate(inputs, outputs);
  return outputs;
}

// The largest difference in logits and outcomes.
double difference(const std::vector<EvaluationInput>& inputs, const std::vector<Evaluation>& a,
                  const std::vector<Evaluation>& b) {
  double largest = 0;
  const auto see = [&largest](float x, float y) {
    largest = std::max(largest, std::abs(static_cast<double>(x) - y));
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int k = 0; k <= inputs[i].features.size.area(); ++k) {
      see(a[i].policy_logits[k], b[i].policy_logits[k]);
    }
    see(a[i].win, b[i].win);
    see(a[i].loss, b[i].loss);
    see(a[i].no_result, b[i].no_result);
  }
  return largest;
}

// start and finish in turn on two evaluators.
void expect_halves_equal_whole(NetEvaluator& a, NetEvaluator& b) {
  const auto first = inputs_of(45), second = inputs_of(7, 100);
  const auto of_first = answers(a, first), of_second = answers(b, second);
  std::vector<Evaluation> x(first.size()), y(second.size());
  for (int turn = 0; turn < 3; ++turn) {
    a.start(first);
    b.start(second);
    a.finish(x);
    a.start(first);
    b.finish(y);
    EXPECT_EQ(difference(first, x, of_first), 0);
    EXPECT_EQ(difference(second, y, of_second), 0);
    x.assign(x.size(), {});
    a.finish(x);
    EXPECT_EQ(difference(first, x, of_first), 0);
  }
}

TEST(NetEvaluator, StartAndFinishGiveWhatEvaluateGives) {
  NetEvaluator a = evaluator_on("cpu", "fp32"), b = evaluator_on("cpu", "fp32");
  EXPECT_FALSE(a.overlaps());
  expect_halves_equal_whole(a, b);
}

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU here";
    // TensorFloat-32 has ten bits of mantissa.
    at::globalContext().setAllowTF32CuDNN(false);
  }
  void TearDown() override { at::globalContext().setAllowTF32CuDNN(convolutions_); }

 private:
  bool convolutions_ = at::globalContext().allowTF32CuDNN();
};

TEST_F(Gpu, AnswersAreThoseOfTheCpu) {
  const auto inputs = inputs_of(77);
  NetEvaluator cpu = evaluator_on("cpu", "fp32");
  const auto expected = answers(cpu, inputs);
  NetEvaluator gpu = evaluator_on("cuda:0", "fp32");
  EXPECT_TRUE(gpu.overlaps());
  EXPECT_LE(difference(inputs, answers(gpu, inputs), expected), 1e-4);
  for (const char* precision : {"bf16", "fp16"}) {
    NetEvaluator rough = evaluator_on("cuda:0", precision);
    const auto found = answers(rough, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_NEAR(found[i].win, expected[i].win, 0.02) << precision;
    }
  }
}

TEST_F(Gpu, ReplayedGraphsGiveTheBitsOfPlainLaunches) {
  const auto network = shaken();
  for (const char* precision : {"fp32", "bf16", "fp16"}) {
    const auto recorded = make_cuda_play_network(*network, "cuda:0", precision, 32, 9);
    const auto plain = make_cuda_play_network(*network, "cuda:0", precision, 32, 9, false);
    for (int turn = 0; turn < 3; ++turn) {
      for (const int rows : {32, 16, 1}) {
        const auto inputs = inputs_of(rows, 40 * turn);
        std::vector<BoardSize> sizes;
        for (int i = 0; i < rows; ++i) {
          const auto& [features, symmetry] = inputs[static_cast<std::size_t>(i)];
          for (PlayNetwork* net : {recorded.get(), plain.get()}) {
            fill_input_row(features, symmetry, 9, net->planes(i), net->scalars(i));
          }
          sizes.push_back(features.size);
        }
        recorded->compute(sizes);
        plain->compute(sizes);
        for (int i = 0; i < rows; ++i) {
          EXPECT_TRUE(std::equal(plain->policy(i), plain->policy(i) + 82, recorded->policy(i)));
          EXPECT_TRUE(std::equal(plain->value(i), plain->value(i) + 3, recorded->value(i)));
        }
      }
    }
  }
}

TEST_F(Gpu, StartAndFinishGiveWhatEvaluateGives) {
  NetEvaluator a = evaluator_on("cuda:0", "fp32"), b = evaluator_on("cuda:0", "fp32");
  expect_halves_equal_whole(a, b);
}

TEST_F(Gpu, TwoThreadsDoNotDisturbEachOther) {
  const auto inputs = inputs_of(77);
  NetEvaluator alone = evaluator_on("cuda:0", "fp32");
  const auto expected = answers(alone, inputs);
  double differences[2] = {1, 1};
  {
    std::vector<std::jthread> threads;
    for (double& result : differences) {
      threads.emplace_back([&] {
        NetEvaluator evaluator = evaluator_on("cuda:0", "fp32");
        double largest = 0;
        for (int turn = 0; turn < 20; ++turn) {
          largest = std::max(largest, difference(inputs, answers(evaluator, inputs), expected));
        }
        result = largest;
      });
    }
  }
  EXPECT_EQ(differences[0], 0);
  EXPECT_EQ(differences[1], 0);
}

}  // namespace
}  // namespace tengen
