#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/evaluator.h"

namespace tengen {

// Several evaluators of one net as one: each call is split among them, a thread each. Since an
// answer depends on its row alone, the answers are those of one evaluator. For callers that have
// one thread and much to ask: matches, checks, exams.
class SplitEvaluator : public Evaluator {
 public:
  // At least one; they are used from threads of this object's own (the first from the caller's).
  explicit SplitEvaluator(std::vector<std::shared_ptr<Evaluator>> parts);
  ~SplitEvaluator() override;
  // Throws what a part throws, after all have ended.
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override;
  int batch_size() const override;
  FeatureSchema features() const override;
  std::string id() const override;

 private:
  struct Worker;
  std::vector<std::shared_ptr<Evaluator>> parts_;
  std::vector<std::unique_ptr<Worker>> workers_;  // of parts_[1], parts_[2], ...
};

}  // namespace tengen
