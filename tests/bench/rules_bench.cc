// Speed of the rules. `build/release/rules_bench`; sizes 9, 13 and 19. Beside the speed of random
// games stands the mean number of moves: 111.0, 219.3 and 455.4 say that the games are uniform.

#include <benchmark/benchmark.h>

#include <vector>

#include "rules/playout.h"
#include "rules/position.h"

namespace tengen {
namespace {

Rules rules_for(const benchmark::State& state) {
  Rules rules;
  rules.size = BoardSize::square(static_cast<int>(state.range(0)));
  return rules;
}

// Positions spread evenly over random games, so that single questions see all phases.
std::vector<Position> sample_positions(const Rules& rules) {
  constexpr int kGames = 12;
  std::vector<Position> positions;
  for (int game = 0; game < kGames; ++game) {
    Rng rng(1, game);
    Position position(rules);
    while (!position.is_over()) {
      play_random_game(position, rng, rules.size.area() / 10);
      positions.push_back(position);
    }
  }
  return positions;
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

}  // namespace
}  // namespace tengen
