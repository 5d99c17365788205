#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "nn/evaluator.h"
#include "rules/playout.h"

namespace tengen {

// Positions of random games on boards of several sizes, each seen through some symmetry.
inline std::vector<EvaluationInput> game_inputs(int games, int plies = 30) {
  constexpr BoardSize kSizes[] = {{5, 5}, {9, 9}, {7, 10}, {19, 19}};
  std::vector<EvaluationInput> inputs;
  for (int game = 0; game < games; ++game) {
    Rules rules;
    rules.size = kSizes[game % 4];
    Position position(rules);
    Rng rng(11, static_cast<std::uint64_t>(game));
    for (int ply = 0; ply < plies && !position.is_over(); ++ply) {
      const auto count = static_cast<std::uint32_t>(Symmetry::count(rules.size));
      inputs.push_back({features_of(position), Symmetry(static_cast<int>(rng.below(count)))});
      position.play(random_move(position, rng));
    }
  }
  return inputs;
}

inline std::vector<Evaluation> answers_of(Evaluator& evaluator,
                                          const std::vector<EvaluationInput>& inputs) {
  std::vector<Evaluation> outputs(inputs.size());
  evaluator.evaluate(inputs, outputs);
  return outputs;
}

inline bool same_bits(const Evaluation& a, const Evaluation& b, BoardSize size) {
  const auto same = [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  };
  for (int i = 0; i <= size.area(); ++i) {
    if (!same(a.policy_logits[i], b.policy_logits[i])) return false;
  }
  return same(a.win, b.win) && same(a.loss, b.loss) && same(a.no_result, b.no_result) &&
         same(a.score, b.score);
}

}  // namespace tengen
