// Rows per second of a network evaluator on one thread, by net, board, precision and batch: the
// bare forward pass, and answers to positions of all ages with their symmetries.
#include <benchmark/benchmark.h>

#include "nn/net_evaluator.h"
#include "nn/net_tensors.h"
#include "rules/playout.h"

namespace tengen {
namespace {

std::vector<EvaluationInput> inputs_of(int count, BoardSize size) {
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < count; ++i) {
    Rules rules;
    rules.size = size;
    Position position(rules);
    Rng rng(1, static_cast<std::uint64_t>(i));
    for (auto ply = rng.below(static_cast<std::uint32_t>(size.area())); ply > 0; --ply) {
      if (!position.is_over()) position.play(random_move(position, rng));
    }
    inputs.push_back({features_of(position), Symmetry(i % Symmetry::count(size))});
  }
  return inputs;
}

NetEvaluator evaluator_of(const char* net, BoardSize size, const char* precision, int batch) {
  Calibration how;
  how.device = "cpu";
  how.precision = precision;
  how.batch = batch;
  return {std::make_shared<Network>(network_shape(net), 1), net, how, size};
}

void set_rates(benchmark::State& state, const char* net, BoardSize size, int batch) {
  const double rows = static_cast<double>(state.iterations()) * batch;
  state.SetItemsProcessed(static_cast<std::int64_t>(rows));
  const double flop = flop_per_evaluation(network_shape(net), size.area());
  state.counters["flop/s"] = benchmark::Counter(rows * flop, benchmark::Counter::kIsRate);
}

void forward(benchmark::State& state, const char* net, int side, const char* precision) {
  const auto batch = static_cast<int>(state.range(0));
  const BoardSize size = BoardSize::square(side);
  NetEvaluator evaluator = evaluator_of(net, size, precision, batch);
  for (auto _ : state) evaluator.forward_only();
  set_rates(state, net, size, batch);
}

void evaluate(benchmark::State& state, const char* net, int side, const char* precision) {
  const auto batch = static_cast<int>(state.range(0));
  const BoardSize size = BoardSize::square(side);
  NetEvaluator evaluator = evaluator_of(net, size, precision, batch);
  const auto inputs = inputs_of(batch, size);
  std::vector<Evaluation> outputs(inputs.size());
  for (auto _ : state) evaluator.evaluate(inputs, outputs);
  set_rates(state, net, size, batch);
}

void register_net(const char* net, int side) {
  for (const char* precision : {"fp32", "bf16"}) {
    const std::string name = std::string(net) + "/" + std::to_string(side) + "/" + precision;
    benchmark::RegisterBenchmark(("forward/" + name).c_str(), forward, net, side, precision)
        ->RangeMultiplier(2)
        ->Range(16, 256);
    benchmark::RegisterBenchmark(("evaluate/" + name).c_str(), evaluate, net, side, precision)
        ->RangeMultiplier(2)
        ->Range(64, 128);
  }
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  tengen::register_net("b3c32", 5);
  tengen::register_net("b4c64", 9);
  tengen::register_net("b6c96", 19);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
