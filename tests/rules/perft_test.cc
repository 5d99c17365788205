// Sequences of moves under every ko and suicide rule: as many as the constants say, by rules/ and,
// as far as its patience goes, by the naive rules.

#include <gtest/gtest.h>

#include "oracle.h"
#include "rules/prove_counts.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

std::int64_t naive_perft(const Oracle& oracle, int depth) {
  if (!oracle.ending().empty()) return 0;
  if (depth == 0) return 1;
  std::int64_t sequences = 0;
  for (int i = 0; i < static_cast<int>(oracle.grid().size()); ++i) {
    if (!oracle.is_legal(i)) continue;
    Oracle next = oracle;
    if (depth > 1) next.play(i);
    sequences += depth > 1 ? naive_perft(next, depth - 1) : 1;
  }
  if (depth == 1) return sequences + 1;
  Oracle next = oracle;
  next.play(std::nullopt);
  return sequences + naive_perft(next, depth - 1);
}

void expect_naive_counts(std::int64_t most) {
  for (const auto& [text, counts] : perft_counts()) {
    const Rules rules = parse_rules(text);
    for (std::size_t i = 0; i < counts.size() && counts[i] <= most; ++i) {
      ASSERT_EQ(naive_perft(Oracle(rules), static_cast<int>(i) + 1), counts[i])
          << text << ", " << i + 1 << " moves";
    }
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kShare = 10;
#else
constexpr int kShare = 1;
#endif

TEST(Perft, CountsAreTheConstants) {
  for (const auto& [text, counts] : perft_counts()) {
    const Rules rules = parse_rules(text);
    const std::int64_t most = (rules.size.area() > 25 ? 50'000'000 : 10'000'000) / kShare;
    for (std::size_t i = 0; i < counts.size() && counts[i] <= most; ++i) {
      EXPECT_EQ(perft(rules, static_cast<int>(i) + 1), counts[i])
          << text << ", " << i + 1 << " moves";
    }
  }
}

TEST(Perft, CountsAreThoseOfTheNaiveRules) {
  expect_naive_counts(10'000 / kShare);
}

// Minutes; run with --gtest_also_run_disabled_tests.
TEST(Perft, DISABLED_DeeperCountsAreThoseOfTheNaiveRules) {
  expect_naive_counts(300'000);
}

}  // namespace
}  // namespace tengen
