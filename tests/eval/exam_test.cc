#include "eval/exam.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(report.against_untrained.games(), 8);
  EXPECT_EQ(report.against_rollouts.games(), 8);
  EXPECT_EQ(report.pairs_against_rollouts.pairs(), 4);
  EXPECT_NE(to_text(report).find("FAILED: "), std::string::npos);
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
