// Cost of the search beside the network: microseconds per simulation with the hash evaluator, on
// positions of all phases. `build/release/search_bench`. Subtract `features` (and `evaluator`),
// which a simulation needs once each, for the tree alone.

#include <benchmark/benchmark.h>

#include <vector>

#include "nn/features.h"
#include "rules/playout.h"
#include "selfplay/search.h"

namespace tengen {
namespace {

std::vector<Position> positions_of_all_phases(int side) {
  constexpr int kPositions = 64;
  Rules rules;
  rules.size = BoardSize::square(side);
  std::vector<Position> positions;
  for (int i = 0; i < kPositions; ++i) {
    Rng rng(static_cast<std::uint64_t>(i));
    Position position(rules);
    play_random_game(position, rng, i * rules.size.area() / kPositions);
    positions.push_back(position);
  }
  return positions;
}

void per_simulation(benchmark::State& state, std::int64_t simulations) {
  state.counters["us/simulation"] =
      benchmark::Counter(static_cast<double>(simulations) * 1e-6,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void search(benchmark::State& state) {
  const auto positions = positions_of_all_phases(static_cast<int>(state.range(0)));
  SearchOptions options;
  options.visits = static_cast<int>(state.range(1));
  HashEvaluator evaluator(1);
  Search search(options, positions[0], 0);
  EvaluationInput leaf;
  Evaluation answer;
  std::int64_t simulations = 0;
  std::size_t searches = 0;
  for (auto _ : state) {
    search.reset(options, positions[searches++ % positions.size()], 1);
    while (search.gather(leaf)) {
      evaluator.evaluate({&leaf, 1}, {&answer, 1});
      search.absorb(answer);
    }
    benchmark::DoNotOptimize(search.result());
    simulations += options.visits;
  }
  per_simulation(state, simulations);
}
BENCHMARK(search)->ArgsProduct({{9, 19}, {32, 64}})->ArgNames({"side", "visits"});

void features(benchmark::State& state) {
  const auto positions = positions_of_all_phases(static_cast<int>(state.range(0)));
  std::int64_t calls = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        features_of(positions[static_cast<std::size_t>(calls++) % positions.size()]));
  }
  per_simulation(state, calls);
}
BENCHMARK(features)->Arg(9)->Arg(19);

void evaluator(benchmark::State& state) {
  const auto positions = positions_of_all_phases(static_cast<int>(state.range(0)));
  HashEvaluator hash(1);
  const EvaluationInput leaf{features_of(positions[32]), Symmetry()};
  Evaluation answer;
  std::int64_t calls = 0;
  for (auto _ : state) {
    hash.evaluate({&leaf, 1}, {&answer, 1});
    benchmark::DoNotOptimize(answer);
    ++calls;
  }
  per_simulation(state, calls);
}
BENCHMARK(evaluator)->Arg(9)->Arg(19);

}  // namespace
}  // namespace tengen
