#pragma once

#include <algorithm>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "nn/evaluator.h"
#include "rules/check.h"

namespace tengen {

// Answers on a thread of its own between start and finish, as a GPU does. Tells a common list when
// it begins (its number) and when it is done (its number, negative).
class ElsewhereEvaluator : public HashEvaluator {
 public:
  ElsewhereEvaluator(int number, std::vector<int>& events, int start_fails_at = -1,
                     int finish_fails_at = -1, std::string id = "hash")
      : HashEvaluator(5),
        number_(number),
        events_(events),
        id_(std::move(id)),
        start_fails_at_(start_fails_at),
        finish_fails_at_(finish_fails_at) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    start(inputs);
    finish(outputs);
  }
  void start(std::span<const EvaluationInput> inputs) override {
    check(!answers_.valid(), "one start at a time");
    if (starts_++ == start_fails_at_) throw Error("device lost");
    events_.push_back(number_);
    answers_ = std::async(std::launch::async, [this, inputs] {
      std::vector<Evaluation> answers(inputs.size());
      HashEvaluator::evaluate(inputs, answers);
      return answers;
    });
  }
  void finish(std::span<Evaluation> outputs) override {
    check(answers_.valid(), "a start for each finish");
    const auto answers = answers_.get();
    events_.push_back(-number_);
    if (finishes_++ == finish_fails_at_) throw Error("device lost");
    std::ranges::copy(answers, outputs.begin());
  }
  bool overlaps() const override { return true; }
  std::string id() const override { return id_; }
  bool is_idle() const { return !answers_.valid(); }

 private:
  int number_;
  std::vector<int>& events_;
  std::string id_;
  int start_fails_at_, finish_fails_at_;
  int starts_ = 0, finishes_ = 0;
  std::future<std::vector<Evaluation>> answers_;
};

}  // namespace tengen
