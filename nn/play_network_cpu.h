#pragma once

#include <memory>
#include <string>

#include "nn/play_network.h"

namespace tengen {

// The CPU's own way through a network: norms multiplied into the convolutions, oneDNN's
// convolutions with ReLU and addition fused in, plain loops for the rest (nn/README.md).
//
// nullptr if a block reads the trunk with a scale at or close below zero, which cannot be
// multiplied in; no net of ours comes there, a foreign one may. Throws UsageError for a precision
// other than fp32 and bf16.
std::unique_ptr<PlayNetwork> make_cpu_play_network(const Network& network,
                                                   const std::string& precision, int batch,
                                                   int canvas);

}  // namespace tengen
