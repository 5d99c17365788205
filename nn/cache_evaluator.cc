#include "nn/cache_evaluator.h"

#include "rules/check.h"
#include "rules/hash.h"

namespace tengen {

CacheEvaluator::CacheEvaluator(std::shared_ptr<Evaluator> inner,
                               std::shared_ptr<EvaluationCache> cache)
    : inner_(std::move(inner)), cache_(std::move(cache)), source_(hash_of_bytes(inner_->id())) {}

// Finds what is known; the rest becomes questions, and inputs that wait for them.
void CacheEvaluator::look_up(std::span<const EvaluationInput> inputs) {
  known_.clear();
  questions_.clear();
  keys_.clear();
  places_.clear();
  waiting_.clear();
  Evaluation known;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& [features, symmetry] = inputs[i];
    const Features seen = transformed(features, symmetry);
    const SightKey key = sight_key(seen, source_);
    if (cache_->find(key, seen.size, known)) {
      known_.push_back({.input = i, .answer = {}});
      turn_back(known, symmetry, seen.size, known_.back().answer);
      continue;
    }
    const auto [place, is_new] = places_.try_emplace(key, questions_.size());
    if (is_new) {
      questions_.push_back({seen, Symmetry()});
      keys_.push_back(key);
    }
    waiting_.push_back({i, place->second});
  }
}

void CacheEvaluator::evaluate(std::span<const EvaluationInput> inputs,
                              std::span<Evaluation> outputs) {
  start(inputs);
  finish(outputs);
}

void CacheEvaluator::start(std::span<const EvaluationInput> inputs) {
  inputs_ = inputs;
  look_up(inputs);
  if (!questions_.empty()) inner_->start(questions_);
}

void CacheEvaluator::finish(std::span<Evaluation> outputs) {
  check(inputs_.size() == outputs.size(), "one output per input");
  answers_.resize(questions_.size());
  if (!questions_.empty()) inner_->finish(answers_);
  for (const Known& known : known_) outputs[known.input] = known.answer;
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    cache_->store(keys_[i], questions_[i].features.size, answers_[i]);
  }
  for (const auto [input, question] : waiting_) {
    const auto& [features, symmetry] = inputs_[input];
    turn_back(answers_[question], symmetry, features.size, outputs[input]);
  }
  cache_->count(std::ssize(outputs), std::ssize(outputs) - std::ssize(questions_));
}

}  // namespace tengen
