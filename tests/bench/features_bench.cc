// Time of features_of, of its parts, of transformed and of the hash evaluator, on positions from
// the middle of random games.
#include <benchmark/benchmark.h>

#include <vector>

#include "nn/evaluator.h"
#include "nn/features.h"
#include "rules/ladder.h"
#include "rules/playout.h"

namespace tengen {
namespace {

std::vector<Position> middle_positions(int size) {
  std::vector<Position> positions;
  for (int game = 0; game < 64; ++game) {
    Rules rules;
    rules.size = BoardSize::square(size);
    positions.emplace_back(rules);
    Rng rng(1, game);
    play_random_game(positions.back(), rng, size * size * (game % 16 + 1) / 16);
  }
  return positions;
}

template <class Work>
void time_each(benchmark::State& state, const Work& work) {
  const auto positions = middle_positions(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(work(positions[i]));
    i = (i + 1) % positions.size();
  }
}

void bm_features(benchmark::State& state) {
  time_each(state, [](const Position& p) { return features_of(p, FeatureSchema::kV7NoLadders); });
}
void bm_features_with_ladders(benchmark::State& state) {
  time_each(state, [](const Position& p) { return features_of(p, FeatureSchema::kV7); });
}
void bm_ladders_of_one_board(benchmark::State& state) {
  time_each(state, [](const Position& p) { return read_ladders(p.board(), p.to_move()); });
}
void bm_ladders_of_three_boards(benchmark::State& state) {
  time_each(state, [](const Position& p) {
    const auto past = p.past_boards();
    return read_ladders(p.board(), p.to_move(), past);
  });
}
void bm_liberty_planes(benchmark::State& state) {
  time_each(state, [](const Position& p) { return p.board().stones_by_liberties(); });
}
void bm_ko_banned(benchmark::State& state) {
  time_each(state, [](const Position& p) { return p.ko_banned(); });
}
void bm_area(benchmark::State& state) {
  time_each(state, [](const Position& p) {
    return area_pass_dead_removed(p.board(), p.rules().multi_stone_suicide);
  });
}
void bm_transformed(benchmark::State& state) {
  const Features f = features_of(middle_positions(static_cast<int>(state.range(0))).back());
  for (auto _ : state) benchmark::DoNotOptimize(transformed(f, Symmetry(5)));
}
void bm_hash_evaluator(benchmark::State& state) {
  HashEvaluator hash(1);
  std::vector<Evaluation> answer(1);
  std::vector<EvaluationInput> inputs;
  for (const Position& p : middle_positions(static_cast<int>(state.range(0)))) {
    inputs.push_back({features_of(p), Symmetry()});
  }
  std::size_t i = 0;
  for (auto _ : state) {
    hash.evaluate({&inputs[i], 1}, answer);
    benchmark::DoNotOptimize(answer[0].win);
    i = (i + 1) % inputs.size();
  }
}

BENCHMARK(bm_features)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(bm_features_with_ladders)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(bm_ladders_of_one_board)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(bm_ladders_of_three_boards)->Arg(9)->Arg(13)->Arg(19);
BENCHMARK(bm_liberty_planes)->Arg(9)->Arg(19);
BENCHMARK(bm_ko_banned)->Arg(9)->Arg(19);
BENCHMARK(bm_area)->Arg(9)->Arg(19);
BENCHMARK(bm_transformed)->Arg(9)->Arg(19);
BENCHMARK(bm_hash_evaluator)->Arg(9)->Arg(19);

}  // namespace
}  // namespace tengen
