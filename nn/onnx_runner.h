#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "nn/evaluator.h"
#include "nn/net_outputs.h"

namespace tengen {

// Computes the bytes of nn/onnx_writer.h from what stands in them alone, node by node, by the ONNX
// standard's definitions of the operators that occur there (onnx/docs/Operators.md, opset 17): a
// check of what was written, slow. Positions one by one, seen through their symmetries, outputs
// turned back. Throws Error for what it cannot read or does not know.
std::vector<RawOutputs> run_onnx(std::string_view bytes, std::span<const EvaluationInput> inputs);

}  // namespace tengen
