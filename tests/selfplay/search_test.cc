#include "selfplay/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "nn/features.h"
#include "rules/check.h"
#include "search_fixture.h"
#include "selfplay/utility.h"

namespace tengen {
namespace {

TEST(Search, SpendsItsVisitsExactlyAndOnLegalMovesAlone) {
  HashEvaluator evaluator(1);
  for (const BoardSize size :
       {BoardSize{2, 2}, BoardSize{3, 3}, BoardSize{5, 4}, BoardSize{9, 9}}) {
    for (const int visits : {1, 2, 5, 8, 16, 33, 64, 200}) {
      const auto seed = static_cast<std::uint64_t>(visits);
      const Position root =
          random_position(rules_of(size.width, size.height, 3), size.area() / 2, seed);
      const SearchResult r = search_position(options_of(visits), root, seed, evaluator);
      ASSERT_EQ(sum_of(r.visits), visits);
      ASSERT_LE(r.evaluations, visits + 1);
      ASSERT_TRUE(root.is_legal(r.move));
      ASSERT_EQ(r.visits[static_cast<std::size_t>(policy_index(r.move, size))],
                std::ranges::max(r.visits));
      for (int i = 0; i <= size.area(); ++i) {
        const auto entry = static_cast<std::size_t>(i);
        if (root.is_legal(move_at(i, size))) {
          EXPECT_GT(r.prior[entry], 0);
          EXPECT_GE(r.policy[entry], 0);
        } else {
          EXPECT_EQ(r.policy[entry], 0);
          EXPECT_EQ(r.prior[entry], 0);
          EXPECT_EQ(r.visits[entry], 0);
        }
      }
      EXPECT_NEAR(std::accumulate(r.policy.begin(), r.policy.end(), 0.0), 1, 1e-5);
      EXPECT_NEAR(std::accumulate(r.prior.begin(), r.prior.end(), 0.0), 1, 1e-5);
      EXPECT_LE(std::abs(r.utility), 1);
      EXPECT_GE(r.win, 0);
      EXPECT_LE(r.win, 1);
    }
  }
}

TEST(Search, RootVisitsAreThoseOfSequentialHalving) {
  HashEvaluator evaluator(2);
  const Position root(rules_of(9, 9, 7));
  SearchResult r = search_position(options_of(64), root, 1, evaluator);
  std::ranges::sort(r.visits, std::greater());
  r.visits.resize(17);
  EXPECT_EQ(r.visits, (std::vector<int>{15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
}

TEST(Search, IsAFunctionOfOptionsPositionAndSeed) {
  HashEvaluator evaluator(3);
  const Position root = random_position(rules_of(7, 7, 5), 10, 4);
  const Position other = random_position(rules_of(5, 9, 0), 14, 5);
  const SearchResult alone = search_position(options_of(40), root, 6, evaluator);

  // The same search in between the steps of another, in memory that a third one has used.
  Search reused(options_of(100), other, 7);
  EvaluationInput leaf;
  Evaluation answer;
  while (reused.gather(leaf)) {
    evaluator.evaluate({&leaf, 1}, {&answer, 1});
    reused.absorb(answer);
  }
  reused.reset(options_of(40), root, 6);
  Search beside(options_of(60), other, 8);
  bool is_open = true;
  while (is_open) {
    is_open = reused.gather(leaf);
    EvaluationInput other_leaf;
    if (beside.gather(other_leaf)) {
      Evaluation other_answer;
      evaluator.evaluate({&other_leaf, 1}, {&other_answer, 1});
      beside.absorb(other_answer);
    }
    if (is_open) {
      evaluator.evaluate({&leaf, 1}, {&answer, 1});
      reused.absorb(answer);
    }
  }
  expect_same(reused.result(), alone);
}

TEST(Search, SymmetriesOfLeavesFollowTheSeedAndStayOnTheBoard) {
  HashEvaluator evaluator(3);
  const auto symmetries = [&](const Position& root, std::uint64_t seed) {
    std::vector<int> all;
    Search search(options_of(64), root, seed);
    EvaluationInput leaf;
    Evaluation answer;
    while (search.gather(leaf)) {
      all.push_back(leaf.symmetry.index());
      evaluator.evaluate({&leaf, 1}, {&answer, 1});
      search.absorb(answer);
    }
    return all;
  };
  const Position square(rules_of(9, 9, 7));
  EXPECT_EQ(symmetries(square, 1), symmetries(square, 1));
  EXPECT_NE(symmetries(square, 1), symmetries(square, 2));
  EXPECT_EQ(std::ranges::max(symmetries(square, 1)), 7);
  EXPECT_EQ(std::ranges::max(symmetries(Position(rules_of(9, 8, 7)), 1)), 3);
}

TEST(Search, GumbelNoiseSamplesTheFirstMoveFromThePrior) {
  // One visit considers one move, the argmax of g + logit: a sample of the softmax (Gumbel's
  // trick).
  FunctionEvaluator evaluator([](const Features& f, Evaluation& e) {
    for (int i = 0; i <= f.size.area(); ++i)
      e.policy_logits[static_cast<std::size_t>(i)] = 0.5F * i;
  });
  const Position root(rules_of(2, 2, 0));
  constexpr int kTrials = 20000;
  std::vector<int> counts(5, 0);
  std::vector<float> prior;
  for (int seed = 0; seed < kTrials; ++seed) {
    const SearchResult r =
        search_position(options_of(1), root, static_cast<std::uint64_t>(seed), evaluator);
    ++counts[static_cast<std::size_t>(policy_index(r.move, root.size()))];
    prior = r.prior;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double p = prior[i];
    EXPECT_NEAR(counts[i] / double{kTrials}, p, 4 * std::sqrt(p * (1 - p) / kTrials)) << i;
  }
}

TEST(Search, WithoutNoiseConsidersTheLikeliestMoves) {
  HashEvaluator evaluator(5);
  const Position root(rules_of(9, 9, 7));
  const SearchResult r = search_position(options_of(16, 0), root, 1, evaluator);
  float least_visited = 1;
  float most_unvisited = 0;
  for (std::size_t i = 0; i < r.visits.size(); ++i) {
    if (r.visits[i] > 0) least_visited = std::min(least_visited, r.prior[i]);
    if (r.visits[i] == 0) most_unvisited = std::max(most_unvisited, r.prior[i]);
  }
  EXPECT_GE(least_visited, most_unvisited);
}

// Every answer of one search, by hand: three moves with one visit each, so that Q is the negative
// of one answer's utility.
TEST(Search, TheResultIsTheFormulasAppliedToTheAnswersWithoutNoise) {
  const Position root(rules_of(3, 3, 0));
  constexpr std::size_t kEntries = 10;
  SearchOptions options = options_of(3);
  options.c_scale = 0.05;
  options.score_weight = 0.3;
  HashEvaluator evaluator(11);
  Search search(options, root, 12);
  EvaluationInput leaf;
  Evaluation answer;
  Evaluation raw;
  std::vector<std::optional<Evaluation>> after(kEntries);
  while (search.gather(leaf)) {
    evaluator.evaluate({&leaf, 1}, {&answer, 1});
    answer.no_result = 0.2F * answer.win;
    answer.win -= answer.no_result;
    search.absorb(answer);
    const Features& f = leaf.features;
    if (f.planes[kPlaneOwnStones].is_empty() && f.planes[kPlaneOpponentStones].is_empty() &&
        f.scalars[kScalarPass1] == 0) {
      raw = answer;
      continue;
    }
    std::size_t entry = kEntries - 1;
    f.planes[kPlaneMove1].for_each([&](int i) { entry = static_cast<std::size_t>(i); });
    after[entry] = answer;
  }
  const SearchResult r = search.result();

  const auto utility = [](const Evaluation& e) {
    return 0.7 * (e.win - e.loss) +
           0.3 * 2 / std::numbers::pi * std::atan(e.score / (2 * std::sqrt(9.0)));
  };
  const auto win = [](const Evaluation& e) { return e.win + 0.5 * e.no_result; };
  double exp_sum = 0;
  for (std::size_t i = 0; i < kEntries; ++i) exp_sum += std::exp(raw.policy_logits[i]);
  std::vector<double> prior;
  double visited_prior = 0, q_sum = 0, win_sum = 0, score_sum = 0, no_result_sum = 0;
  for (std::size_t i = 0; i < kEntries; ++i) {
    prior.push_back(std::exp(raw.policy_logits[i]) / exp_sum);
    ASSERT_EQ(r.visits[i], after[i] ? 1 : 0);
    if (!after[i]) continue;
    visited_prior += prior[i];
    q_sum -= prior[i] * utility(*after[i]);
    win_sum += prior[i] * (1 - win(*after[i]));
    score_sum -= prior[i] * after[i]->score;
    no_result_sum += prior[i] * after[i]->no_result;
  }
  const double v_mix = (utility(raw) + 3 * q_sum / visited_prior) / 4;
  const double win_mix = (win(raw) + 3 * win_sum / visited_prior) / 4;
  const double score_mix = (raw.score + 3 * score_sum / visited_prior) / 4;
  const double no_result_mix = (raw.no_result + 3 * no_result_sum / visited_prior) / 4;
  std::vector<double> weight;
  double weights = 0;
  for (std::size_t i = 0; i < kEntries; ++i) {
    const double q = after[i] ? -utility(*after[i]) : v_mix;
    weight.push_back(prior[i] * std::exp((50 + 1) * 0.05 * q));
    weights += weight[i];
  }
  double expected_utility = 0, expected_win = 0, expected_score = 0;
  double expected_no_result = 0, surprise = 0;
  for (std::size_t i = 0; i < kEntries; ++i) {
    const double p = weight[i] / weights;
    EXPECT_NEAR(r.policy[i], p, 1e-6);
    EXPECT_NEAR(r.prior[i], prior[i], 1e-6);
    expected_utility += p * (after[i] ? -utility(*after[i]) : v_mix);
    expected_win += p * (after[i] ? 1 - win(*after[i]) : win_mix);
    expected_score += p * (after[i] ? -after[i]->score : score_mix);
    expected_no_result += p * (after[i] ? after[i]->no_result : no_result_mix);
    surprise += p * std::log(p / prior[i]);
  }
  EXPECT_NEAR(r.utility, expected_utility, 1e-6);
  EXPECT_NEAR(r.win, expected_win, 1e-6);
  EXPECT_NEAR(r.score, expected_score, 1e-5);
  EXPECT_NEAR(r.no_result, expected_no_result, 1e-6);
  EXPECT_NEAR(r.raw_win, win(raw), 1e-6);
  EXPECT_EQ(r.raw_score, raw.score);
  EXPECT_EQ(r.raw_no_result, raw.no_result);
  EXPECT_NEAR(r.policy_surprise, surprise, 1e-5);
  EXPECT_EQ(r.evaluations, 4);
}

TEST(Search, TheImprovedPolicyExpectsMoreThanThePriorOnAverage) {
  HashEvaluator evaluator(6);
  double gain = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Position root = random_position(rules_of(5, 5, 0.5), 6, seed);
    const SearchResult r = search_position(options_of(32), root, seed, evaluator);
    EvaluationInput input{features_of(root), Symmetry()};
    Evaluation raw;
    evaluator.evaluate({&input, 1}, {&raw, 1});
    gain += r.utility - utility_of(raw.win, raw.loss, raw.score, SearchOptions{}.score_weight, 25);
  }
  EXPECT_GT(gain / 50, 0.2);
}

TEST(Search, RefusesAnswersThatAreNotFinite) {
  const Position root(rules_of(3, 3, 0));
  const auto expect_error = [&](FunctionEvaluator::Function spoil) {
    FunctionEvaluator evaluator(std::move(spoil));
    EXPECT_THROW(search_position(options_of(4), root, 1, evaluator), Error);
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  expect_error([](const Features&, Evaluation& e) { e.win = kNan; });
  expect_error([](const Features&, Evaluation& e) { e.score = -kInfinity; });
  expect_error([](const Features&, Evaluation& e) { e.policy_logits[3] = kNan; });
  expect_error([](const Features&, Evaluation& e) { e.policy_logits[3] = kInfinity; });
}

}  // namespace
}  // namespace tengen
