#pragma once

#include "nn/cpu_network.h"

namespace tengen {

// A second opinion on what a NetModel computes: plain loops in double on a canvas with a mask, as
// the definition says it, and sharing nothing with nn/. The canvas is two points larger than the
// board on each axis, so that masks count.
RawOutputs naive_outputs(const NetModel& model, const EvaluationInput& input);

}  // namespace tengen
