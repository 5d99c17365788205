// ONNX files in a build without libonnx: refused.

#include "nn/onnx_runner.h"
#include "nn/onnx_writer.h"
#include "rules/check.h"

namespace tengen {
namespace {

[[noreturn]] void refuse() {
  throw Error("this build of Tengen has no ONNX (TENGEN_ONNX is off); the whole program has");
}

}  // namespace

std::string to_onnx(const NetModel&) {
  refuse();
}

std::uint64_t onnx_weight_bytes(const NetModel&) {
  refuse();
}

std::vector<RawOutputs> run_onnx(std::string_view, std::span<const EvaluationInput>) {
  refuse();
}

}  // namespace tengen
