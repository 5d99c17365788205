// The Gumbel formulas and whole searches against DeepMind's mctx: data/mctx.txt, which
// tests/interop/mctx_golden.py wrote and describes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "search_fixture.h"
#include "selfplay/gumbel.h"

namespace tengen {
namespace {

// The lines of the file that begin with `word`, each with those after it.
class Golden {
 public:
  Golden() : in_(TENGEN_SOURCE_DIR "/tests/selfplay/data/mctx.txt") {}

  // Goes on behind the next line that begins with `word`; its other words. Empty at the end.
  std::istringstream next(const std::string& word) {
    for (std::string line; std::getline(in_, line);) {
      std::istringstream words(line);
      if (std::string first; words >> first && first == word) return words;
    }
    return {};
  }

  template <class T>
  std::vector<T> list(const std::string& word) {
    std::istringstream words = next(word);
    std::vector<T> all;
    for (T value; words >> value;) all.push_back(value);
    return all;
  }

 private:
  std::ifstream in_;
};

TEST(Mctx, AsksForTheSameVisitsBySequentialHalving) {
  Golden golden;
  int cases = 0;
  for (auto words = golden.next("sequence"); words.peek() != EOF; words = golden.next("sequence")) {
    int considered = 0, simulations = 0;
    std::string colon;
    words >> considered >> simulations >> colon;
    std::vector<int> expected;
    for (int visits = 0; words >> visits;) expected.push_back(visits);
    EXPECT_EQ(halving_sequence(considered, simulations), expected)
        << considered << " actions, " << simulations << " simulations";
    ++cases;
  }
  EXPECT_EQ(cases, 49);
}

TEST(Mctx, CompletesValuesImprovesThePolicyAndChoosesInsideAlike) {
  Golden golden;
  int cases = 0;
  for (auto words = golden.next("node"); words.peek() != EOF; words = golden.next("node")) {
    Sigma sigma;
    double raw = 0;
    words >> sigma.c_visit >> sigma.c_scale >> raw;
    const auto logits = golden.list<double>("logits");
    const auto visits = golden.list<int>("visits");
    const auto values = golden.list<double>("values");
    const auto expected_sigma = golden.list<double>("sigma");
    const auto expected_policy = golden.list<double>("policy");
    const auto expected_choice = golden.list<std::size_t>("choice");

    std::vector<double> prior(logits.size());
    const std::vector<double> zeros(logits.size(), 0);
    improved_policy(logits, zeros, 0, sigma, prior);  // the softmax
    int sum_visits = 0;
    double visited_prior = 0, visited_q = 0, best_unvisited = 0;
    std::vector<VisitedAction> visited;
    std::vector<std::size_t> places;  // of the visited actions, then of the best unvisited one
    std::size_t unvisited = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (visits[i] == 0) {
        if (prior[i] > best_unvisited) best_unvisited = prior[i], unvisited = i;
        continue;
      }
      sum_visits += visits[i];
      visited_prior += prior[i];
      visited_q += prior[i] * values[i];
      visited.push_back({prior[i], values[i], visits[i]});
      places.push_back(i);
    }
    places.push_back(unvisited);
    const double v_mix = mixed_value(raw, sum_visits, visited_prior, visited_q);
    const int max_visits = std::ranges::max(visits);
    std::vector<double> completed;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      completed.push_back(visits[i] > 0 ? values[i] : v_mix);
      EXPECT_NEAR(sigma(completed[i], max_visits), expected_sigma[i], 2e-5) << "case " << cases;
    }
    std::vector<double> policy(logits.size());
    improved_policy(logits, completed, max_visits, sigma, policy);
    for (std::size_t i = 0; i < policy.size(); ++i) {
      EXPECT_NEAR(policy[i], expected_policy[i], 2e-5) << "case " << cases;
    }
    const int choice = interior_choice(visited, best_unvisited, raw, sigma);
    EXPECT_EQ(places[static_cast<std::size_t>(choice)], expected_choice[0]) << "case " << cases;
    ++cases;
  }
  EXPECT_EQ(cases, 60);
}

// The answers of mctx_golden.py.
std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB352DU;
  x = (x ^ (x >> 15)) * 0x846CA68BU;
  return x ^ (x >> 16);
}
float unit(std::uint32_t hash) {
  return static_cast<float>(hash >> 12) / (1 << 20);
}
FunctionEvaluator stones_evaluator(std::uint32_t key) {
  return FunctionEvaluator([key](const Features& f, Evaluation& e) {
    std::uint32_t board = key;
    const auto number = [](int i) { return static_cast<std::uint32_t>(i); };
    f.planes[kPlaneOwnStones].for_each([&](int i) { board += mixed(number(i) * 2 + 1); });
    f.planes[kPlaneOpponentStones].for_each([&](int i) { board += mixed(number(i) * 2 + 2); });
    for (int i = 0; i < f.size.area(); ++i) {
      e.policy_logits[static_cast<std::size_t>(i)] =
          3 * unit(mixed(board + (number(i) + 1) * 0x9E3779B9U));
    }
    e.policy_logits[static_cast<std::size_t>(f.size.area())] = -60;
    e.win = unit(mixed(board));
    e.loss = 1 - e.win;
  });
}

TEST(Mctx, SearchesTheSameWayToTheSameEnd) {
  Golden golden;
  int cases = 0;
  for (auto words = golden.next("search"); words.peek() != EOF; words = golden.next("search")) {
    int side = 0;
    std::uint32_t key = 0;
    SearchOptions options;
    words >> side >> options.visits >> options.max_considered >> options.c_scale >> key;
    options.gumbel_scale = 0;
    options.score_weight = 0;
    FunctionEvaluator evaluator = stones_evaluator(key);
    const SearchResult r =
        search_position(options, Position(rules_of(side, side, 0.5)), 1, evaluator);
    EXPECT_EQ(r.visits, golden.list<int>("visits")) << "case " << cases;
    EXPECT_EQ(policy_index(r.move, BoardSize::square(side)), golden.list<int>("choice")[0]);
    const auto policy = golden.list<float>("policy");
    for (std::size_t i = 0; i < policy.size(); ++i) EXPECT_NEAR(r.policy[i], policy[i], 5e-5);
    ++cases;
  }
  EXPECT_EQ(cases, 18);
}

}  // namespace
}  // namespace tengen
