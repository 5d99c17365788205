#include "nn/net_ownership.h"

#include <cmath>
#include <utility>

namespace tengen {

NetOwnership::NetOwnership(NetAnswers answers, FeatureSchema features)
    : answers_(std::move(answers)), features_(features) {}

std::vector<float> NetOwnership::black_ownership(const Board& board, const Rules& rules) {
  const int symmetries = Symmetry::count(board.size());
  std::vector<EvaluationInput> inputs;
  for (const Color to_move : {Color::kBlack, Color::kWhite}) {
    const Features features = features_of(Position(rules, board, to_move), features_);
    for (int s = 0; s < symmetries; ++s) inputs.push_back({features, Symmetry(s)});
  }
  const auto answers = answers_(inputs);
  std::vector<float> black(static_cast<std::size_t>(board.size().area()), 0.F);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const bool is_black = i < static_cast<std::size_t>(symmetries);
    const float sign = is_black ? 1.F : -1.F;  // an answer is for the side to move
    for (std::size_t point = 0; point < black.size(); ++point) {
      black[point] +=
          sign * std::tanh(answers[i].ownership[point]) / static_cast<float>(answers.size());
    }
  }
  return black;
}

}  // namespace tengen
