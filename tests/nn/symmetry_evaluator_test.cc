#include "nn/symmetry_evaluator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "game_inputs.h"
#include "nn/cache_evaluator.h"
#include "seen_evaluator.h"

namespace tengen {
namespace {

std::vector<double> probabilities(const Evaluation& answer, BoardSize size) {
  std::vector<double> p;
  double sum = 0;
  for (int i = 0; i <= size.area(); ++i) sum += p.emplace_back(std::exp(answer.policy_logits[i]));
  for (double& x : p) x /= sum;
  return p;
}

TEST(SymmetryEvaluator, SaysTheMeanOverAllSymmetries) {
  const auto inputs = game_inputs(4);
  SymmetryEvaluator all(std::make_shared<SeenEvaluator>(3));
  const auto answers = answers_of(all, inputs);
  SeenEvaluator plain(3);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const BoardSize size = inputs[i].features.size;
    const int count = size.is_square() ? 8 : 4;
    std::vector<double> policy(static_cast<std::size_t>(size.area()) + 1);
    double win = 0, loss = 0, score = 0;
    for (int s = 0; s < count; ++s) {
      const Evaluation one = answers_of(plain, {{inputs[i].features, Symmetry(s)}})[0];
      const auto p = probabilities(one, size);
      for (std::size_t m = 0; m < p.size(); ++m) policy[m] += p[m] / count;
      win += one.win / static_cast<double>(count);
      loss += one.loss / static_cast<double>(count);
      score += one.score / static_cast<double>(count);
    }
    const auto p = probabilities(answers[i], size);
    double sum = 0;
    for (std::size_t m = 0; m < p.size(); ++m) {
      ASSERT_NEAR(p[m], policy[m], 1e-6 * policy[m]) << i << " " << m;
      sum += std::exp(answers[i].policy_logits[m]);
    }
    EXPECT_NEAR(sum, 1, 1e-5);  // the logits are logarithms of probabilities
    EXPECT_NEAR(answers[i].win, win, 1e-6);
    EXPECT_NEAR(answers[i].loss, loss, 1e-6);
    EXPECT_EQ(answers[i].no_result, 0);
    EXPECT_NEAR(answers[i].score, score, 1e-5);
  }
}

TEST(SymmetryEvaluator, ImagesOfAPositionGetImagesOfOneAnswer) {
  SymmetryEvaluator all(std::make_shared<SeenEvaluator>(3));
  for (const auto& [features, symmetry] : {game_inputs(2).back(), game_inputs(3).back()}) {
    const BoardSize size = features.size;
    const Evaluation upright = answers_of(all, {{features, symmetry}})[0];
    for (int s = 0; s < Symmetry::count(size); ++s) {
      const Symmetry turn(s);
      for (int through = 0; through < Symmetry::count(size); ++through) {
        const auto image = answers_of(all, {{transformed(features, turn), Symmetry(through)}})[0];
        for (int i = 0; i < size.area(); ++i) {
          const int to = size.index(turn.apply(size.point(i), size));
          ASSERT_NEAR(image.policy_logits[to], upright.policy_logits[i], 1e-5);
        }
        EXPECT_NEAR(image.policy_logits[size.area()], upright.policy_logits[size.area()], 1e-5);
        EXPECT_NEAR(image.win, upright.win, 1e-6);
        EXPECT_NEAR(image.score, upright.score, 1e-5);
      }
    }
  }
}

TEST(SymmetryEvaluator, AsksForEightRowsOrFourInOneCall) {
  const auto inner = std::make_shared<SeenEvaluator>(3, "net", 64);
  SymmetryEvaluator all(inner);
  EXPECT_EQ(all.batch_size(), 8);
  EXPECT_EQ(all.id(), "net in all symmetries");
  EXPECT_EQ(SymmetryEvaluator(std::make_shared<SeenEvaluator>(3)).batch_size(), 1);
  const auto square = game_inputs(2).back(), oblong = game_inputs(3).back();
  answers_of(all, {square, oblong, square});
  EXPECT_EQ(inner->rows, 8 + 4 + 8);
  EXPECT_EQ(inner->calls, 1);
}

TEST(SymmetryEvaluator, CachesInsideAndOutsideChangeNoBit) {
  const auto inputs = game_inputs(8, 12);
  SymmetryEvaluator plain(std::make_shared<SeenEvaluator>(3));
  const auto expected = answers_of(plain, inputs);
  const auto net = std::make_shared<SeenEvaluator>(3);
  const auto cache = std::make_shared<EvaluationCache>(64 << 20, BoardSize{19, 19});
  const auto inside =
      std::make_shared<SymmetryEvaluator>(std::make_shared<CacheEvaluator>(net, cache));
  CacheEvaluator outside(inside, cache);
  const auto images = [&](int s) {  // seen alike and not
    auto turned = inputs;
    for (auto& [features, symmetry] : turned) {
      features = transformed(features, Symmetry(s));
      symmetry = Symmetry(s).inverse();
    }
    return turned;
  };
  int rows = 0;
  for (const int s : {0, 3, 0}) {
    const auto asked = images(s);
    const auto answers = answers_of(outside, asked);
    const auto alone = answers_of(plain, asked);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      ASSERT_TRUE(same_bits(answers[i], alone[i], inputs[i].features.size)) << i;
    }
    if (s == 0 && rows == 0) rows = net->rows;
  }
  EXPECT_EQ(net->rows, rows);  // a sight has the same eight images whichever of them it is
  const auto again = answers_of(outside, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_TRUE(same_bits(again[i], expected[i], inputs[i].features.size)) << i;
  }
  EXPECT_EQ(net->rows, rows);
}

TEST(SymmetryEvaluator, ProbabilitiesBelowAllNumbersStayFinite) {
  class Sure : public UniformEvaluator {
    void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
      UniformEvaluator::evaluate(inputs, outputs);
      for (Evaluation& output : outputs) {
        output.policy_logits[0] = 2e4F;
        output.policy_logits[1] = -2e4F;
      }
    }
  };
  SymmetryEvaluator all(std::make_shared<Sure>());
  const Evaluation answer = answers_of(all, {{game_inputs(1).back().features, Symmetry()}})[0];
  // The same point of the seen board each time: Sure does not turn back.
  EXPECT_FLOAT_EQ(answer.policy_logits[0], 0);
  EXPECT_FLOAT_EQ(answer.policy_logits[1], -4e4F);
  EXPECT_FLOAT_EQ(answer.policy_logits[2], -2e4F);
}

}  // namespace
}  // namespace tengen
