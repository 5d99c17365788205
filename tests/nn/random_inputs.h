#pragma once

#include <cstdint>
#include <vector>

#include "nn/evaluator.h"

namespace tengen {

// Positions of all ages of random games, each seen through a symmetry.
std::vector<EvaluationInput> random_inputs(int count, const std::vector<BoardSize>& sizes,
                                           std::uint64_t seed);

}  // namespace tengen
