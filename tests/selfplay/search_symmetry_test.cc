// Turned boards and swapped colours.

#include <gtest/gtest.h>

#include "search_fixture.h"

namespace tengen {
namespace {

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

class SearchSymmetry : public testing::TestWithParam<std::string_view> {
 protected:
  SearchOptions options(int visits) const {
    SearchOptions o = options_of(visits, 0);
    o.algorithm = GetParam();
    o.puct.subtree_bias = 0.3;
    return o;
  }
};

TEST_P(SearchSymmetry, ATurnedPositionWithTurnedAnswersGivesTheTurnedResult) {
  HashEvaluator plain(7);
  for (int s = 0; s < Symmetry::kCount; ++s) {
    const Symmetry symmetry(s);
    FunctionEvaluator turned_evaluator = turned_hash_evaluator(symmetry);
    Position root(rules_of(5, 5, 0.5));
    Position turned = root;
    Rng rng(static_cast<std::uint64_t>(s));
    for (int ply = 0; ply < 12; ++ply) {
      const SearchResult a = search_position(options(48), root, 1, plain);
      const SearchResult b = search_position(options(48), turned, 1, turned_evaluator);
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

TEST_P(SearchSymmetry, SwappedColoursAndKomiGiveTheSameResult) {
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
    expect_same(search_position(options(300), root, seed, evaluator),
                search_position(options(300), swapped, seed, evaluator));
  }
}

INSTANTIATE_TEST_SUITE_P(AllAlgorithms, SearchSymmetry, testing::ValuesIn(kSearchAlgorithms),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace tengen
