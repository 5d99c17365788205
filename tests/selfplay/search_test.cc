#include "selfplay/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "rules/check.h"
#include "rules/playout.h"
#include "rules/rng.h"
#include "selfplay/utility.h"

namespace tengen {
namespace {

Rules rules_of(int width, int height, double komi) {
  Rules rules;
  rules.size = {static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
  rules.komi = Komi::from_half_points(static_cast<int>(2 * komi));
  return rules;
}

Position position_of(std::string_view diagram, Color to_move, double komi) {
  const Board board = board_from_text(diagram);
  return Position(rules_of(board.size().width, board.size().height, komi), board, to_move);
}

Position random_position(const Rules& rules, int plies, std::uint64_t seed) {
  Position position(rules);
  Rng rng(seed, 99);
  for (int i = 0; i < plies; ++i) {
    const Move move = random_move(position, rng);
    if (move.is_pass()) break;
    position.play(move);
  }
  return position;
}

SearchOptions options_of(int visits, double gumbel_scale = 1) {
  SearchOptions options;
  options.visits = visits;
  options.gumbel_scale = gumbel_scale;
  return options;
}

int sum_of(const std::vector<int>& visits) {
  return std::accumulate(visits.begin(), visits.end(), 0);
}

void expect_same(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.move, b.move);
  EXPECT_EQ(a.policy, b.policy);
  EXPECT_EQ(a.prior, b.prior);
  EXPECT_EQ(a.visits, b.visits);
  EXPECT_EQ(a.win, b.win);
  EXPECT_EQ(a.utility, b.utility);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.raw_win, b.raw_win);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

// Answers by a function of the features; the symmetry is not looked at.
class FunctionEvaluator : public Evaluator {
 public:
  using Function = std::function<void(const Features&, Evaluation&)>;
  explicit FunctionEvaluator(Function function) : function_(std::move(function)) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      outputs[i] = Evaluation{};
      outputs[i].policy_logits.fill(0);
      function_(inputs[i].features, outputs[i]);
    }
  }
  int batch_size() const override { return 1; }
  std::string id() const override { return "function"; }

 private:
  Function function_;
};

// ------------------------------------------------------------------------------ what always holds

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

// ------------------------------------------------------------------------------- ends of the game

// White to move after Black's pass; both colours' moves into the last eyes are suicide or, for
// Black, not White's to play: White can only pass, which ends the game at 6 points for Black before
// komi.
Position only_a_pass_is_left(double komi) {
  Position position = position_of(R"(
      X X .
      . X X)",
                                  Color::kBlack, komi);
  position.play(Move::pass());
  return position;
}

TEST(Search, AFinishedGameCountsExactlyAndAsksNoNetwork) {
  HashEvaluator evaluator(1);
  struct Case {
    double komi, win, margin;
  };
  for (const Case c : {Case{4.5, 0, -1.5}, Case{6, 0.5, 0}, Case{7.5, 1, 1.5}}) {
    const Position root = only_a_pass_is_left(c.komi);
    const SearchResult r = search_position(options_of(10), root, 1, evaluator);
    EXPECT_EQ(r.move, Move::pass());
    EXPECT_EQ(r.visits[6], 10);
    EXPECT_EQ(r.evaluations, 1);
    EXPECT_EQ(r.policy[6], 1);
    EXPECT_FLOAT_EQ(r.win, static_cast<float>(c.win));
    EXPECT_FLOAT_EQ(r.score, static_cast<float>(c.margin));
    EXPECT_NEAR(r.utility, utility_of(c.win, 1 - c.win, c.margin, 0.2, 6), 1e-6);
  }
}

TEST(Search, PassesToEndAWonGame) {
  UniformEvaluator evaluator;
  Position root = position_of(R"(
      . X . O .
      X X . O O
      X X . O .
      X X X O O
      . X . O .)",
                              Color::kWhite, 0.5);
  root.play(Move::pass());  // Black has 13 stones and eyes, White fewer
  const SearchResult r = search_position(options_of(32, 0), root, 1, evaluator);
  ASSERT_EQ(root.score().winner(), Color::kBlack);
  EXPECT_EQ(r.move, Move::pass());
  EXPECT_GT(r.policy[25], 0.9F);
  EXPECT_GT(r.win, 0.9F);
}

TEST(Search, DoesNotEndALostGame) {
  UniformEvaluator evaluator;
  Position root = position_of(R"(
      . X . O .
      X X . O O
      X X . O .
      X X X O O
      . X . O .)",
                              Color::kWhite, 9.5);
  root.play(Move::pass());
  ASSERT_EQ(root.score().winner(), Color::kWhite);
  const SearchResult r = search_position(options_of(32, 0), root, 1, evaluator);
  EXPECT_NE(r.move, Move::pass());
  EXPECT_LT(r.policy[25], 0.01F);
}

TEST(Search, ARootAfterTwoPassesIsSearchedAsIfTheGameWentOn) {
  HashEvaluator evaluator(1);
  Position root(rules_of(3, 3, 0));
  root.play(Move::pass());
  root.play(Move::pass());
  EXPECT_EQ(sum_of(search_position(options_of(16), root, 1, evaluator).visits), 16);
}

TEST(Search, TheScoreBreaksTiesBetweenWinningMoves) {
  // Black wins at this komi whatever it does, but only the pass keeps every point: moves into its
  // own two eyes let White in.
  UniformEvaluator evaluator;
  Position root = position_of(R"(
      . X X O .
      X X X O O
      . X X O .)",
                              Color::kWhite, -8.5);
  root.play(Move::pass());
  SearchOptions options = options_of(64, 0);
  options.score_weight = 0.4;
  const SearchResult r = search_position(options, root, 1, evaluator);
  EXPECT_EQ(r.move, Move::pass());
}

// ------------------------------------------------------------------------------------- symmetries

// Hash answers seen through a symmetry: what it says of a turned position is what the plain hash
// evaluator says of the original, turned.
FunctionEvaluator turned_hash_evaluator(Symmetry symmetry) {
  return FunctionEvaluator([symmetry](const Features& f, Evaluation& e) {
    EvaluationInput original{transformed(f, symmetry.inverse()), Symmetry()};
    Evaluation plain;
    HashEvaluator(7).evaluate({&original, 1}, {&plain, 1});
    e = plain;
    for (int i = 0; i <= f.size.area(); ++i) {
      const Move turned = symmetry.apply(move_at(i, f.size), f.size);
      e.policy_logits[static_cast<std::size_t>(policy_index(turned, f.size))] =
          plain.policy_logits[static_cast<std::size_t>(i)];
    }
  });
}

TEST(Search, ATurnedPositionWithTurnedAnswersGivesTheTurnedResult) {
  HashEvaluator plain(7);
  for (int s = 0; s < Symmetry::kCount; ++s) {
    const Symmetry symmetry(s);
    FunctionEvaluator turned_evaluator = turned_hash_evaluator(symmetry);
    Position root(rules_of(5, 5, 0.5));
    Position turned = root;
    Rng rng(static_cast<std::uint64_t>(s));
    for (int ply = 0; ply < 12; ++ply) {
      const SearchResult a = search_position(options_of(48, 0), root, 1, plain);
      const SearchResult b = search_position(options_of(48, 0), turned, 1, turned_evaluator);
      ASSERT_EQ(symmetry.apply(a.move, root.size()), b.move);
      EXPECT_FLOAT_EQ(a.utility, b.utility);
      for (int i = 0; i <= root.size().area(); ++i) {
        const int j =
            policy_index(symmetry.apply(move_at(i, root.size()), root.size()), root.size());
        ASSERT_EQ(a.visits[static_cast<std::size_t>(i)], b.visits[static_cast<std::size_t>(j)]);
        ASSERT_NEAR(a.policy[static_cast<std::size_t>(i)], b.policy[static_cast<std::size_t>(j)],
                    1e-5);
      }
      const Move move = random_move(root, rng);
      turned.play(symmetry.apply(move, root.size()));
      root.play(move);
    }
  }
}

TEST(Search, SwappedColoursAndKomiGiveTheSameResult) {
  HashEvaluator evaluator(8);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Position root(rules_of(4, 4, 1.5));
    Position swapped(rules_of(4, 4, -1.5), Board(BoardSize::square(4)), Color::kWhite);
    Rng rng(seed);
    for (int ply = 0; ply < 14; ++ply) {
      const Move move = random_move(root, rng);
      root.play(move);
      swapped.play(move);
    }
    // To the end of the game in the tree: many of these simulations meet finished games.
    expect_same(search_position(options_of(300), root, seed, evaluator),
                search_position(options_of(300), swapped, seed, evaluator));
  }
}

}  // namespace
}  // namespace tengen
