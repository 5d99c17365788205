#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/cpu_network.h"
#include "nn/evaluator.h"

namespace tengen {

// A NetModel as an Evaluator, without LibTorch, on the calling thread: a program has one a worker.
// Outputs mean what KataGo says they mean (nn/net_outputs.h); the score is the mean. Nothing is
// padded: batch_size() is only a number of positions that keeps weights in use while they are near.
class CpuEvaluator : public Evaluator {
 public:
  // Requires a path of available_cpu_paths(*model). `features`: those that the net was made to see.
  CpuEvaluator(std::shared_ptr<const NetModel> model, std::string id, CpuPath path,
               FeatureSchema features = FeatureSchema::kV7);
  // Throws Error if an answer is not finite.
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override;
  int batch_size() const override { return 32; }
  FeatureSchema features() const override { return features_; }
  std::string id() const override { return id_; }

  CpuPath path() const { return path_; }

 private:
  std::shared_ptr<const NetModel> model_;
  std::string id_;
  CpuPath path_;
  FeatureSchema features_;
  std::unique_ptr<CpuNetwork> network_;
  std::vector<RawOutputs> raw_;
};

}  // namespace tengen
