#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "nn/evaluator.h"
#include "nn/features.h"
#include "nn/net_model.h"

namespace tengen {

// Raw numbers of a network for one position, as its layers give them: for the side to move, in the
// board's own orientation.
struct RawOutputs {
  std::vector<std::vector<float>> policy;  // [K][area + 1]: points by BoardSize::index, then pass
  std::array<float, 3> value{};            // logits: win, loss, no result
  std::vector<float> misc;                 // [4 or 6], before scaling
  std::vector<float> ownership;            // [area], before tanh
};

// What a network says of positions.
using NetAnswers = std::function<std::vector<RawOutputs>(std::span<const EvaluationInput>)>;

// What they mean (KataGo's nneval.cpp). For the side to move; points are points of score, komi
// included.
struct NetOutputs {
  std::vector<float> policy_logits;      // [area + 1], not masked by legality
  std::vector<float> optimistic_logits;  // [area + 1], or empty: nets before version 12
  float win = 0, loss = 0, no_result = 0;
  float score_mean = 0;  // points, times 1 - no_result, as the next three
  float score_mean_square = 0;
  float lead = 0;
  float variance_time = -1;  // -1: the net does not say (version 8), as the errors
  float winloss_error = -1;
  float score_error = -1;
  std::vector<float> ownership;  // [area]: 1 own, -1 the opponent's
};

// Whether a game of these features can end without result: under simple ko and under territory
// scoring. Where it cannot, the logit of no result is left out.
bool can_have_no_result(const Features& features);
// How raw outputs become these depends on the model's version and scales.
NetOutputs net_outputs(const RawOutputs& raw, const NetModel& model, bool can_have_no_result);

}  // namespace tengen
