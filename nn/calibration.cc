#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "nn/cpu_network.h"
#include "nn/devices.h"
#include "nn/net_evaluator.h"
#include "nn/network_model.h"
#include "rules/check.h"
#include "rules/playout.h"

namespace tengen {
namespace {

constexpr double kLargestDifference = 0.02;  // of probabilities, from fp32
constexpr double kWorthwhile = 1.03;         // a larger batch must be faster by this
constexpr double kHopeless = 0.7;            // a precision this much slower at first is left out
constexpr double kPhase_s = 0.06;            // timing of one batch size goes on for so long
constexpr double kLongPass_s = 0.25;         // no larger batches once a pass takes so long
constexpr int kPositions = 48;
constexpr int kShortest = 16;  // rows of the smallest batch worth a size of its own
constexpr std::uint64_t kSeed = 20240607;

std::string resolve_device(const std::string& device) {
  if (device == "auto") return best_device();
  if (device == "cpu") return device;
  const std::string name = device == "cuda" ? "cuda:0" : device;
  if (std::ranges::count(device_names(), name) > 0) return name;
  throw UsageError("evaluator.device = " + device + ": this machine has no such device");
}

// Positions of random games, from the opening to the end.
std::vector<EvaluationInput> fixed_positions(BoardSize size, FeatureSchema features) {
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < kPositions; ++i) {
    Rules rules;
    rules.size = size;
    rules.komi = Komi::from_half_points(i % 31 - 8);
    Position position(rules);
    Rng rng(kSeed, static_cast<std::uint64_t>(i));
    const int plies = size.area() * i / kPositions;
    for (int ply = 0; ply < plies && !position.is_over(); ++ply) {
      position.play(random_move(position, rng));
    }
    inputs.push_back({features_of(position, features), Symmetry(i % Symmetry::count(size))});
  }
  return inputs;
}

// Who computes: LibTorch in a precision, or a path of our own.
struct Arithmetic {
  std::string precision;
  std::string cpu_path = {};
};

std::vector<double> probabilities(const Evaluation& e, int area) {
  const auto end = e.policy_logits.begin() + area + 1;
  const double highest = *std::max_element(e.policy_logits.begin(), end);
  std::vector<double> p;
  double sum = 0;
  for (auto logit = e.policy_logits.begin(); logit != end; ++logit) {
    p.push_back(std::exp(*logit - highest));
    sum += p.back();
  }
  for (double& x : p) x /= sum;
  return p;
}

// What the timings are made of: one network, one canvas, answers in fp32 to compare with.
class Bench {
 public:
  Bench(const Network& network, std::string device, BoardSize canvas)
      : network_(&network, [](const Network*) {}),
        device_(std::move(device)),
        canvas_(canvas),
        inputs_(fixed_positions(canvas, network.shape().features)),
        exact_(answers({"fp32"}, kPositions / 3, inputs_)) {}

  // Differences of a precision from fp32, once for all its batches.
  void compare(const Arithmetic& arithmetic, Calibration::Timing& timing) const {
    const auto rough = answers(arithmetic, kPositions / 3, inputs_);
    for (std::size_t i = 0; i < rough.size(); ++i) {
      const auto a = probabilities(exact_[i], canvas_.area());
      const auto b = probabilities(rough[i], canvas_.area());
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

// LibTorch first, whose fp32 is what the others are compared with.
std::vector<Arithmetic> arithmetics_for(const Network& network, const EvaluatorOptions& options,
                                        bool gpu) {
  std::vector<Arithmetic> all = {{"fp32"}, {"bf16"}};
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
  if (arithmetic.precision != "fp32" || !arithmetic.cpu_path.empty()) {
    bench.compare(arithmetic, timing);
  }
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

}  // namespace

Calibration calibrate(const Network& network, const EvaluatorOptions& options, BoardSize canvas) {
  Calibration result;
  result.device = resolve_device(options.device);
  const bool gpu = result.device != "cpu";
  const int side = std::max(canvas.width, canvas.height);
  const Bench bench(network, result.device, BoardSize::square(side));
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
