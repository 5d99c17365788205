#include "nn/split_evaluator.h"

#include <gtest/gtest.h>

#include <thread>

#include "rules/check.h"

namespace tengen {
namespace {

// The hash evaluator, and what was asked of it; may fail.
class Part : public HashEvaluator {
 public:
  explicit Part(int batch, bool fails = false) : HashEvaluator(3, batch), fails_(fails) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    thread = std::this_thread::get_id();
    calls.push_back(std::ssize(inputs));
    if (fails_) throw Error("the device is gone");
    HashEvaluator::evaluate(inputs, outputs);
  }
  std::vector<std::ptrdiff_t> calls;
  std::thread::id thread;

 private:
  bool fails_;
};

std::vector<EvaluationInput> inputs_of(int count) {
  std::vector<EvaluationInput> inputs(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    inputs[i].features.size = BoardSize::square(5);
    inputs[i].features.scalars[5] = static_cast<float>(i);
  }
  return inputs;
}

using Calls = std::vector<std::ptrdiff_t>;

TEST(SplitEvaluator, AnswersAreThoseOfOneEvaluatorAndInOrder) {
  for (const int count : {0, 1, 15, 40, 333}) {
    SplitEvaluator split(
        {std::make_shared<Part>(64), std::make_shared<Part>(64), std::make_shared<Part>(64)});
    HashEvaluator one(3);
    const auto inputs = inputs_of(count);
    std::vector<Evaluation> a(inputs.size()), b(inputs.size());
    split.evaluate(inputs, a);
    one.evaluate(inputs, b);
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(a[i].win, b[i].win) << i << " of " << count;
      ASSERT_EQ(a[i].policy_logits[7], b[i].policy_logits[7]);
    }
  }
}

TEST(SplitEvaluator, SharesAreEqualIfSmallAndWholeBatchesIfLarge) {
  const auto calls = [](int count) {
    const auto a = std::make_shared<Part>(64), b = std::make_shared<Part>(64);
    SplitEvaluator split({a, b});
    const auto inputs = inputs_of(count);
    std::vector<Evaluation> outputs(inputs.size());
    split.evaluate(inputs, outputs);
    EXPECT_TRUE(b->calls.empty() || b->thread != a->thread);
    return std::pair(a->calls, b->calls);
  };
  EXPECT_EQ(calls(16), std::pair(Calls{16}, Calls{}));  // not worth a thread
  EXPECT_EQ(calls(20), std::pair(Calls{16}, Calls{4}));
  EXPECT_EQ(calls(50), std::pair(Calls{25}, Calls{25}));
  EXPECT_EQ(calls(128), std::pair(Calls{64}, Calls{64}));
  EXPECT_EQ(calls(150), std::pair(Calls{128}, Calls{22}));
}

TEST(SplitEvaluator, ThrowsWhatAPartThrewAndServesOn) {
  for (const bool first : {true, false}) {
    SplitEvaluator split({std::make_shared<Part>(16, first), std::make_shared<Part>(16, !first)});
    const auto inputs = inputs_of(32);
    std::vector<Evaluation> outputs(inputs.size());
    EXPECT_THROW(split.evaluate(inputs, outputs), Error);
    EXPECT_THROW(split.evaluate(inputs, outputs), Error);
    if (!first) split.evaluate(std::span(inputs).first(8), std::span(outputs).first(8));
  }
}

}  // namespace
}  // namespace tengen
