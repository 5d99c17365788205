#pragma once

#include <span>
#include <vector>

#include "nn/evaluator.h"
#include "nn/net_outputs.h"
#include "nn/network.h"

namespace tengen {

// All heads of a network for positions on boards of any size, in fp32 on the network's device, one
// position at a time: for comparisons, not for speed.
std::vector<RawOutputs> raw_outputs(const Network& network,
                                    std::span<const EvaluationInput> inputs);

}  // namespace tengen
