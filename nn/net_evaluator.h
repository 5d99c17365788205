#pragma once

#include <memory>
#include <string>
#include <vector>

#include "configs/option.h"
#include "nn/evaluator.h"
#include "nn/network.h"

namespace tengen {

struct EvaluatorOptions {
  std::string device = "auto";     // "cpu", "cuda:0", "all" (nn/devices.h)
  std::string precision = "auto";  // "fp32", "bf16", "fp16"; auto times them at start
  int batch = 0;                   // rows per forward pass; 0 times the candidates at start
  std::string kernels = "auto";    // on the CPU: "libtorch", "own"; auto times both
  int cache_mb = 0;                // memory of an EvaluationCache; 0 for none
};

inline constexpr std::string_view kPrecisionChoices[] = {"auto", "fp32", "bf16", "fp16"};
inline constexpr std::string_view kKernelChoices[] = {"auto", "libtorch", "own"};

template <class Visit>
void for_each_option(EvaluatorOptions& o, Visit visit) {
  visit(
      "device", o.device,
      {"where networks are evaluated: cpu, cuda:0 and the like; all: every GPU, the pools of games "
       "in turn (training is on the first); auto: the first GPU, else the CPU"});
  visit("precision", o.precision,
        {"arithmetic of self-play; auto: the fastest one that agrees with fp32, timed at start", 0,
         0, kPrecisionChoices});
  visit("batch", o.batch, {"rows per forward pass; 0: the fastest, timed at start", 0, 16384});
  visit("kernels", o.kernels,
        {"who computes networks on a CPU; auto: the faster, timed at start", 0, 0, kKernelChoices});
  visit(
      "cache_mb", o.cache_mb,
      {"memory for answers that all workers remember, in MiB; 0: none. Changes no game; pays only "
       "where positions are often asked for again (nn/README.md)",
       0, 1 << 20});
}

// What calibration chose, and what it measured. Kept in run.json and reused on resume, so that a
// resumed run computes the same.
struct Calibration {
  std::string device;
  std::string precision;
  int batch = 0;
  // Smaller batches, ascending, whose answers to a full batch of positions are those of the full
  // one bit for bit. What is left of a call after full batches goes into the smallest that holds
  // it.
  std::vector<int> short_batches{};
  // The path of nn/cpu_network.h that computes instead of LibTorch, by name; "" for LibTorch.
  std::string cpu_path = {};
  struct Timing {
    std::string precision;
    int batch;
    double rows_per_s;         // one thread on the CPU
    double policy_difference;  // largest difference from fp32 on fixed positions, probabilities
    double value_difference;
    bool accepted;  // both at most 0.02
    std::string cpu_path = {};
  };
  std::vector<Timing> timings{};
};

// Times each allowed precision and batch size with random positions on the smallest square canvas
// that holds `canvas`: small batches first, larger ones while they pay. On the CPU one thread is
// timed, as each worker thread runs an evaluator of its own. Takes a second or two; throws Error if
// the precision that the options fix does not agree with fp32, UsageError for a device or precision
// that this machine has not.
Calibration calibrate(const Network& network, const EvaluatorOptions& options, BoardSize canvas);

// A network on a device. On the CPU it computes on the calling thread alone. Batches are padded to
// calibration.batch, or to one of calibration.short_batches, on the smallest square canvas that
// holds `largest`; a batch on boards of one size and a mixed one give the same answers up to
// rounding; for one canvas bit for bit.
class NetEvaluator : public Evaluator {
 public:
  NetEvaluator(std::shared_ptr<const Network> network, std::string id,
               const Calibration& calibration, BoardSize largest);
  ~NetEvaluator() override;
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override;
  // On a GPU the device works on the first batch_size() inputs while the caller goes on.
  void start(std::span<const EvaluationInput> inputs) override;
  void finish(std::span<Evaluation> outputs) override;
  bool overlaps() const override;
  int batch_size() const override;
  FeatureSchema features() const override;
  std::string id() const override;
  // Bare forward passes of one full batch on resident tensors, for benchmarks. Returns rows
  // evaluated.
  int forward_only();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
