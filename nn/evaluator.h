#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "nn/features.h"
#include "rules/symmetry.h"

namespace tengen {

// A position to be judged. The network sees it through `symmetry`; the answer is turned back, so it
// differs by the network's imperfection only. The caller chooses it as a function of (game seed,
// ply, node).
struct EvaluationInput {
  Features features;
  Symmetry symmetry;
};

// What a network says of one position. All for the side to move.
struct Evaluation {
  // Entry policy_index(move, size): logits, not masked by legality. Only the first area + 1 are
  // set.
  std::array<float, kMaxArea + 1> policy_logits;
  float win = 0.5F;  // probabilities of the game's result, summing to 1
  float loss = 0.5F;
  float no_result = 0.F;
  float score = 0.F;  // expected final margin in points, komi included
  // By how much win - loss and the score are off within the next moves, on average; -1: the network
  // does not say.
  float win_error = -1.F;
  float score_error = -1.F;
};

// `seen` is an answer in the frame of what was seen through `symmetry`; `answer` is it in the frame
// of the board, which has this size. Two different objects.
void turn_back(const Evaluation& seen, Symmetry symmetry, BoardSize size, Evaluation& answer);

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Fills outputs[i] from inputs[i]; equal lengths, any number, board sizes mixed. An answer does
  // not depend, bit for bit, on its neighbours or its place in the call. One caller at a time.
  // Throws Error if the device fails.
  virtual void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) = 0;
  // evaluate in two halves, for callers with something to do meanwhile: start takes the inputs,
  // finish fills one output for each, the same bit for bit. A finish for each start, and no other
  // evaluation in between; inputs stay in place until finish. An evaluator that `overlaps` works
  // between the two, the others all in finish. After an exception in either, the start is undone.
  virtual void start(std::span<const EvaluationInput> inputs) { started_ = inputs; }
  virtual void finish(std::span<Evaluation> outputs) {
    evaluate(std::exchange(started_, {}), outputs);
  }
  virtual bool overlaps() const { return false; }
  // Rows per forward pass; callers that offer a multiple waste nothing.
  virtual int batch_size() const = 0;
  // What its inputs' features are to be.
  virtual FeatureSchema features() const { return FeatureSchema::kV7; }
  // What answers: a net's id, "uniform", "hash".
  virtual std::string id() const = 0;

 private:
  std::span<const EvaluationInput> started_;
};

// Flat policy, even result. What "no knowledge" means in tests.
class UniformEvaluator : public Evaluator {
 public:
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override;
  int batch_size() const override { return 1; }
  std::string id() const override { return "uniform"; }
};

// Answers that look random but are a fixed function of (seed, features), not of the symmetry: plays
// whole games in tests, at great speed and with all the search's branches taken. Logits are close
// to normal with deviation 1, win is uniform in (0, 1), score close to normal with deviation 10,
// all independent of one another. Integer arithmetic up to the last step, so that a seed means the
// same answers on every machine.
class HashEvaluator : public Evaluator {
 public:
  explicit HashEvaluator(std::uint64_t seed, int batch_size = 1)
      : seed_(seed), batch_size_(batch_size) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override;
  int batch_size() const override { return batch_size_; }
  std::string id() const override { return "hash"; }

 private:
  std::uint64_t seed_;
  int batch_size_;
};

}  // namespace tengen
