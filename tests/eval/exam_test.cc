#include "eval/exam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "nn/features.h"
#include "rules/check.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

ExamOptions quick_exam() {
  return {.rules = rules_on(5, 0.5),
          .search = {},
          .visits = 8,
          .match_pairs = 4,
          .rollout_playouts = 50};
}

TEST(Exam5x5, IsFailedByANetThatKnowsNothing) {
  const auto hash = std::make_shared<HashEvaluator>(1), other = std::make_shared<HashEvaluator>(2);
  const ExamReport report = exam_5x5(hash, other, quick_exam());
  EXPECT_FALSE(report.passed());
  EXPECT_TRUE(report.is_complete);
  EXPECT_EQ(report.checks.size(), 5U);
  EXPECT_NE(report.checks[3].text.find(" of 8 games, "), std::string::npos);
  EXPECT_NE(report.checks[4].text.find(" of the 8 games"), std::string::npos);
  EXPECT_NE(to_text(report).find("FAILED: "), std::string::npos);
}

// Knows how Black wins the whole board of a White that only passes: the centre, then all around
// White's stones; and that this is enough below komi 25.
class TwoRules : public HashEvaluator {
 public:
  TwoRules() : HashEvaluator(1) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) outputs[i] = answer(inputs[i].features);
  }

 private:
  static Evaluation answer(const Features& f) {
    const float komi = 20 * f.scalars[kScalarSelfKomi];
    const bool is_black = komi < 0;
    Evaluation out;
    out.policy_logits.fill(0);
    out.win = (std::abs(komi) < 25) == is_black ? 1 : 0;
    out.loss = 1 - out.win;
    if (!is_black) {
      prefer(out, f.size.area());
    } else if (const PointSet around = liberties(f); !around.is_empty()) {
      around.for_each([&](int i) { prefer(out, i); });
    } else {
      prefer(out, f.size.index(Point::at(2, 2)));
    }
    return out;
  }
  static void prefer(Evaluation& out, int entry) { out.policy_logits[entry] = 500; }
  // Empty points beside the opponent's stones.
  static PointSet liberties(const Features& f) {
    PointSet beside;
    f.planes[kPlaneOpponentStones].for_each([&](int index) {
      const Point p = f.size.point(index);
      for (const auto& [row, column] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        const Point q = Point::at(p.row() + row, p.column() + column);
        if (f.size.contains(q)) beside.insert(f.size.index(q));
      }
    });
    return beside - f.planes[kPlaneOwnStones] - f.planes[kPlaneOpponentStones];
  }
};

TEST(Exam5x5, OpeningValuesAndRepliesArePassedByANetThatKnowsHowBlackWins) {
  const auto net = std::make_shared<TwoRules>();
  const auto report = exam_5x5(net, std::make_shared<HashEvaluator>(2), quick_exam());
  ASSERT_EQ(report.checks.size(), 5U);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(report.checks[i].passed) << report.checks[i].text;
  EXPECT_EQ(report.checks[0].text, "at komi 24 the net opens at C3 (the centre is C3)");
  EXPECT_NE(report.checks[2].text.find("Black wins 20 games (wanted 19)"), std::string::npos);
}

TEST(Exam5x5, HasFortySixOpeningsWithinTwoThirdsOfTheBoard) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "takes minutes under a sanitizer";
#endif
  const auto openings = exam_openings(rules_on(5, 0.5), ExamOptions{}.match_pairs);
  EXPECT_EQ(openings.size(), 46U);
  for (const EvenOpening& opening : openings) EXPECT_LE(std::abs(opening.komi.points()), 17);
}

TEST(Exam5x5, EndsAtTheFirstFailureWhenAsked) {
  ExamOptions options = quick_exam();
  options.stop_at_failure = true;
  const auto uniform = std::make_shared<UniformEvaluator>();
  const ExamReport report = exam_5x5(uniform, uniform, options);
  EXPECT_FALSE(report.passed());
  EXPECT_FALSE(report.is_complete);
  EXPECT_LE(report.checks.size(), 2U) << "the even value of the empty board fails at the latest";
  EXPECT_FALSE(report.checks.back().passed);
}

TEST(Exam5x5, GivesTheSameReportForTheSameSeed) {
  const auto hash = std::make_shared<HashEvaluator>(1);
  EXPECT_EQ(to_text(exam_5x5(hash, hash, quick_exam())),
            to_text(exam_5x5(hash, hash, quick_exam())));
}

TEST(Exam5x5, IsPassedOnlyWhenEveryCheckWasMadeAndPassed) {
  ExamReport report;
  EXPECT_FALSE(report.passed());
  report.checks = {{true, "one"}, {true, "two"}};
  EXPECT_FALSE(report.passed());
  report.is_complete = true;
  EXPECT_TRUE(report.passed());
  report.checks[1].passed = false;
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(to_text(report), "passed: one\nFAILED: two\n");
}

TEST(Exam5x5, RefusesOtherBoards) {
  const auto uniform = std::make_shared<UniformEvaluator>();
  ExamOptions options = quick_exam();
  options.rules.size = BoardSize::square(9);
  EXPECT_THROW(exam_5x5(uniform, uniform, options), Error);
}

}  // namespace
}  // namespace tengen
