#include "nn/symmetry_evaluator.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rules/check.h"

namespace tengen {
namespace {

// log sum exp of the logits: what turns them into logarithms of probabilities.
double log_sum_exp(std::span<const float> logits) {
  const double highest = std::ranges::max(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - highest);
  return highest + std::log(sum);
}

// Of answers in one frame. Logarithms all the way: a probability may be too small for any number.
void take_mean_policy(std::span<const Evaluation> answers, std::size_t moves, Evaluation& mean) {
  std::array<double, Symmetry::kCount> norms{}, logs{};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    norms[i] = log_sum_exp(std::span(answers[i].policy_logits).first(moves));
  }
  const auto used = std::span(logs).first(answers.size());
  const double share = std::log(static_cast<double>(answers.size()));
  for (std::size_t move = 0; move < moves; ++move) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      logs[i] = answers[i].policy_logits[move] - norms[i];
    }
    const double highest = std::ranges::max(used);
    double sum = 0;
    for (const double x : used) sum += std::exp(x - highest);
    mean.policy_logits[move] = static_cast<float>(highest + std::log(sum) - share);
  }
}

float mean_of(std::span<const Evaluation> answers, float Evaluation::*part) {
  double sum = 0;
  for (const Evaluation& answer : answers) sum += answer.*part;
  return static_cast<float>(sum / static_cast<double>(answers.size()));
}

}  // namespace

void SymmetryEvaluator::evaluate(std::span<const EvaluationInput> inputs,
                                 std::span<Evaluation> outputs) {
  check(inputs.size() == outputs.size(), "one output per input");
  questions_.clear();
  for (const auto& [features, symmetry] : inputs) {
    const Features seen = transformed(features, symmetry);
    for (int s = 0; s < Symmetry::count(seen.size); ++s) questions_.push_back({seen, Symmetry(s)});
  }
  answers_.resize(questions_.size());
  inner_->evaluate(questions_, answers_);
  auto rest = std::span<const Evaluation>(answers_);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const BoardSize size = inputs[i].features.size;
    const auto images = rest.first(static_cast<std::size_t>(Symmetry::count(size)));
    rest = rest.subspan(images.size());
    Evaluation mean;
    take_mean_policy(images, static_cast<std::size_t>(size.area()) + 1, mean);
    for (const auto part : {&Evaluation::win, &Evaluation::loss, &Evaluation::no_result,
                            &Evaluation::score, &Evaluation::win_error, &Evaluation::score_error}) {
      mean.*part = mean_of(images, part);
    }
    turn_back(mean, inputs[i].symmetry, size, outputs[i]);
  }
}

int SymmetryEvaluator::batch_size() const {
  return std::max(1, inner_->batch_size() / Symmetry::kCount);
}

}  // namespace tengen
