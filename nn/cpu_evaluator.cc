#include "nn/cpu_evaluator.h"

#include <algorithm>
#include <cmath>

#include "rules/check.h"

namespace tengen {
namespace {

bool is_finite(const Evaluation& e, int moves) {
  return std::isfinite(e.win + e.loss + e.no_result + e.score) &&
         std::all_of(e.policy_logits.begin(), e.policy_logits.begin() + moves,
                     [](float logit) { return std::isfinite(logit); });
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
    outputs[i].win_error = net.winloss_error;
    outputs[i].score_error = net.score_error;
    if (!is_finite(outputs[i], static_cast<int>(net.policy_logits.size()))) {
      throw Error("net " + id_ + ": its answer to a position is not finite");
    }
  }
}

}  // namespace tengen
