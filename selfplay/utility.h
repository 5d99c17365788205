#pragma once

#include <cmath>
#include <numbers>

namespace tengen {

// Utilities lie in [-1, 1], for the side to move: 1 is the best result there is.

// Points at which score_utility is one half, divided by the board's side (the root of its area):
// KataGo's scale of its static score utility (program/setup.cpp, staticScoreUtilityFactor).
inline constexpr double kScoreScale = 2.0;

// 2/pi * atan(score / (scale * sqrt(area))), KataGo's saturating score value
// (neuralnet/nninputs.cpp, whiteScoreValueOfScoreSmooth) with centre 0. Of an expected score it
// takes the mean alone and not, as KataGo does, the average over a distribution.
inline double score_utility(double score, int area) {
  return 2 / std::numbers::pi * std::atan(score / (kScoreScale * std::sqrt(area)));
}

// What a search maximises: (1 - w) * (win - loss) + w * score_utility(score). The shares sum to 1,
// so that sigma's c_scale means the same with and without score. A draw or no result is win = loss.
inline double utility_of(double win, double loss, double score, double score_weight, int area) {
  return (1 - score_weight) * (win - loss) + score_weight * score_utility(score, area);
}

}  // namespace tengen
