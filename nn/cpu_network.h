#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "nn/evaluator.h"
#include "nn/net_model.h"
#include "nn/net_outputs.h"

namespace tengen {

// A network computed on the CPU, without LibTorch, on the calling thread.
class CpuNetwork {
 public:
  virtual ~CpuNetwork() = default;
  // Fills outputs[i] from inputs[i]: any number, board sizes mixed. The network sees a position
  // through its symmetry; outputs are turned back. They do not depend, bit for bit, on neighbours
  // or on the place in the call. One caller at a time; vectors in `outputs` are reused.
  virtual void compute(std::span<const EvaluationInput> inputs, std::span<RawOutputs> outputs) = 0;
};

// How it is computed. One binary has all that its compiler knows; the machine decides at run time.
enum class CpuPath {
  kReference,  // fp32, plain products with Eigen: what others are compared with
  kPortable,   // fp32, plain vectors; the next two as well
  kAvx2,
  kAvx512,
  kFp16,  // fp16 with short sums in fp16, long ones in fp32, on AVX512-FP16
  kAmx,   // bf16 with fp32 sums, on AMX tiles
};
std::string_view precision_of(CpuPath path);  // "fp32", "fp16", "bf16"
std::string_view name_of(CpuPath path);  // "reference", "portable", "avx2", "avx512", "fp16", "amx"
CpuPath cpu_path_named(std::string_view name);  // requires one of these names

// Those that this machine has and that know the model's layers, the fastest last.
std::vector<CpuPath> available_cpu_paths(const NetModel& model);

// Floating point operations a second of this core when it only multiplies registers with what the
// path is made of; 0 for the reference. For benchmarks; takes some milliseconds.
double peak_flop_per_s(CpuPath path);

// Requires an available path.
std::unique_ptr<CpuNetwork> make_cpu_network(std::shared_ptr<const NetModel> model, CpuPath path);

}  // namespace tengen
