// Speed of the rules. `build/release/rules_bench`; sizes 9, 13 and 19. Beside the speed of random
// games stands the mean number of moves: 111.0, 219.3 and 455.4 say that the games are uniform.
//
// `rules_bench --compare [rounds [part of a name [instruction set]]]` drives the prototype (peer/)
// and ours in turn, on every instruction set, and prints medians of ratios taken in the same round:
// what a busy machine leaves of absolute figures is not worth much.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string_view>
#include <vector>

#include "rules/batch.h"
#include "rules/bench.h"
#include "rules/engine.h"
#include "rules/playout.h"
#include "rules/position.h"
#ifdef TENGEN_HAS_PEER
#include "peer/peer.h"
#endif

namespace tengen {
namespace {

Rules rules_for(const benchmark::State& state) {
  Rules rules;
  rules.size = BoardSize::square(static_cast<int>(state.range(0)));
  return rules;
}

void random_games(benchmark::State& state) {
  const Rules rules = rules_for(state);
  const Position start(rules);
  Rng rng(1);
  std::int64_t moves = 0;
  for (auto _ : state) {
    Position game = start;
    moves += play_random_game(game, rng, 10 * rules.size.area());
  }
  const auto total = static_cast<double>(moves);
  state.counters["moves/s"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  state.counters["moves/game"] = total / static_cast<double>(state.iterations());
}
BENCHMARK(random_games)->Arg(9)->Arg(13)->Arg(19);

// One question about a position, over the sample in turn.
template <class Ask>
void question(benchmark::State& state, Ask ask) {
  const auto positions = sample_positions(rules_for(state));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ask(positions[i]));
    i = i + 1 == positions.size() ? 0 : i + 1;
  }
}

void legal_without_superko(benchmark::State& state) {
  question(state, [](const Position& p) { return p.board().legal(p.to_move(), false, false); });
}
void legal_with_superko(benchmark::State& state) {
  question(state, [](const Position& p) { return p.legal_points(); });
}
void area_score(benchmark::State& state) {
  question(state, [](const Position& p) { return area(p.board()); });
}
void area_with_dead_stones(benchmark::State& state) {
  question(state, [](const Position& p) { return area_pass_dead_removed(p.board(), false); });
}
void pass_alive_of_both(benchmark::State& state) {
  question(state, [](const Position& p) { return p.is_all_pass_alive(); });
}
void stones_by_liberties(benchmark::State& state) {
  question(state, [](const Position& p) { return p.board().stones_by_liberties(); });
}
void copy_position(benchmark::State& state) {
  question(state, [](const Position& p) { return Position(p); });
}
void copy_and_play(benchmark::State& state) {
  Rng rng(1);
  question(state, [&](const Position& p) {
    Position next = p;
    play_random_game(next, rng, 1);
    return next.hash();
  });
}
BENCHMARK(legal_without_superko)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(legal_with_superko)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(area_score)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(area_with_dead_stones)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(pass_alive_of_both)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(stones_by_liberties)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(copy_position)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(copy_and_play)->Arg(9)->Arg(13)->Arg(19);

#ifdef TENGEN_HAS_PEER
double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

// Moves per second of `play`, which plays some.
template <class Play>
double peer_rate(double seconds, Play play) {
  const auto now = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double begin = now();
  double moves = 0;
  do {
    moves += static_cast<double>(play().moves);
  } while (now() - begin < seconds);
  return moves / (now() - begin);
}

struct Contest {
  const char* name;
  double goal;  // of the ratio
  double (*ours)(int size, double seconds, double& moves_per_game);
  double (*theirs)(int size, double seconds);
};

const std::vector<Contest> kContests = {
    {"random games", 1.45,
     [](int size, double seconds, double& moves_per_game) {
       const auto rate = measure_random_games(BoardSize::square(size), seconds, 1);
       moves_per_game = rate.moves_per_game;
       return rate.moves_per_s;
     },
     [](int size, double seconds) {
       return peer_rate(seconds, [&] { return peer::play_games(size, 40); });
     }},
    {"environment steps", 0.95,
     [](int size, double seconds, double&) { return measure_steps(size, 8, seconds); },
     [](int size, double seconds) {
       return peer_rate(seconds, [&] { return peer::play_steps(size, 40); });
     }},
    {"512 games in turn", 1,
     [](int size, double seconds, double&) { return measure_turns(size, 512, seconds); },
     [](int size, double seconds) {
       return peer_rate(seconds, [&] { return peer::play_in_turn(size, 512, 16); });
     }},
};

void compare(int rounds, std::string_view only, std::string_view only_set) {
  constexpr double kSeconds = 0.15;
  if (!peer::is_available()) {
    std::puts("The prototype needs AVX-512 with VBMI2, which this processor lacks: skipped.");
    return;
  }
  auto sets = available_instruction_sets();
  if (!only_set.empty()) {
    std::erase_if(sets, [&](InstructionSet set) {
      return kInstructionSetNames[static_cast<std::size_t>(set)] != only_set;
    });
  }
  for (const Contest& contest : kContests) {
    if (std::string_view(contest.name).find(only) == std::string_view::npos) continue;
    for (const int size : {9, 13, 19}) {
      std::vector<double> theirs;
      std::vector<std::vector<double>> ours(sets.size());
      std::vector<std::vector<double>> ratios(sets.size());
      double moves_per_game = 0;
      for (int round = 0; round < rounds; ++round) {
        theirs.push_back(contest.theirs(size, kSeconds));
        for (std::size_t i = 0; i < sets.size(); ++i) {
          use_instruction_set(sets[i]);
          ours[i].push_back(contest.ours(size, kSeconds, moves_per_game));
          ratios[i].push_back(ours[i].back() / theirs.back());
        }
      }
      std::printf("%-18s %2dx%-2d prototype %5.2f M/s", contest.name, size, size,
                  median(theirs) / 1e6);
      for (std::size_t i = sets.size(); i-- > 0;) {
        std::printf("; %s %5.2f, ratio %.3f",
                    kInstructionSetNames[static_cast<std::size_t>(sets[i])].data(),
                    median(ours[i]) / 1e6, median(ratios[i]));
      }
      std::printf("; goal %.2f", contest.goal);
      if (moves_per_game > 0) std::printf("; %.1f moves a game", moves_per_game);
      std::puts("");
      std::fflush(stdout);
    }
  }
}
#else
void compare(int, std::string_view, std::string_view) {
  std::puts("The prototype is made for x86-64 only: skipped.");
}
#endif

void print_table(double seconds) {
  print_heading(std::cout, measure_clock_ghz(0.1));
  measure_rules(seconds, [](const BenchRow& row) { print_row(std::cout, row); });
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--compare") {
    const auto argument = [&](int i) { return argc > i ? argv[i] : ""; };
    tengen::compare(argc > 2 ? std::atoi(argv[2]) : 9, argument(3), argument(4));
    return 0;
  }
  if (argc > 1 && std::string_view(argv[1]) == "--table") {  // what `tengen bench rules` prints
    tengen::print_table(argc > 2 ? std::atof(argv[2]) : 0.3);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
