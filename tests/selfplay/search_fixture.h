#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/playout.h"
#include "rules/rng.h"
#include "selfplay/search.h"

namespace tengen {

inline Rules rules_of(int width, int height, double komi) {
  Rules rules;
  rules.size = {static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
  rules.komi = Komi::from_half_points(static_cast<int>(2 * komi));
  return rules;
}

inline Position position_of(std::string_view diagram, Color to_move, double komi) {
  const Board board = board_from_text(diagram);
  return Position(rules_of(board.size().width, board.size().height, komi), board, to_move);
}

inline Position random_position(const Rules& rules, int plies, std::uint64_t seed) {
  Position position(rules);
  Rng rng(seed, 99);
  for (int i = 0; i < plies; ++i) {
    const Move move = random_move(position, rng);
    if (move.is_pass()) break;
    position.play(move);
  }
  return position;
}

inline SearchOptions options_of(int visits, double gumbel_scale = 1) {
  SearchOptions options;
  options.visits = visits;
  options.gumbel_scale = gumbel_scale;
  return options;
}

inline int sum_of(const std::vector<int>& visits) {
  return std::accumulate(visits.begin(), visits.end(), 0);
}

inline void expect_same(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.move, b.move);
  EXPECT_EQ(a.policy, b.policy);
  EXPECT_EQ(a.prior, b.prior);
  EXPECT_EQ(a.visits, b.visits);
  EXPECT_EQ(a.win, b.win);
  EXPECT_EQ(a.utility, b.utility);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

// Answers by a function of the features; the symmetry is not looked at.
class FunctionEvaluator : public Evaluator {
 public:
  using Function = std::function<void(const Features&, Evaluation&)>;
  explicit FunctionEvaluator(Function function) : function_(std::move(function)) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      outputs[i] = Evaluation{};
      outputs[i].policy_logits.fill(0);
      function_(inputs[i].features, outputs[i]);
    }
  }
  int batch_size() const override { return 1; }
  std::string id() const override { return "function"; }

 private:
  Function function_;
};

}  // namespace tengen
