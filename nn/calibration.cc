#include "nn/calibration.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "nn/cpu_network.h"
#include "nn/devices.h"
#include "nn/net_compare.h"
#include "nn/net_evaluator.h"
#include "nn/network_model.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr double kLargestDifference = 0.02;  // of probabilities, from fp32
constexpr double kWorthwhile = 1.03;         // a larger batch must be faster by this
constexpr double kHopeless = 0.7;            // a precision this much slower at first is left out
constexpr double kPhase_s = 0.06;            // timing of one batch size goes on for so long
constexpr double kLongPass_s = 0.25;         // no larger batches once a pass takes so long
constexpr int kPositions = 48;
constexpr int kChecked = 16;   // positions that a later network is asked about
constexpr int kShortest = 16;  // rows of the smallest batch worth a size of its own

// Who computes: LibTorch in a precision, or a path of our own.
struct Arithmetic {
  std::string precision;
  std::string cpu_path = {};
  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};
const Arithmetic kExact = {"fp32"};  // what the others are compared with

// What the timings are made of: one network, one canvas, answers in fp32 to compare with.
class Bench {
 public:
  Bench(const Network& network, std::string device, BoardSize canvas, int positions = kPositions)
      : network_(&network, [](const Network*) {}),
        device_(std::move(device)),
        canvas_(canvas),
        inputs_(game_positions(positions, {&canvas, 1}, network.shape().features)),
        exact_(answers(kExact, kShortest, inputs_)) {}

  // Differences of a precision from fp32, once for all its batches.
  void compare(const Arithmetic& arithmetic, Calibration::Timing& timing) const {
    const auto rough = answers(arithmetic, kShortest, inputs_);
    for (std::size_t i = 0; i < rough.size(); ++i) {
      const auto a = probabilities(logits_of(exact_[i])), b = probabilities(logits_of(rough[i]));
      for (std::size_t k = 0; k < a.size(); ++k) {
        timing.policy_difference = std::max(timing.policy_difference, std::abs(a[k] - b[k]));
      }
      for (const auto field : {&Evaluation::win, &Evaluation::loss, &Evaluation::no_result}) {
        const double difference = std::abs(exact_[i].*field - rough[i].*field);
        timing.value_difference = std::max(timing.value_difference, difference);
      }
    }
    timing.accepted = timing.policy_difference <= kLargestDifference &&
                      timing.value_difference <= kLargestDifference;
  }

  // Whether batches of `rows` give the very bits that one of `full` gives, in every row of it.
  bool same_bits(const std::string& precision, int full, int rows) const {
    std::vector<EvaluationInput> inputs;
    for (int i = 0; i < full; ++i) inputs.push_back(inputs_[i % kPositions]);
    const auto a = answers({precision}, full, inputs), b = answers({precision}, rows, inputs);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto moves = static_cast<std::size_t>(canvas_.area() + 1);
      if (std::memcmp(a[i].policy_logits.data(), b[i].policy_logits.data(),
                      moves * sizeof(float)) != 0) {
        return false;
      }
      for (const auto field :
           {&Evaluation::win, &Evaluation::loss, &Evaluation::no_result, &Evaluation::score}) {
        if (std::bit_cast<std::uint32_t>(a[i].*field) !=
            std::bit_cast<std::uint32_t>(b[i].*field)) {
          return false;
        }
      }
    }
    return true;
  }

  // Seconds of one pass: the fastest of a few, since others may be using the machine.
  double pass_s(const Arithmetic& arithmetic, int batch) const {
    using Clock = std::chrono::steady_clock;
    NetEvaluator evaluator = make(arithmetic, batch);
    evaluator.forward_only();
    double best = 1e9, spent = 0;
    for (int pass = 0; pass < 2 || (spent < kPhase_s && pass < 50); ++pass) {
      const auto start = Clock::now();
      evaluator.forward_only();
      const double s = std::chrono::duration<double>(Clock::now() - start).count();
      best = std::min(best, s);
      spent += s;
    }
    return best;
  }

 private:
  std::span<const float> logits_of(const Evaluation& e) const {
    return std::span(e.policy_logits).first(static_cast<std::size_t>(canvas_.area() + 1));
  }
  NetEvaluator make(const Arithmetic& arithmetic, int batch) const {
    Calibration how;
    how.device = device_;
    how.precision = arithmetic.precision;
    how.cpu_path = arithmetic.cpu_path;
    how.batch = batch;
    return NetEvaluator(network_, "calibration", how, canvas_);
  }
  // Not finite in a narrow precision: answers that no comparison accepts.
  std::vector<Evaluation> answers(const Arithmetic& arithmetic, int batch,
                                  std::span<const EvaluationInput> inputs) const {
    std::vector<Evaluation> outputs(inputs.size());
    NetEvaluator evaluator = make(arithmetic, batch);
    try {
      evaluator.evaluate(inputs, outputs);
    } catch (const Error&) {
      if (arithmetic.precision == "fp32") throw;
      for (Evaluation& e : outputs) e.policy_logits.fill(0.F), e.win = 10.F;
    }
    return outputs;
  }

  std::shared_ptr<const Network> network_;
  std::string device_;
  BoardSize canvas_;
  std::vector<EvaluationInput> inputs_;
  std::vector<Evaluation> exact_;
};

// LibTorch first.
std::vector<Arithmetic> arithmetics_for(const Network& network, const EvaluatorOptions& options,
                                        bool gpu) {
  std::vector<Arithmetic> all = {kExact, {"bf16"}};
  if (gpu) {
    all.push_back({"fp16"});
  } else if (options.kernels != "libtorch") {
    if (options.kernels == "own") all.clear();
    const NetModel model = net_model(network, "calibration");
    for (const CpuPath path : available_cpu_paths(model)) {
      if (path == CpuPath::kReference) continue;
      all.push_back({std::string(precision_of(path)), std::string(name_of(path))});
    }
  }
  if (options.precision == "auto") return all;
  std::erase_if(all, [&](const Arithmetic& a) { return a.precision != options.precision; });
  if (all.empty() && options.kernels != "own") return {{options.precision}};
  return all;
}

std::vector<int> batches_for(const EvaluatorOptions& options, bool gpu) {
  if (options.batch > 0) return {options.batch};
  if (gpu) return {64, 128, 256, 512, 1024, 2048};
  return {16, 32, 64, 128, 256};
}

// Times the batches of one precision from small to large while they pay.
void time_batches(const Bench& bench, const Arithmetic& arithmetic, const std::vector<int>& batches,
                  double& best_rate, std::vector<Calibration::Timing>& timings) {
  Calibration::Timing timing{arithmetic.precision, 0, 0, 0, 0, true, arithmetic.cpu_path};
  if (arithmetic != kExact) bench.compare(arithmetic, timing);
  for (const int batch : batches) {
    timing.batch = batch;
    const double pass_s = bench.pass_s(arithmetic, batch);
    timing.rows_per_s = batch / pass_s;
    timings.push_back(timing);
    if (timing.rows_per_s < kHopeless * best_rate || pass_s > kLongPass_s || !timing.accepted)
      break;
    best_rate = std::max(best_rate, timing.rows_per_s);
  }
}

BoardSize square_around(BoardSize canvas) {
  return BoardSize::square(std::max(canvas.width, canvas.height));
}

// The arithmetics that were accepted with `kept`, other than its own, each with its fastest batch:
// the fastest first, LibTorch's fp32 last.
std::vector<Calibration> others_than(const Calibration& kept) {
  auto timings = kept.timings;
  std::erase_if(timings, [](const auto& t) { return !t.accepted; });
  std::ranges::stable_sort(timings, std::ranges::greater(), &Calibration::Timing::rows_per_s);
  std::vector<Calibration> others;
  std::vector<Arithmetic> seen = {{kept.precision, kept.cpu_path}};
  Calibration exact{kept.device, "fp32", kept.batch};
  for (const auto& t : timings) {
    const Arithmetic arithmetic{t.precision, t.cpu_path};
    if (std::ranges::count(seen, arithmetic) > 0) continue;
    seen.push_back(arithmetic);
    if (arithmetic == kExact) {
      exact.batch = t.batch;
    } else {
      others.push_back({kept.device, t.precision, t.batch, {}, t.cpu_path});
    }
  }
  others.push_back(exact);
  return others;
}

}  // namespace

CheckedCalibration checked(const Calibration& kept, const Network& network, BoardSize canvas) {
  CheckedCalibration result{kept};
  if (Arithmetic{kept.precision, kept.cpu_path} == kExact) return result;
  std::optional<Bench> bench;
  try {
    bench.emplace(network, kept.device, square_around(canvas), kChecked);
  } catch (const Error&) {
    return result;
  }
  const auto difference_of = [&](const Calibration& how) {
    Calibration::Timing timing{how.precision, how.batch, 0, 0, 0, true, how.cpu_path};
    const Arithmetic arithmetic{how.precision, how.cpu_path};
    if (arithmetic != kExact) bench->compare(arithmetic, timing);
    return timing;
  };
  const auto first = difference_of(kept);
  if (first.accepted) return result;
  result.fell_back = true;
  result.policy_difference = first.policy_difference;
  result.value_difference = first.value_difference;
  for (const Calibration& other : others_than(kept)) {
    if (!is_possible(other, network) || !difference_of(other).accepted) continue;
    result.how = other;
    break;
  }
  return result;
}

Calibration calibrate(const Network& network, const EvaluatorOptions& options, BoardSize canvas) {
  Calibration result;
  result.device = resolve_device(options.device);
  const bool gpu = result.device != "cpu";
  const Bench bench(network, result.device, square_around(canvas));
  double best_rate = 0;
  const auto arithmetics = arithmetics_for(network, options, gpu);
  if (arithmetics.empty()) {
    throw UsageError("evaluator.kernels = own: there are none for this net (" +
                     described(network.shape()) + ") in precision " + options.precision);
  }
  for (const Arithmetic& arithmetic : arithmetics) {
    time_batches(bench, arithmetic, batches_for(options, gpu), best_rate, result.timings);
  }
  const Calibration::Timing* best = nullptr;
  for (const Calibration::Timing& t : result.timings) {
    if (!t.accepted) continue;
    if (best == nullptr || t.rows_per_s > kWorthwhile * best->rows_per_s) best = &t;
  }
  if (best == nullptr) {
    throw Error("evaluator.precision = " + options.precision + ": differs from fp32 by " +
                std::to_string(result.timings[0].policy_difference) + " in the policy and " +
                std::to_string(result.timings[0].value_difference) +
                " in the value, at most 0.02 is accepted");
  }
  result.precision = best->precision;
  result.batch = best->batch;
  result.cpu_path = best->cpu_path;
  const bool has_short_batches = !gpu && result.cpu_path.empty();
  for (int rows = kShortest; rows < result.batch && has_short_batches; rows *= 2) {
    if (bench.same_bits(result.precision, result.batch, rows)) result.short_batches.push_back(rows);
  }
  return result;
}

}  // namespace tengen
