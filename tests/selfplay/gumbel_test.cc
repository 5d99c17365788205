#include "selfplay/gumbel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rules/rng.h"
#include "selfplay/utility.h"

namespace tengen {
namespace {

using Counts = std::vector<int>;

Counts repeated(std::initializer_list<std::pair<int, int>> value_and_times) {
  Counts all;
  for (const auto& [value, times] : value_and_times) {
    all.insert(all.end(), static_cast<std::size_t>(times), value);
  }
  return all;
}

TEST(HalvingSequence, OneVisitEachIfTheBudgetIsTheNumberOfActions) {
  EXPECT_EQ(halving_sequence(8, 8), repeated({{0, 8}}));
  EXPECT_EQ(halving_sequence(16, 16), repeated({{0, 16}}));
}

TEST(HalvingSequence, With32Of16VisitsSixteenOnceEightOnceFourTwice) {
  EXPECT_EQ(halving_sequence(16, 32), repeated({{0, 16}, {1, 8}, {2, 4}, {3, 4}}));
}

TEST(HalvingSequence, With64Of16VisitsSixteenOnceEightTwiceFourFourTimesTwoEightTimes) {
  Counts expected = repeated({{0, 16}, {1, 8}, {2, 8}, {3, 4}, {4, 4}, {5, 4}, {6, 4}});
  for (int v = 7; v < 15; ++v) expected.insert(expected.end(), 2, v);
  EXPECT_EQ(halving_sequence(16, 64), expected);
}

TEST(HalvingSequence, OddNumbers) {
  EXPECT_EQ(halving_sequence(3, 7), (Counts{0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(halving_sequence(2, 5), (Counts{0, 0, 1, 1, 2}));
  EXPECT_EQ(halving_sequence(7, 20),  // 3 rounds: floor(20/21) -> 1, floor(20/9) = 2, then 2s
            (Counts{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6}));
}

TEST(HalvingSequence, ABudgetBelowTheActionsVisitsThatManyOnce) {
  EXPECT_EQ(halving_sequence(16, 5), repeated({{0, 5}}));
  EXPECT_EQ(halving_sequence(16, 0), Counts{});
}

TEST(HalvingSequence, OneActionTakesAll) {
  EXPECT_EQ(halving_sequence(1, 4), (Counts{0, 1, 2, 3}));
}

// Written as mctx writes it, with a counter per action.
Counts halving_by_counters(int considered, int simulations) {
  Counts sequence;
  Counts visits(static_cast<std::size_t>(considered), 0);
  const int rounds = static_cast<int>(std::ceil(std::log2(considered)));
  while (static_cast<int>(sequence.size()) < simulations) {
    const int extra = std::max(1, simulations / (rounds * considered));
    for (int e = 0; e < extra; ++e) {
      for (int i = 0; i < considered; ++i)
        sequence.push_back(visits[static_cast<std::size_t>(i)]++);
    }
    considered = std::max(2, considered / 2);
  }
  sequence.resize(static_cast<std::size_t>(simulations));
  return sequence;
}

TEST(HalvingSequence, IsThatOfCountersForAllSmallBudgets) {
  for (int considered = 2; considered <= 20; ++considered) {
    for (int simulations = 0; simulations <= 130; ++simulations) {
      ASSERT_EQ(halving_sequence(considered, simulations),
                halving_by_counters(considered, simulations))
          << considered << " actions, " << simulations << " simulations";
    }
  }
}

TEST(HalvingSequence, AnActionWithTheAskedVisitsAlwaysExists) {
  for (int considered = 1; considered <= 40; ++considered) {
    for (int simulations = considered; simulations <= 200; simulations += 7) {
      Counts visits(static_cast<std::size_t>(considered), 0);
      for (const int asked : halving_sequence(considered, simulations)) {
        const auto found = std::ranges::find(visits, asked);
        ASSERT_NE(found, visits.end()) << considered << " actions, " << simulations;
        ++*found;
      }
      ASSERT_GE(std::ranges::min(visits), 1);
    }
  }
}

TEST(MixedValue, IsTheRawValueWithoutVisits) {
  EXPECT_EQ(mixed_value(0.3, 0, 0, 0), 0.3);
}

TEST(MixedValue, WeighsTheVisitedActionsByPriorAndTheRawValueAsOneVisit) {
  // Priors 0.5 and 0.25, Q 0.6 and -0.2, visits 3 and 1:
  // (0.2 + 4 * (0.5 * 0.6 - 0.25 * 0.2) / 0.75) / 5 = (0.2 + 4 / 3) / 5
  EXPECT_NEAR(mixed_value(0.2, 4, 0.75, 0.5 * 0.6 - 0.25 * 0.2), 0.306666666666, 1e-11);
}

TEST(Sigma, GrowsWithTheLargestVisitCount) {
  EXPECT_DOUBLE_EQ((Sigma{50, 1})(0.5, 16), 33);
  EXPECT_DOUBLE_EQ((Sigma{50, 0.1})(-0.5, 0), -2.5);
}

TEST(ImprovedPolicy, IsTheSoftmaxOfLogitsPlusSigma) {
  // sigma(0.02) = (50 + 0) * 0.02 = 1, so the weights are 2e, 1, 1.
  const std::vector<double> logits = {std::log(2.0), 0, 0};
  const std::vector<double> q = {0.02, 0, 0};
  std::vector<double> policy(3);
  improved_policy(logits, q, 0, Sigma{}, policy);
  EXPECT_NEAR(policy[0], 2 * std::numbers::e / (2 * std::numbers::e + 2), 1e-12);
  EXPECT_NEAR(policy[1], 1 / (2 * std::numbers::e + 2), 1e-12);
  EXPECT_NEAR(policy[2], policy[1], 1e-15);
}

TEST(ImprovedPolicy, IsThePriorIfAllValuesAreEqual) {
  const std::vector<double> logits = {std::log(0.5), std::log(0.3), std::log(0.2)};
  std::vector<double> policy(3);
  improved_policy(logits, std::vector<double>(3, 0.9), 30, Sigma{}, policy);
  EXPECT_NEAR(policy[0], 0.5, 1e-12);
  EXPECT_NEAR(policy[1], 0.3, 1e-12);
  EXPECT_NEAR(policy[2], 0.2, 1e-12);
}

TEST(ImprovedPolicy, SurvivesHugeLogits) {
  const std::vector<double> logits = {1e5, -1e5, 1e5 - 1};
  std::vector<double> policy(3);
  improved_policy(logits, std::vector<double>{1, -1, 1}, 1000, Sigma{}, policy);
  EXPECT_NEAR(policy[0] + policy[2], 1, 1e-12);
  EXPECT_NEAR(policy[0] / policy[2], std::numbers::e, 1e-9);
  EXPECT_EQ(policy[1], 0);
}

TEST(ImprovedPolicy, SumsToOneAndNeverExpectsLessThanThePrior) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + rng.below(40);
    std::vector<double> logits(n), q(n), prior(n), policy(n);
    for (double& l : logits) l = 2 * rng.normal();
    for (double& v : q) v = 2 * rng.uniform() - 1;
    improved_policy(logits, std::vector<double>(n, 0.0), 0, Sigma{}, prior);
    improved_policy(logits, q, 10, Sigma{50, 0.1 * trial / 300}, policy);
    EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-12);
    EXPECT_GE(std::inner_product(q.begin(), q.end(), policy.begin(), 0.0) + 1e-12,
              std::inner_product(q.begin(), q.end(), prior.begin(), 0.0));
  }
}

// A node with everything written out, unvisited actions too.
struct FullNode {
  std::vector<double> prior, q;
  Counts visits;
  double raw_value = 0;

  explicit FullNode(std::size_t actions) : prior(actions), q(actions), visits(actions) {}
  std::vector<double> improved(const Sigma& sigma) const {
    double visited_prior = 0;
    double weighted = 0;
    for (std::size_t a = 0; a < q.size(); ++a) {
      if (visits[a] > 0) visited_prior += prior[a], weighted += prior[a] * q[a];
    }
    const int sum = std::accumulate(visits.begin(), visits.end(), 0);
    const double v_mix = mixed_value(raw_value, sum, visited_prior, weighted);
    std::vector<double> logits, completed(q), policy(q.size());
    for (std::size_t a = 0; a < q.size(); ++a) {
      logits.push_back(std::log(prior[a]));
      if (visits[a] == 0) completed[a] = v_mix;
    }
    improved_policy(logits, completed, std::ranges::max(visits), sigma, policy);
    return policy;
  }
  // The definition: argmax over all actions.
  std::size_t best_by_definition(const Sigma& sigma) const {
    std::vector<double> score = improved(sigma);
    const int sum = std::accumulate(visits.begin(), visits.end(), 0);
    for (std::size_t a = 0; a < score.size(); ++a) score[a] -= visits[a] / (1.0 + sum);
    return static_cast<std::size_t>(std::ranges::max_element(score) - score.begin());
  }
  // By interior_choice.
  std::size_t best(const Sigma& sigma) const {
    std::vector<VisitedAction> visited;
    std::vector<std::size_t> place;
    std::size_t unvisited = q.size();
    for (std::size_t a = 0; a < q.size(); ++a) {
      if (visits[a] > 0) {
        visited.push_back({prior[a], q[a], visits[a]});
        place.push_back(a);
      } else if (unvisited == q.size() || prior[a] > prior[unvisited]) {
        unvisited = a;
      }
    }
    const double best_unvisited = unvisited < q.size() ? prior[unvisited] : 0;
    const int choice = interior_choice(visited, best_unvisited, raw_value, sigma);
    return choice == static_cast<int>(visited.size()) ? unvisited
                                                      : place[static_cast<std::size_t>(choice)];
  }
};

FullNode random_node(Rng& rng, std::size_t actions) {
  FullNode node(actions);
  double sum = 0;
  for (double& p : node.prior) sum += p = std::exp(2 * rng.normal());
  for (double& p : node.prior) p /= sum;
  for (double& v : node.q) v = 2 * rng.uniform() - 1;
  node.raw_value = 2 * rng.uniform() - 1;
  return node;
}

TEST(InteriorChoice, IsTheArgmaxOfTheDefinitionOverAllActions) {
  Rng rng(2);
  for (int trial = 0; trial < 2000; ++trial) {
    FullNode node = random_node(rng, 1 + rng.below(30));
    const std::uint32_t visited_share = rng.below(5);
    for (int& v : node.visits)
      v = rng.below(4) < visited_share ? 1 + static_cast<int>(rng.below(9)) : 0;
    const Sigma sigma{50, std::pow(10, -3 * rng.uniform())};
    ASSERT_EQ(node.best(sigma), node.best_by_definition(sigma)) << "trial " << trial;
  }
}

TEST(InteriorChoice, VisitCountsConvergeToTheImprovedPolicy) {
  Rng rng(3);
  const Sigma sigma{50, 0.001};  // so small that the largest visit count hardly moves pi'
  FullNode node = random_node(rng, 8);
  constexpr int kVisits = 5000;
  for (int i = 0; i < kVisits; ++i) ++node.visits[node.best(sigma)];
  const std::vector<double> target = node.improved(sigma);
  for (std::size_t a = 0; a < target.size(); ++a) {
    EXPECT_NEAR(node.visits[a] / double{kVisits}, target[a], 0.01) << "action " << a;
  }
}

TEST(InteriorChoice, WithoutVisitsTakesTheLikeliestAction) {
  EXPECT_EQ(interior_choice({}, 0.2, 0.5, Sigma{}), 0);
}

TEST(ScoreUtility, IsOneHalfAtTwiceTheSide) {
  EXPECT_NEAR(score_utility(18, 81), 0.5, 1e-12);
  EXPECT_NEAR(score_utility(-10, 25), -0.5, 1e-12);
  EXPECT_EQ(score_utility(0, 81), 0);
}

TEST(Utility, StaysWithinOneForEveryResultAndWeight) {
  for (const double weight : {0.0, 0.2, 0.4, 1.0}) {
    EXPECT_LE(utility_of(1, 0, 800, weight, 4), 1);
    EXPECT_GE(utility_of(0, 1, -800, weight, 4), -1);
    EXPECT_EQ(utility_of(0.5, 0.5, 0, weight, 81), 0);
    EXPECT_EQ(utility_of(0, 0, 0, weight, 81), 0);  // no result
  }
  EXPECT_NEAR(utility_of(0.75, 0.25, 18, 0.2, 81), 0.8 * 0.5 + 0.2 * 0.5, 1e-12);
}

}  // namespace
}  // namespace tengen
