// Cost of the search beside the network: microseconds per simulation with the hash evaluator, on
// positions of all phases, and the memory of many games. `build/release/search_bench`. Subtract
// `features` (and `evaluator`), which a simulation needs once each, for the tree alone.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "nn/features.h"
#include "rules/playout.h"
#include "selfplay/search.h"
#include "selfplay/search_tree.h"

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
  options.algorithm = kSearchAlgorithms[static_cast<std::size_t>(state.range(2))];
  state.SetLabel(options.algorithm);
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
BENCHMARK(search)
    ->ArgsProduct({{9, 19}, {32, 64}, {0}})
    ->ArgsProduct({{9, 19}, {64, 400}, {1, 2}})
    ->ArgNames({"side", "visits", "algorithm"});

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// 1,000 games on 19x19 at once, all of whose searches have had their 64 visits: what the searches
// say they hold and by how much the process grew, in MiB. Edges and nodes, in bytes.
void memory(benchmark::State& state) {
  constexpr double kMiB = 1 << 20;
  const auto positions = positions_of_all_phases(19);
  SearchOptions options;
  options.visits = 64;
  options.algorithm = kSearchAlgorithms[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(options.algorithm);
  HashEvaluator evaluator(1);
  for (auto _ : state) {
    const double before = resident_bytes();
    std::vector<Search> searches;
    double held = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
      Search& search = searches.emplace_back(options, positions[i % positions.size()], i);
      EvaluationInput leaf;
      Evaluation answer;
      while (search.gather(leaf)) {
        evaluator.evaluate({&leaf, 1}, {&answer, 1});
        search.absorb(answer);
      }
      held += static_cast<double>(search.bytes());
    }
    state.counters["held MiB"] = held / kMiB;
    state.counters["grown MiB"] = (resident_bytes() - before) / kMiB;
  }
  state.counters["edge bytes"] = sizeof(Edge);
  state.counters["node bytes"] = sizeof(Node);
}
BENCHMARK(memory)
    ->Arg(0)
    ->Arg(1)
    ->ArgName("algorithm")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

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
