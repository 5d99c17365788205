#include "nn/evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "rules/playout.h"

namespace tengen {
namespace {

// Positions of a few random games on boards of several sizes.
std::vector<EvaluationInput> random_inputs(int games) {
  std::vector<EvaluationInput> inputs;
  constexpr BoardSize kSizes[] = {{5, 5}, {9, 9}, {7, 10}, {19, 19}};
  for (int game = 0; game < games; ++game) {
    Rules rules;
    rules.size = kSizes[game % 4];
    Position position(rules);
    Rng rng(11, game);
    for (int ply = 0; ply < 40 && !position.is_over(); ++ply) {
      inputs.push_back({features_of(position), Symmetry()});
      position.play(random_move(position, rng));
    }
  }
  return inputs;
}

std::vector<Evaluation> evaluate(Evaluator& evaluator, const std::vector<EvaluationInput>& inputs) {
  std::vector<Evaluation> outputs(inputs.size());
  evaluator.evaluate(inputs, outputs);
  return outputs;
}

bool same_answer(const Evaluation& a, const Evaluation& b, BoardSize size) {
  for (int i = 0; i <= size.area(); ++i) {
    if (a.policy_logits[i] != b.policy_logits[i]) return false;
  }
  return a.win == b.win && a.loss == b.loss && a.no_result == b.no_result && a.score == b.score;
}

TEST(UniformEvaluator, IsFlatAndEven) {
  UniformEvaluator uniform;
  const auto inputs = random_inputs(4);
  std::vector<Evaluation> outputs(inputs.size());
  for (Evaluation& out : outputs) {  // whatever was there before is overwritten
    out.policy_logits.fill(3.F);
    out.win = out.score = 7.F;
  }
  uniform.evaluate(inputs, outputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (int move = 0; move <= inputs[i].features.size.area(); ++move) {
      ASSERT_EQ(outputs[i].policy_logits[move], 0.F);
    }
    ASSERT_EQ(outputs[i].win, 0.5F);
    ASSERT_EQ(outputs[i].loss, 0.5F);
    ASSERT_EQ(outputs[i].no_result, 0.F);
    ASSERT_EQ(outputs[i].score, 0.F);
  }
  EXPECT_EQ(uniform.id(), "uniform");
}

TEST(HashEvaluator, AnswersAlikeInAnyBatchPlaceAndSymmetry) {
  HashEvaluator hash(5, 16);
  EXPECT_EQ(hash.batch_size(), 16);
  EXPECT_EQ(hash.id(), "hash");
  const auto inputs = random_inputs(4);
  const auto together = evaluate(hash, inputs);
  HashEvaluator fresh(5);
  for (std::size_t i = inputs.size(); i-- > 0;) {
    EvaluationInput turned = inputs[i];
    turned.symmetry = Symmetry(static_cast<int>(i % 4));
    const auto alone = evaluate(fresh, {turned});
    ASSERT_TRUE(same_answer(alone[0], together[i], turned.features.size)) << "row " << i;
  }
}

TEST(HashEvaluator, ChangesWithTheSeedAndEveryPartOfTheFeatures) {
  const EvaluationInput input = random_inputs(2).back();
  const BoardSize size = input.features.size;
  HashEvaluator hash(5);
  HashEvaluator other_seed(6);
  const Evaluation answer = evaluate(hash, {input})[0];
  EXPECT_FALSE(same_answer(answer, evaluate(other_seed, {input})[0], size));
  std::set<float> wins = {answer.win};
  for (int plane = 0; plane < kPlanes; ++plane) {
    for (int bit = 0; bit < size.area(); ++bit) {
      EvaluationInput changed = input;
      changed.features.planes[plane].words()[bit / 64] ^= 1ULL << (bit % 64);
      const Evaluation a = evaluate(hash, {changed})[0];
      ASSERT_FALSE(same_answer(answer, a, size)) << "plane " << plane << " bit " << bit;
      wins.insert(a.win);
    }
  }
  for (int scalar = 0; scalar < kScalars; ++scalar) {
    EvaluationInput changed = input;
    changed.features.scalars[scalar] += 0.5F;
    ASSERT_FALSE(same_answer(answer, evaluate(hash, {changed})[0], size)) << "scalar " << scalar;
  }
  // 22 * 81 + 1 draws from 2^22 values: 0.4 coincidences are expected.
  EXPECT_GE(wins.size(), static_cast<std::size_t>(kPlanes * size.area() + 1 - 5));
}

TEST(HashEvaluator, LooksRandom) {
  HashEvaluator hash(9);
  const auto inputs = random_inputs(40);
  const auto outputs = evaluate(hash, inputs);
  double n = 0, sum = 0, squares = 0, beyond_two = 0;
  double wins = 0, scores = 0, score_squares = 0, win_score = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (int move = 0; move <= inputs[i].features.size.area(); ++move) {
      const double x = outputs[i].policy_logits[move];
      n += 1;
      sum += x;
      squares += x * x;
      beyond_two += std::abs(x) > 2;
    }
    ASSERT_GT(outputs[i].win, 0.F);
    ASSERT_LT(outputs[i].win, 1.F);
    ASSERT_EQ(outputs[i].win + outputs[i].loss, 1.F);
    wins += outputs[i].win;
    scores += outputs[i].score;
    score_squares += outputs[i].score * outputs[i].score;
    win_score += (outputs[i].win - 0.5) * outputs[i].score;
  }
  // Bounds of five standard errors. N(0, 1) has 4.6 % beyond 2; the sum of four uniforms 4.25 %.
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 7 / std::sqrt(n));
  EXPECT_NEAR(beyond_two / n, 0.0425, 0.002);
  const auto rows = static_cast<double>(inputs.size());
  EXPECT_NEAR(wins / rows, 0.5, 5 * 0.289 / std::sqrt(rows));
  EXPECT_NEAR(scores / rows, 0, 50 / std::sqrt(rows));
  EXPECT_NEAR(score_squares / rows, 100, 700 / std::sqrt(rows));
  EXPECT_NEAR(win_score / rows, 0, 5 * 2.89 / std::sqrt(rows));
}

TEST(HashEvaluator, AFixedSeedMeansTheseAnswers) {
  // Kept values: a change here changes every fixed-seed game that tests compare.
  Features f;
  f.size = BoardSize::square(5);
  f.planes[kPlaneOwnStones].insert(12);
  f.scalars[kScalarSelfKomi] = 1.2F;
  HashEvaluator hash(1);
  const Evaluation a = evaluate(hash, {{f, Symmetry()}})[0];
  EXPECT_EQ(a.policy_logits[0], -0x1.2c978ep+0F);
  EXPECT_EQ(a.policy_logits[25], 0x1.c50a1ep-1F);
  EXPECT_EQ(a.win, 0x1.e3c628p-2F);
  EXPECT_EQ(a.score, -0x1.551dacp+3F);
}

TEST(Evaluator, RefusesUnequalLengths) {
  HashEvaluator hash(1);
  const auto inputs = random_inputs(1);
  std::vector<Evaluation> outputs(inputs.size() - 1);
  EXPECT_DEATH(hash.evaluate(inputs, outputs), "one output per input");
}

}  // namespace
}  // namespace tengen
