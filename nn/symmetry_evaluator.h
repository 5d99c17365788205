#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/evaluator.h"

namespace tengen {

// The mean of what another evaluator says through all symmetries of a board: 8, or 4 if it is not
// square, all asked in one call. It costs that many rows and knows no direction: images of a
// position get images of one answer, up to rounding. For matches and analysis; self-play draws one
// symmetry per node instead.
//
// Probabilities are averaged: a move's logit is the logarithm of its mean probability among all
// moves, legal or not; result and score are means. What is asked and added up follows from what the
// input's symmetry shows, so answers to equal sights are equal bit for bit (CacheEvaluator).
class SymmetryEvaluator : public Evaluator {
 public:
  explicit SymmetryEvaluator(std::shared_ptr<Evaluator> inner) : inner_(std::move(inner)) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override;
  // Positions on square boards that fill a batch of the inner evaluator.
  int batch_size() const override;
  FeatureSchema features() const override { return inner_->features(); }
  std::string id() const override { return inner_->id() + " in all symmetries"; }

 private:
  std::shared_ptr<Evaluator> inner_;
  std::vector<EvaluationInput> questions_;  // of one call; members for their memory
  std::vector<Evaluation> answers_;
};

}  // namespace tengen
