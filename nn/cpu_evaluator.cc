#include "nn/cpu_evaluator.h"

#include <algorithm>
#include <cmath>

#include "nn/thread_clock.h"
#include "rules/check.h"

namespace tengen {
namespace {

bool is_finite(const Evaluation& e, int moves) {
  return std::isfinite(e.win + e.loss + e.no_result + e.score) &&
         std::all_of(e.policy_logits.begin(), e.policy_logits.begin() + moves,
                     [](float logit) { return std::isfinite(logit); });
}

std::vector<double> softmax(std::span<const float> logits) {
  const float highest = std::ranges::max(logits);
  double sum = 0;
  std::vector<double> p;
  for (const float logit : logits) sum += p.emplace_back(std::exp(logit - highest));
  for (double& x : p) x /= sum;
  return p;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

CpuEvaluator::CpuEvaluator(std::shared_ptr<const NetModel> model, std::string id, CpuPath path,
                           FeatureSchema features)
    : model_(std::move(model)),
      id_(std::move(id)),
      path_(path),
      features_(features),
      network_(make_cpu_network(model_, path)) {}

void CpuEvaluator::evaluate(std::span<const EvaluationInput> inputs,
                            std::span<Evaluation> outputs) {
  check(inputs.size() == outputs.size(), "one output per input");
  if (raw_.size() < inputs.size()) raw_.resize(inputs.size());
  network_->compute(inputs, std::span(raw_).first(inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    raw_[i].ownership.clear();  // a search does not ask for it
    const NetOutputs net = net_outputs(raw_[i], *model_, can_have_no_result(inputs[i].features));
    std::ranges::copy(net.policy_logits, outputs[i].policy_logits.begin());
    outputs[i].win = net.win;
    outputs[i].loss = net.loss;
    outputs[i].no_result = net.no_result;
    outputs[i].score = net.score_mean;
    if (!is_finite(outputs[i], static_cast<int>(net.policy_logits.size()))) {
      throw Error("net " + id_ + ": its answer to a position is not finite");
    }
  }
}

std::vector<CpuPathTiming> time_cpu_paths(const std::shared_ptr<const NetModel>& model,
                                          std::span<const CpuPath> paths,
                                          std::span<const EvaluationInput> inputs) {
  constexpr int kTries = 3;
  std::vector<CpuPathTiming> timings;
  std::vector<RawOutputs> exact(inputs.size()), outputs(inputs.size());
  make_cpu_network(model, CpuPath::kReference)->compute(inputs, exact);
  for (const CpuPath path : paths) {
    const auto network = make_cpu_network(model, path);
    network->compute(inputs, outputs);
    CpuPathTiming& timing = timings.emplace_back(CpuPathTiming{path, 0, 0, 0});
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      timing.policy_difference =
          std::max(timing.policy_difference,
                   largest_difference(softmax(exact[i].policy[0]), softmax(outputs[i].policy[0])));
      timing.value_difference =
          std::max(timing.value_difference,
                   largest_difference(softmax(exact[i].value), softmax(outputs[i].value)));
    }
    for (int i = 0; i < kTries; ++i) {
      const double start = thread_cpu_s();
      network->compute(inputs, outputs);
      timing.positions_per_s = std::max(
          timing.positions_per_s, static_cast<double>(inputs.size()) / (thread_cpu_s() - start));
    }
  }
  return timings;
}

}  // namespace tengen
