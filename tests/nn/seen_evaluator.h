#pragma once

#include <string>

#include "nn/evaluator.h"

namespace tengen {

// Answers like a network: hash noise of what it sees, turned back. So images that are seen alike
// have images of one answer, and through another symmetry a position has a quite different one.
// Counts rows and calls.
class SeenEvaluator : public Evaluator {
 public:
  explicit SeenEvaluator(std::uint64_t seed, std::string id = "seen", int batch_size = 1)
      : hash_(seed), id_(std::move(id)), batch_size_(batch_size) {}

  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    ++calls;
    rows += static_cast<int>(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto& [features, symmetry] = inputs[i];
      const BoardSize size = features.size;
      const EvaluationInput seen{transformed(features, symmetry), Symmetry()};
      Evaluation answer;
      hash_.evaluate({&seen, 1}, {&answer, 1});
      outputs[i] = answer;
      for (int point = 0; point < size.area(); ++point) {
        const int to = size.index(symmetry.apply(size.point(point), size));
        outputs[i].policy_logits[point] = answer.policy_logits[to];
      }
    }
  }
  int batch_size() const override { return batch_size_; }
  std::string id() const override { return id_; }

  int rows = 0;
  int calls = 0;

 private:
  HashEvaluator hash_;
  std::string id_;
  int batch_size_;
};

}  // namespace tengen
