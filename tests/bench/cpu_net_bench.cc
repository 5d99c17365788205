// Evaluations a second of networks on one core without LibTorch, by net, board and path; the paths
// of a line are timed in turn, so that their ratio holds on a busy machine too. CPU time of the
// thread; the best of several rounds.
//
//   cpu_net_bench [NET or FILE.bin.gz [SIDE]]...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../nn/random_inputs.h"
#include "../nn/random_net_model.h"
#include "nn/cpu_evaluator.h"
#include "nn/kata_net_reader.h"
#include "nn/network_shape.h"
#include "nn/thread_clock.h"

namespace tengen {
namespace {

constexpr int kBatch = 64;
constexpr int kRounds = 5;

NetModel model_of(const std::string& net) {
  if (net.find(".bin") != std::string::npos) return read_kata_net(net);
  const NetworkShape shape = network_shape(net);
  RandomNetOptions random = lively_net("", shape.channels);
  for (const BlockShape& block : shape.blocks) {
    random.blocks.push_back(block.kind);
    random.pooled = std::max(random.pooled, block.pooled);
  }
  random.policy = random.policy_pooled = shape.policy_channels;
  random.value = shape.value_channels;
  random.hidden = shape.value_hidden;
  return random_net_model(1, random);
}

// Of the convolutions that the definition asks for, multiplication and addition apart.
double flop_of(const NetModel& model, int area) {
  double weights = 0;
  const auto add = [&](const ConvLayer& conv) {
    weights += static_cast<double>(conv.weights.size());
  };
  const auto add_block = [&](const auto& self, const ModelBlock& block) -> void {
    add(block.conv1);
    add(block.conv2);
    if (block.pooling) add(block.pooling->conv);
    for (const ModelBlock& inner : block.inner) self(self, inner);
  };
  add(model.stem);
  for (const ModelBlock& block : model.blocks) add_block(add_block, block);
  for (const ConvLayer* conv : {&model.policy.conv1, &model.policy.pooling.conv,
                                &model.policy.conv2, &model.value.conv1, &model.value.ownership}) {
    add(*conv);
  }
  return 2 * weights * area;
}

struct Timed {
  CpuPath path;
  std::unique_ptr<CpuEvaluator> evaluator;
  int calls = 1;        // of a round
  double best_s = 1e9;  // of a call
};

double seconds_of(Timed& timed, const std::vector<EvaluationInput>& inputs,
                  std::vector<Evaluation>& outputs) {
  const double start = thread_cpu_s();
  for (int i = 0; i < timed.calls; ++i) timed.evaluator->evaluate(inputs, outputs);
  return (thread_cpu_s() - start) / timed.calls;
}

void run(const std::string& net, int side) {
  const auto model = std::make_shared<const NetModel>(model_of(net));
  const auto inputs = random_inputs(kBatch, {BoardSize::square(side)}, 1);
  std::vector<Evaluation> outputs(inputs.size());
  std::vector<Timed> paths;
  for (const CpuPath path : available_cpu_paths(*model)) {
    Timed& timed =
        paths.emplace_back(Timed{path, std::make_unique<CpuEvaluator>(model, net, path)});
    const double once_s = seconds_of(timed, inputs, outputs);
    timed.calls = std::max(1, static_cast<int>(0.05 / once_s));
  }
  for (int round = 0; round < kRounds; ++round) {
    for (Timed& timed : paths) {
      timed.best_s = std::min(timed.best_s, seconds_of(timed, inputs, outputs));
    }
  }
  const double flop = flop_of(*model, side * side) * kBatch;
  for (const Timed& timed : paths) {
    const double peak = peak_flop_per_s(timed.path), rate = flop / timed.best_s;
    std::printf("%-8.8s %2d  %-9s %9.0f evaluations/s %8.1f GFLOP/s", net.c_str(), side,
                std::string(name_of(timed.path)).c_str(), kBatch / timed.best_s, rate * 1e-9);
    if (peak > 0) std::printf("  %4.0f %% of %.0f", 100 * rate / peak, peak * 1e-9);
    std::printf("  x %.2f\n", paths.front().best_s / timed.best_s);
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  std::vector<std::pair<std::string, int>> runs;
  for (int i = 1; i < argc; ++i) {
    if (std::isdigit(argv[i][0]) != 0 && !runs.empty()) {
      runs.back().second = std::atoi(argv[i]);
    } else {
      runs.emplace_back(argv[i], 9);
    }
  }
  if (runs.empty()) {
    for (const char* net : {"b2c16", "b2c32", "b3c32", "b4c32", "b4c64", "b6c64", "b6c96"}) {
      for (const int side : {9, 13, 19}) runs.emplace_back(net, side);
    }
  }
  for (const auto& [net, side] : runs) tengen::run(net, side);
}
