#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "nn/evaluation_cache.h"
#include "nn/evaluator.h"

namespace tengen {

// An evaluator that remembers answers. With it or without, every answer is the same bit for bit, up
// to the chance that 128 bits coincide.
//
// Key. A network's answer depends on what it sees: the position turned by the symmetry that the
// caller chose. Seen through another symmetry, the same position has another answer, and a caller
// that draws symmetries counts on that; so to share an answer among all images of a position would
// change results. But images that are seen alike have one answer, in the frame in which they are
// seen. That frame is the canonical one here: features are brought into it, all of them are the
// key, the answer is kept in it, and turned back for each who asks. (The least of the images
// together with the symmetry between it and what is seen would tell the same sights apart, for
// eight turns instead of one.)
//
// So `inner` has to answer (features, symmetry) with its answer to what is seen, as it stands,
// turned back: as networks do, the UniformEvaluator and the SymmetryEvaluator, and as the
// HashEvaluator does not. It is asked for what is seen and the first symmetry, once for what comes
// twice in a call.
class CacheEvaluator : public Evaluator {
 public:
  // The cache may have other users, in other threads too. Where inner->id() is the same, answers
  // must be the same bit for bit: one net, device, precision and canvas. Others do not meet.
  CacheEvaluator(std::shared_ptr<Evaluator> inner, std::shared_ptr<EvaluationCache> cache);
  // If `inner` throws, nothing is stored or counted.
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override;
  void start(std::span<const EvaluationInput> inputs) override;
  void finish(std::span<Evaluation> outputs) override;
  bool overlaps() const override { return inner_->overlaps(); }
  int batch_size() const override { return inner_->batch_size(); }
  FeatureSchema features() const override { return inner_->features(); }
  std::string id() const override { return inner_->id(); }

 private:
  struct LowBits {
    std::size_t operator()(const SightKey& key) const { return key.low; }
  };
  struct Known {
    std::size_t input;
    Evaluation answer;  // in the input's frame
  };
  struct Waiting {
    std::size_t input, question;
  };
  void look_up(std::span<const EvaluationInput> inputs);

  std::shared_ptr<Evaluator> inner_;
  std::shared_ptr<EvaluationCache> cache_;
  std::uint64_t source_;
  // Of one call; members for their memory, and between start and finish.
  std::span<const EvaluationInput> inputs_;
  std::vector<Known> known_;
  std::vector<EvaluationInput> questions_;
  std::vector<SightKey> keys_;  // of the questions
  std::vector<Evaluation> answers_;
  std::unordered_map<SightKey, std::size_t, LowBits> places_;  // among the questions
  std::vector<Waiting> waiting_;
};

}  // namespace tengen
