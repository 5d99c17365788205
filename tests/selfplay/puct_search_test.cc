// PUCT and hybrid searches: against a naive one, their options, trees that are kept, several
// leaves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "naive_puct.h"
#include "search_fixture.h"

namespace tengen {
namespace {

SearchOptions algorithm_of(const std::string& algorithm, int visits, double gumbel_scale = 0) {
  SearchOptions options = options_of(visits, gumbel_scale);
  options.algorithm = algorithm;
  return options;
}

PuctOptions all_of_katago() {
  return {
      .exploration = 1.0, .exploration_log = 0.45, .stdev_scale = 0.85, .root_fpu_reduction = 0.1};
}

void run(Search& search, Evaluator& evaluator, int leaves = 1) {
  std::vector<EvaluationInput> inputs(static_cast<std::size_t>(leaves));
  std::vector<Evaluation> answers(inputs.size());
  while (const int count = search.gather(inputs)) {
    const auto asked = static_cast<std::size_t>(count);
    evaluator.evaluate({inputs.data(), asked}, {answers.data(), asked});
    search.absorb({answers.data(), asked});
  }
}

void expect_as_naive(const SearchOptions& options, std::uint64_t seeds) {
  HashEvaluator evaluator(21);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Position root = random_position(rules_of(3, 3, 0.5), static_cast<int>(seed % 9), seed);
    const SearchResult r = search_position(options, root, seed, evaluator);
    NaivePuct naive(options, evaluator, root);
    naive.simulate(options.visits);
    ASSERT_EQ(r.visits, naive.visits()) << "seed " << seed;
    ASSERT_NEAR(r.utility, naive.utility(), 1e-5) << "seed " << seed;
  }
}

TEST(PuctSearch, IsThatOfANaiveSearch) {
  expect_as_naive(algorithm_of("puct", 150), 12);
}

TEST(PuctSearch, WithAllThatKataGoAddsToExplorationIsThatOfANaiveSearch) {
  SearchOptions options = algorithm_of("puct", 150);
  options.puct = all_of_katago();
  expect_as_naive(options, 12);
}

TEST(PuctSearch, WithSubtreeBiasIsThatOfANaiveSearch) {
  SearchOptions options = algorithm_of("puct", 120);
  options.puct.subtree_bias = 0.35;
  expect_as_naive(options, 12);
}

TEST(PuctSearch, SubtreeBiasChangesTheSearch) {
  HashEvaluator evaluator(21);
  SearchOptions options = algorithm_of("puct", 200);
  const Position root(rules_of(5, 5, 0.5));
  const SearchResult without = search_position(options, root, 1, evaluator);
  options.puct.subtree_bias = 0.35;
  EXPECT_NE(search_position(options, root, 1, evaluator).utility, without.utility);
}

TEST(PuctSearch, GoesOnInATreeThatWasKept) {
  HashEvaluator evaluator(22);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Position start = random_position(rules_of(4, 4, 0.5), static_cast<int>(seed), seed);
    SearchOptions options = algorithm_of("puct", 80);
    options.puct = all_of_katago();
    options.puct.subtree_bias = seed % 2 == 0 ? 0.35 : 0;
    Search search(options, start, seed);
    NaivePuct naive(options, evaluator, start);
    naive.simulate(80);
    run(search, evaluator);
    for (int ply = 0; ply < 4; ++ply) {
      const SearchResult before = search.result();
      const Move move = before.move;
      const int kept =
          before.visits[static_cast<std::size_t>(policy_index(move, start.size()))] - 1;
      Position after = search.root();
      after.play(move);
      if (after.is_over()) break;
      search.advance(move, seed);
      naive.advance(move);
      run(search, evaluator);
      naive.simulate(80 - kept);
      const SearchResult r = search.result();
      ASSERT_EQ(r.visits, naive.visits()) << "seed " << seed << ", ply " << ply;
      ASSERT_NEAR(r.utility, naive.utility(), 1e-5);
      EXPECT_EQ(sum_of(r.visits), 80);
      EXPECT_LE(r.evaluations, 80 - kept);
    }
  }
}

TEST(PuctSearch, AMoveThatWasNotSearchedBeginsAnew) {
  HashEvaluator evaluator(23);
  const Position root(rules_of(5, 5, 0.5));
  for (const std::string algorithm : {"gumbel", "puct", "hybrid"}) {
    const SearchOptions options = algorithm_of(algorithm, 12);
    Search search(options, root, 1);
    run(search, evaluator);
    const std::vector<int> visits = search.result().visits;
    const auto unvisited = std::ranges::find(visits, 0) - visits.begin();
    const Move move = move_at(static_cast<int>(unvisited), root.size());
    search.advance(move, 2);
    run(search, evaluator);
    Position after = root;
    after.play(move);
    expect_same(search.result(), search_position(options, after, 2, evaluator));
  }
}

TEST(PuctSearch, AKeptTreeKnowsSuperkoAndTheWholeGame) {
  HashEvaluator evaluator(24);
  int banned = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Search search(algorithm_of("puct", 40, 1),
                  Position(rules_of(2 + static_cast<int>(seed % 2), 2, 0.5)), seed);
    for (int ply = 0; ply < 60 && !search.root().is_over(); ++ply) {
      run(search, evaluator);
      const SearchResult r = search.result();
      search.root().ko_banned().for_each([&](int i) {
        ++banned;
        EXPECT_EQ(r.visits[static_cast<std::size_t>(i)], 0);
      });
      ASSERT_TRUE(search.root().is_legal(r.move));
      search.advance(r.move, mix64(seed, static_cast<std::uint64_t>(ply)));
    }
  }
  EXPECT_GT(banned, 10);
}

TEST(PuctSearch, GoesOnToMoreVisitsAsIfTheyHadBeenPlannedAtFirst) {
  HashEvaluator evaluator(25);
  const Position root(rules_of(5, 5, 0.5));
  Search search(algorithm_of("puct", 30), root, 1);
  run(search, evaluator);
  search.set_visits(90);
  run(search, evaluator);
  expect_same(search.result(), search_position(algorithm_of("puct", 90), root, 1, evaluator));
}

TEST(PuctSearch, ExploringForcesPlayoutsThatTheTargetForgets) {
  // Every answer is the same, but for a likely move that loses the game for whoever plays it.
  FunctionEvaluator evaluator([](const Features& f, Evaluation& e) {
    e.policy_logits[3] = 2;
    e.win = f.planes[kPlaneOpponentStones].contains(3) ? 1
            : f.planes[kPlaneOwnStones].contains(3)    ? 0
                                                       : 0.5F;
    e.loss = 1 - e.win;
  });
  SearchOptions options = algorithm_of("puct", 200, 1);
  options.puct.noise_weight = 0;
  options.puct.root_temperature = options.puct.root_temperature_early = 1;
  const Position root(rules_of(4, 4, 0.5));
  const SearchResult forced = search_position(options, root, 1, evaluator);
  options.puct.forced_playouts = 0;
  const SearchResult free = search_position(options, root, 1, evaluator);
  EXPECT_GE(forced.visits[3] + 1, std::sqrt(2 * forced.prior[3] * 200));
  EXPECT_LT(free.visits[3], 0.6 * forced.visits[3]);
  EXPECT_LT(forced.policy[3], 0.6 * forced.visits[3] / 200);
}

TEST(PuctSearch, ExploringPlaysMovesBesideTheBestAndPlaysTheBestWithout) {
  HashEvaluator evaluator(26);
  const Position root(rules_of(5, 5, 0.5));
  const auto moves = [&](double gumbel_scale) {
    std::set<int> all;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto r = search_position(algorithm_of("puct", 60, gumbel_scale), root, seed, evaluator);
      all.insert(policy_index(r.move, root.size()));
    }
    return all.size();
  };
  EXPECT_GT(moves(1), 3U);
  EXPECT_EQ(moves(0), 1U);
}

TEST(PuctSearch, WeighsEvaluationsByTheirErrorsWhereTheNetSaysThem) {
  // Every position is judged by a coin; a coin that falls on heads is certain of it.
  const auto evaluator = [](float error_of_heads, float error_of_tails) {
    return FunctionEvaluator([=](const Features& f, Evaluation& e) {
      EvaluationInput input{f, Symmetry()};
      HashEvaluator(31).evaluate({&input, 1}, {&e, 1});
      const bool heads = e.win > 0.5F;
      e.win = heads ? 0.6F : 0.4F;
      e.loss = 1 - e.win;
      e.score = 0;
      e.win_error = heads ? error_of_heads : error_of_tails;
      e.score_error = e.win_error < 0 ? -1.F : 0.F;
    });
  };
  const Position root(rules_of(5, 5, 0.5));
  SearchOptions options = algorithm_of("puct", 100);
  const auto result = [&](FunctionEvaluator e) { return search_position(options, root, 1, e); };
  const SearchResult without = result(evaluator(-1, -1));
  expect_same(result(evaluator(0.1F, 0.5F)), without);  // the option is off
  options.puct.uncertainty_coefficient = 0.25;
  expect_same(result(evaluator(-1, -1)), without);  // the net does not say
  EXPECT_NE(result(evaluator(0.1F, 0.5F)).visits, without.visits);

  // One visit of one move: the means are (w0 v0 - w1 v1) / (w0 + w1).
  options.visits = 1;
  std::vector<double> weights, values;
  FunctionEvaluator noted([&](const Features& f, Evaluation& e) {
    EvaluationInput input{f, Symmetry()};
    HashEvaluator(31).evaluate({&input, 1}, {&e, 1});
    e.win_error = 0.3F * static_cast<float>(weights.size() + 1);
    e.score_error = 0;
    weights.push_back(0.25 / (0.8 * e.win_error + 0.25 / 8));
    values.push_back(e.win - e.loss);
  });
  const SearchResult r = search_position(options, root, 1, noted);
  const double mean = (weights[0] * values[0] - weights[1] * values[1]) / (weights[0] + weights[1]);
  EXPECT_NEAR(2 * r.win - 1, mean, 1e-6);
}

TEST(PuctSearch, SpendsItsVisitsOnLegalMovesAloneAndTheTargetSumsToOne) {
  HashEvaluator evaluator(27);
  for (const std::string algorithm : {"puct", "hybrid"}) {
    for (const int visits : {1, 2, 31, 32, 33, 200}) {
      for (const double scale : {0.0, 1.0}) {
        const auto seed = static_cast<std::uint64_t>(visits);
        const Position root = random_position(rules_of(5, 4, 3), 10, seed);
        const SearchResult r =
            search_position(algorithm_of(algorithm, visits, scale), root, seed, evaluator);
        EXPECT_EQ(sum_of(r.visits), visits);
        EXPECT_LE(r.evaluations, visits + 1);
        EXPECT_NEAR(std::accumulate(r.policy.begin(), r.policy.end(), 0.0), 1, 1e-5);
        ASSERT_TRUE(root.is_legal(r.move));
        for (int i = 0; i <= root.size().area(); ++i) {
          if (root.is_legal(move_at(i, root.size()))) continue;
          EXPECT_EQ(r.visits[static_cast<std::size_t>(i)], 0);
          EXPECT_EQ(r.policy[static_cast<std::size_t>(i)], 0);
        }
      }
    }
  }
}

TEST(PuctSearch, TheBeginningOfAHybridSearchIsAGumbelSearch) {
  HashEvaluator evaluator(28);
  const Position root(rules_of(9, 9, 7));
  const auto gumbel = search_position(algorithm_of("gumbel", 32, 1), root, 5, evaluator);
  EXPECT_EQ(search_position(algorithm_of("hybrid", 32, 1), root, 5, evaluator).visits,
            gumbel.visits);
  const auto longer = search_position(algorithm_of("hybrid", 100, 1), root, 5, evaluator);
  for (std::size_t i = 0; i < gumbel.visits.size(); ++i) {
    EXPECT_GE(longer.visits[i], gumbel.visits[i]);
  }
}

TEST(SeveralLeaves, GiveTheSameGumbelSearch) {
  HashEvaluator evaluator(29);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const int side = 2 + static_cast<int>(seed % 8);
    const Position root = random_position(rules_of(side, side, 0.5), static_cast<int>(seed), seed);
    const SearchOptions options = options_of(90);
    const SearchResult one = search_position(options, root, seed, evaluator);
    for (const int leaves : {2, 8, 64}) {
      SCOPED_TRACE(leaves);
      expect_same(search_position(options, root, seed, evaluator, leaves), one);
    }
  }
}

TEST(SeveralLeaves, AreAllDifferentAndSpendTheSameVisits) {
  HashEvaluator evaluator(30);
  for (const std::string algorithm : {"puct", "hybrid"}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Position root = random_position(rules_of(5, 5, 0.5), static_cast<int>(seed), seed);
      Search search(algorithm_of(algorithm, 120), root, seed);
      std::vector<EvaluationInput> leaves(8);
      std::vector<Evaluation> answers(8);
      std::size_t most = 0;
      while (const int count = search.gather(leaves)) {
        const auto asked = static_cast<std::size_t>(count);
        most = std::max(most, asked);
        evaluator.evaluate({leaves.data(), asked}, {answers.data(), asked});
        search.absorb({answers.data(), asked});
      }
      EXPECT_GT(most, 3U);
      EXPECT_EQ(sum_of(search.result().visits), 120);
    }
  }
}

TEST(SeveralLeaves, GoWhereSimulationsUnderWayAreNot) {
  // All moves alike: eight leaves are eight moves.
  UniformEvaluator evaluator;
  Search search(algorithm_of("puct", 9), Position(rules_of(5, 5, 0.5)), 1);
  EvaluationInput root;
  Evaluation answer;
  ASSERT_TRUE(search.gather(root));
  evaluator.evaluate({&root, 1}, {&answer, 1});
  search.absorb(answer);
  std::vector<EvaluationInput> leaves(8);
  ASSERT_EQ(search.gather(leaves), 8);
  std::set<std::vector<int>> moves;
  for (const EvaluationInput& leaf : leaves) {
    std::vector<int> stones;
    leaf.features.planes[kPlaneOpponentStones].for_each([&](int i) { stones.push_back(i); });
    moves.insert(stones);
  }
  EXPECT_EQ(moves.size(), 8U);
}

}  // namespace
}  // namespace tengen
