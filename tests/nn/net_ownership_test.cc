#include "nn/net_ownership.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rules/board.h"

namespace tengen {
namespace {

constexpr float kSure = 1.5F;  // before tanh

// Says that each stone owns its point, and counts what it is asked.
struct StonesOwn {
  std::vector<EvaluationInput> asked;

  std::vector<RawOutputs> operator()(std::span<const EvaluationInput> inputs) {
    std::vector<RawOutputs> outputs;
    for (const EvaluationInput& input : inputs) {
      asked.push_back(input);
      auto& owned = outputs.emplace_back().ownership;
      for (int i = 0; i < input.features.size.area(); ++i) {
        const auto& planes = input.features.planes;
        owned.push_back(planes[1].contains(i) ? kSure : planes[2].contains(i) ? -kSure : 0.F);
      }
    }
    return outputs;
  }
};

Rules rules_on(BoardSize size) {
  Rules rules;
  rules.size = size;
  return rules;
}

TEST(NetOwnership, IsOfBlackWhoeverIsToMove) {
  const Board board = board_from_text(R"(
    . X . .
    X O O .
    . X . .)");
  StonesOwn net;
  NetOwnership ownership(std::ref(net), FeatureSchema::kV7);
  const auto black = ownership.black_ownership(board, rules_on(board.size()));
  ASSERT_EQ(std::ssize(black), board.size().area());
  for (int i = 0; i < board.size().area(); ++i) {
    const Stone stone = board.stone_at(board.size().point(i));
    const float expected = stone == Stone::kEmpty   ? 0.F
                           : stone == Stone::kBlack ? std::tanh(kSure)
                                                    : -std::tanh(kSure);
    EXPECT_NEAR(black[static_cast<std::size_t>(i)], expected, 1e-6) << i;
  }
}

TEST(NetOwnership, AsksForBothSidesThroughAllSymmetries) {
  for (const BoardSize size : {BoardSize{5, 5}, BoardSize{4, 3}}) {
    StonesOwn net;
    NetOwnership ownership(std::ref(net), FeatureSchema::kV7);
    ownership.black_ownership(Board(size), rules_on(size));
    std::set<std::pair<float, int>> seen;  // komi as the side to move has it, and symmetry
    for (const EvaluationInput& input : net.asked) {
      seen.emplace(input.features.scalars[5], input.symmetry.index());
    }
    EXPECT_EQ(std::ssize(net.asked), 2 * Symmetry::count(size));
    EXPECT_EQ(std::ssize(seen), 2 * Symmetry::count(size));
  }
}

}  // namespace
}  // namespace tengen
