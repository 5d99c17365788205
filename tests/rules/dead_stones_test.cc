#include "rules/dead_stones.h"

#include <gtest/gtest.h>

#include "dead_stones_cases.h"
#include "rules/playout.h"
#include "rules/position.h"

namespace tengen {
namespace {

TEST(DeadStones, PassAliveStonesSettleThemselves) {
  EXPECT_EQ(expect_verdict(R"(
      . X o . X O . O O
      X X X X X O O O .
      X . X o . X O O O
      X X X X X X O . .
      X X X X X X O O O
      O O O O O O O O .
      O . O x . O . O O
      O O O O O O O O O
      . O . O . O . O .)"),
            JudgeLevel::kPassAlive);
}

TEST(DeadStones, InvadersInATerritoryAreDead) {
  expect_verdict(R"(
      . . . . X O . . .
      . o . . X O . . .
      . . . . X O . x .
      . . o . X O . . .
      . . . . X O . . .
      . . . X X O . . .
      . . . X O O . x .
      . . . X O . . x .
      . . . X O . . . .)");
  expect_verdict(R"(
      . . . X O . . . .
      . . X X O . x . .
      . . X O O . x x .
      X X X O . . . . .
      O O O O O O O O O
      X X X X X X X X X
      . . . . . . . . .
      . o o . . . . o .
      . . . . . . . . .)");
}

TEST(DeadStones, NothingIsDeadWhereNobodyInvaded) {
  expect_verdict(R"(
      . . . . X O . . .
      . . . X . . O . .
      . . . X . O . . .
      . . X . X O O O O
      X X X X O . O X X
      O O O X O O O X .
      . . O O X X X X .
      . . . O O X . . .
      . . . . O X . . .)");
}

TEST(DeadStones, TheVerdictIsTheSameEachTime) {
  const Board board = Case::of(R"(
      . . . . X O . . .
      . O . . X O . . .
      . . . X X O . X .
      . . O . X O . . .
      . . . . X O . X .
      . O . . X O . . .
      . . . X O O . X .
      . . . X O . . X .
      . . . X O . . . .)")
                          .board;
  const DeadStonesVerdict once = judge_dead_stones(board, rules_for(board));
  const DeadStonesVerdict again = judge_dead_stones(board, rules_for(board));
  EXPECT_EQ(once.dead, again.dead);
  EXPECT_EQ(once.unsettled, again.unsettled);
}

TEST(DeadStones, PassAliveAnalysisIsNeverOverruledAndImagesAgreeOnRandomBoards) {
  for (int game = 0; game < 40; ++game) {
    Rng rng(11, game);
    Rules rules;
    rules.size = {static_cast<std::int8_t>(3 + rng.below(6)),
                  static_cast<std::int8_t>(3 + rng.below(6))};
    Position position(rules);
    play_random_game(position, rng, 20 + static_cast<int>(rng.below(120)));
    const Board& board = position.board();
    const auto verdict = judge_dead_stones(board, rules, {.playouts = 20, .max_nodes = 200});
    for (const Color c : {Color::kBlack, Color::kWhite}) {
      const PassAlive alive = pass_alive(board, c, false);
      EXPECT_TRUE((alive.stones & (verdict.dead | verdict.unsettled)).is_empty());
      EXPECT_TRUE(((alive.territory & board.stones(opponent(c))) - verdict.dead).is_empty());
    }
    EXPECT_TRUE((verdict.dead & verdict.unsettled).is_empty());
    const Symmetry s(
        static_cast<int>(rng.below(static_cast<std::uint32_t>(Symmetry::count(rules.size)))));
    const auto image = judge_dead_stones(image_of(board, s, true), rules_for(board),
                                         {.playouts = 20, .max_nodes = 200});
    EXPECT_EQ(s.apply(verdict.dead, rules.size), image.dead) << board.to_text();
    EXPECT_EQ(s.apply(verdict.unsettled, rules.size), image.unsettled) << board.to_text();
  }
}

TEST(DeadStones, WithoutPlayoutsOnlyPassAliveTerritorySettlesStones) {
  EXPECT_EQ(expect_verdict(R"(
      . X o . X X w . w
      X X X X X X w w .
      . . . . . X X X w
      . . . X X X . X w
      . . . X . X X X .)",
                           {.playouts = 0}),
            JudgeLevel::kPassAlive);
}

// A network that gives the same to every point.
class Flat : public OwnershipSource {
 public:
  explicit Flat(float black) : black_(black) {}
  std::vector<float> black_ownership(const Board& board, const Rules&) override {
    ++calls_;
    return std::vector<float>(static_cast<std::size_t>(board.size().area()), black_);
  }
  int calls() const { return calls_; }

 private:
  float black_;
  int calls_ = 0;
};

constexpr const char* kOpenKo = R"(
      . . . . X O . . .
      . . . . X O . . .
      . . . X O . O . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)";

TEST(DeadStones, OwnershipDecidesWhatIsUnsettledIfItIsFirm) {
  const Board board = board_from_text(kOpenKo);
  for (const float black : {-0.9F, 0.F, 0.9F}) {
    Flat flat(black);
    const auto verdict = judge_dead_stones(board, rules_for(board), {.ownership = &flat});
    EXPECT_EQ(verdict.level, JudgeLevel::kOwnership);
    EXPECT_EQ(verdict.dead.count(), black > 0.5F ? 1 : 0);
    EXPECT_EQ(verdict.unsettled.count(), black == 0.F ? 1 : 0);
  }
}

TEST(DeadStones, OwnershipIsNotAskedForWhatIsClear) {
  const Board board = board_from_text(R"(
      . . . X O . .
      . O . X O . .
      . . . X O X .
      . . . X O . .
      . . . X O . .)");
  Flat flat(0.F);
  const auto verdict = judge_dead_stones(board, rules_for(board), {.ownership = &flat});
  EXPECT_EQ(flat.calls(), 0);
  EXPECT_EQ(verdict.level, JudgeLevel::kPlayouts);
  EXPECT_EQ(verdict.dead.count(), 2);
}

TEST(DeadStones, APositionScoresByTheVerdict) {
  const Board board = board_from_text(R"(
      . . . X O . .
      . O . X O . .
      . . . X O X .
      . . . X O . .
      . . . X O . .)");
  Rules rules = rules_for(board);
  rules.scoring = Scoring::kTerritory;
  rules.komi = Komi::from_half_points(0);
  for (const Color to_move : {Color::kBlack, Color::kWhite}) {
    const Score score = Position(rules, board, to_move).score();
    EXPECT_EQ(score.black_margin_half_points(), 2 * ((15 + 1) - (10 + 1)));
  }
}

}  // namespace
}  // namespace tengen
