// The search and the rules: finished games, superko.

#include <gtest/gtest.h>

#include <optional>

#include "nn/features.h"
#include "search_fixture.h"
#include "selfplay/utility.h"

namespace tengen {
namespace {

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
  // At this komi Black has won if White owns the whole board, so all its moves win alike. The pass
  // ends the game with every point kept; after a move into one of its two eyes White takes all.
  Position root = position_of(R"(
      . X X O .
      X X X O O
      . X X O .)",
                              Color::kWhite, -15.5);
  root.play(Move::pass());
  FunctionEvaluator evaluator([](const Features& f, Evaluation& answer) {
    const bool is_black = f.scalars[kScalarSelfKomi] > 0;
    answer.win = is_black ? 1 : 0;
    answer.loss = 1 - answer.win;
    answer.score =
        static_cast<float>(f.planes[kPlaneOwnArea].count() - f.planes[kPlaneOpponentArea].count()) +
        (is_black ? 15.5F : -15.5F);
  });
  SearchOptions options = options_of(64, 0);
  options.score_weight = 0;
  const SearchResult without = search_position(options, root, 1, evaluator);
  EXPECT_EQ(without.win, 1);
  EXPECT_NE(without.move, Move::pass());  // of equals the first
  options.score_weight = 0.4;
  const SearchResult with = search_position(options, root, 1, evaluator);
  EXPECT_EQ(with.win, 1);
  EXPECT_EQ(with.move, Move::pass());
}

// The position reached from `root` by the last `plies` moves that the features show, if they are
// all legal.
std::optional<Position> replayed(const Position& root, const Features& leaf, int plies) {
  Position position = root;
  for (int back = plies; back >= 1; --back) {
    Move move = Move::pass();
    leaf.planes[static_cast<std::size_t>(kPlaneMove1 + back - 1)].for_each(
        [&](int i) { move = root.size().point(i); });
    if (!position.is_legal(move)) return std::nullopt;
    position.play(move);
  }
  return position;
}

TEST(Search, EveryLeafIsReachedFromTheRootByLegalMoves) {
  HashEvaluator evaluator(9);
  int leaves_with_bans = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int width = 2 + static_cast<int>(seed % 2);
    const Position root =
        random_position(rules_of(width, 2, 0.5), static_cast<int>(seed % 12), seed);
    // Two visits per move give no move more than four, so no leaf lies deeper than the history.
    const int visits = 2 * (root.legal_points().count() + 1);
    Search search(options_of(visits), root, seed);
    EvaluationInput leaf;
    Evaluation answer;
    while (search.gather(leaf)) {
      bool is_found = false;
      for (int plies = 0; plies <= kHistoryPlies && !is_found; ++plies) {
        const std::optional<Position> position = replayed(root, leaf.features, plies);
        is_found = position && features_of(*position) == leaf.features;
        if (is_found && !position->ko_banned().is_empty()) ++leaves_with_bans;
      }
      ASSERT_TRUE(is_found) << "seed " << seed;
      evaluator.evaluate({&leaf, 1}, {&answer, 1});
      search.absorb(answer);
    }
  }
  EXPECT_GT(leaves_with_bans, 30);  // superko is at work
}

TEST(Search, NeverPlaysWhatSuperkoForbidsOverWholeGames) {
  HashEvaluator evaluator(6);
  int banned = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Position game(rules_of(2 + static_cast<int>(seed % 2), 2, 0.5));
    Search search(options_of(8), game, seed);
    for (int ply = 0; ply < 60 && !game.is_over(); ++ply) {
      search.reset(options_of(8), game, seed + 1000 * static_cast<std::uint64_t>(ply));
      EvaluationInput leaf;
      Evaluation answer;
      while (search.gather(leaf)) {
        evaluator.evaluate({&leaf, 1}, {&answer, 1});
        search.absorb(answer);
      }
      const SearchResult r = search.result();
      game.ko_banned().for_each([&](int i) {
        ++banned;
        EXPECT_EQ(r.visits[static_cast<std::size_t>(i)], 0);
        EXPECT_EQ(r.policy[static_cast<std::size_t>(i)], 0);
      });
      ASSERT_TRUE(game.is_legal(r.move));
      game.play(r.move);
    }
  }
  EXPECT_GT(banned, 20);
}

}  // namespace
}  // namespace tengen
