#pragma once

#include <span>
#include <vector>

#include "nn/evaluator.h"
#include "nn/net_outputs.h"

namespace tengen {

// How far two networks' opinions of the same positions are apart, and positions to ask them about.

// `count` positions of random games, from the opening to the end, on the boards in turn, under
// three ko rules and many komi, seen through all symmetries. The same on every machine.
std::vector<EvaluationInput> game_positions(int count, std::span<const BoardSize> boards,
                                            FeatureSchema features);

// exp(logits), normalised.
std::vector<double> probabilities(std::span<const float> logits);

// What raw outputs for `inputs` mean: equal lengths, in order.
std::vector<NetOutputs> net_outputs(std::span<const RawOutputs> raw,
                                    std::span<const EvaluationInput> inputs, const NetModel& model);

// Largest differences, head by head.
struct OutputDifference {
  double policy = 0;     // of probabilities of the points and the pass
  double value = 0;      // of win, loss, no result
  double score = 0;      // points: mean, root of the mean square, lead
  double ownership = 0;  // between -1 and 1
};
// Equal lengths. A number that is not one counts as infinitely far.
OutputDifference largest_difference(std::span<const NetOutputs> a, std::span<const NetOutputs> b);

}  // namespace tengen
