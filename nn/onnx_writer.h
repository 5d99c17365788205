#pragma once

#include <filesystem>
#include <string>

#include "nn/net_model.h"

namespace tengen {

// A network as an ONNX graph (opset 17), which computes RawOutputs of batches of boards in the
// top-left corners of canvases of any one size; nn/README.md has its inputs, outputs and metadata.

// Throws Error where the model does not pass validate or is too large for one ONNX file (2 GiB).
std::string to_onnx(const NetModel& model);

// Durably (rules/durable_file.h).
void write_onnx(const std::filesystem::path& path, const NetModel& model);

}  // namespace tengen
