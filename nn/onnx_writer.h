#pragma once

#include <cstdint>
#include <string>

#include "nn/net_model.h"

namespace tengen {

// A network as an ONNX graph (opset 17), which computes RawOutputs of batches of boards in the
// top-left corners of canvases of any one size; nn/README.md has its inputs, outputs and metadata.

// Throws Error where the model does not pass validate or is too large for one ONNX file: protobuf
// has room for 2 GiB. That is known before anything is made of it.
std::string to_onnx(const NetModel& model);

// Bytes of the numbers in its file, by the widths of its layers: all but some hundred for each.
std::uint64_t onnx_weight_bytes(const NetModel& model);

}  // namespace tengen
