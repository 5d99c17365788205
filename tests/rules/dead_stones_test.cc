#include "rules/dead_stones.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "rules/local_reading.h"
#include "rules/playout.h"
#include "rules/position.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

// A diagram in which x and o are dead stones, b and w unsettled ones of Black and White.
struct Case {
  Board board;
  DeadStonesVerdict expected;

  static Case of(std::string_view diagram) {
    std::string upper;
    Case found{Board(BoardSize::square(2)), {}};
    int i = 0;
    for (const char ch : diagram) {
      const bool is_blank = std::isspace(static_cast<unsigned char>(ch)) != 0;
      if (ch == 'x' || ch == 'o') found.expected.dead.insert(i);
      if (ch == 'b' || ch == 'w') found.expected.unsettled.insert(i);
      if (!is_blank) ++i;
      upper += ch == 'x' || ch == 'b' ? 'X' : ch == 'o' || ch == 'w' ? 'O' : ch;
    }
    found.board = board_from_text(upper);
    return found;
  }

  // The diagram of a verdict on this board.
  std::string draw(const DeadStonesVerdict& verdict) const {
    std::string text = board.to_text();
    for (int i = 0; i < board.size().area(); ++i) {
      char& ch = text[2 * static_cast<std::size_t>(i)];
      if (verdict.dead.contains(i)) ch = ch == 'X' ? 'x' : 'o';
      if (verdict.unsettled.contains(i)) ch = ch == 'X' ? 'b' : 'w';
    }
    return text;
  }
};

Board image_of(const Board& board, Symmetry s, bool swaps) {
  const auto black = s.apply(board.stones(Color::kBlack), board.size());
  const auto white = s.apply(board.stones(Color::kWhite), board.size());
  return *Board::from_stones(board.size(), swaps ? white : black, swaps ? black : white);
}

Rules rules_for(const Board& board) {
  Rules rules;
  rules.size = board.size();
  rules.dead_stones = DeadStones::kAutomatic;
  return rules;
}

// Judges the diagram in all its images; returns the level.
JudgeLevel expect_verdict(std::string_view diagram, const JudgeOptions& options = {}) {
  const Case c = Case::of(diagram);
  const BoardSize size = c.board.size();
  JudgeLevel level = JudgeLevel::kPassAlive;
  for (int s = 0; s < Symmetry::count(size); ++s) {
    const Symmetry symmetry(s);
    for (const bool swaps : {false, true}) {
      const Board board = image_of(c.board, symmetry, swaps);
      const DeadStonesVerdict verdict = judge_dead_stones(board, rules_for(board), options);
      DeadStonesVerdict back = verdict;
      back.dead = symmetry.inverse().apply(verdict.dead, size);
      back.unsettled = symmetry.inverse().apply(verdict.unsettled, size);
      EXPECT_EQ(c.draw(back), c.draw(c.expected)) << "symmetry " << s << ", swaps " << swaps;
      level = verdict.level;
    }
  }
  return level;
}

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

// Neither side can play on the two shared liberties.
TEST(DeadStones, ASekiWithoutEyesStays) {
  expect_verdict(R"(
      . . X O . X O . .
      . . X O . X O . .
      . . X O O X O . .
      . . . X X O O . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
}

TEST(DeadStones, ASekiWithAnEyeEachStays) {
  expect_verdict(R"(
      X O . O . X . X O
      X O O O O X X X O
      X X X X X O O O O
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
}

TEST(DeadStones, ASekiInTheCornerStays) {
  expect_verdict(R"(
      . O O O . X O . .
      X X X X X X O . .
      O O O O O O O . .
      . . . . . . . . .
      O O O O O O O O O
      X X X X X X X X X
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ASekiWithOpenDameStays) {
  expect_verdict(R"(
      . X . O . X . O .
      . X X O . X O O .
      . . X O O X O . .
      . . . X X O O . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
  expect_verdict(R"(
      . O O O . X . O .
      X X X X X X O O .
      O O O O O O O . .
      . . . . . . . . .
      O O O O O O O O O
      X . X X X X . X X
      . X . . . . X . .
      . . . . . . . . .
      . . . . . . . . .)");
}

// Four stones in a row are no nakade.
TEST(DeadStones, ASekiInsideALargeTerritoryStays) {
  expect_verdict(R"(
      . O O O O O O O O O X . .
      . O X X X X X X X O X . .
      . O X . O O O . X O X . .
      . O X X X X X X X O X . .
      . O O O O O O O O O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .
      . . . . . . . . . O X . .)");
}

TEST(DeadStones, TwoSekisOnALargeBoardStay) {
  expect_verdict(R"(
      . . X O . X O . . . . . . . . . . . .
      . . X O . X O . . . . . . . . . . . .
      . . X O O X O . . . . . . . . . . . .
      . . . X X O O . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      . . . . X O . . . . . . . . . . . . .
      X X X X X O O O O O O O O O O O O O O
      O O O O O X X X X X X X X X X X X X X
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . o . . . . . . .
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . . . . . . . . .
      . . . . O X . . . . . . X X X X X X X
      . . . . O X . . . . . . X O O O O O O
      . . . . O X . . . . . . X O . X X X .)");
}

TEST(DeadStones, ABentFourInTheCornerKills) {
  expect_verdict(R"(
      X X . o X . . . .
      X o o o X . . . .
      . o X X X . . . .
      o o X . . . . . .
      X X X . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ABentFourWithOpenDameKills) {
  expect_verdict(R"(
      X X . o . X . . .
      X o o o . X . . .
      . o X X X X . . .
      o o . X . . . . .
      . X X X . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ABulkyFiveInsideKills) {
  expect_verdict(R"(
      X X X . o X . . .
      X X o o o X . . .
      o o o X X X . . .
      X X X X . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, ThreeStonesInsideKill) {
  expect_verdict(R"(
      . X X X o X . . .
      o o o o o X . . .
      . X X X X X . . .
      X X . . . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, AStoneOnTheVitalPointKills) {
  expect_verdict(R"(
      . X . o X . . . .
      o o o o X . . . .
      X X X X X . . . .
      . . . . . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, AFalseEyeDoesNotLive) {
  expect_verdict(R"(
      . o . o X . . . .
      o o o X X . . . .
      X X X . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, SmallGroupsWithTwoEyesLive) {
  expect_verdict(R"(
      . O . O X . . . .
      O O O O X . X X X
      X X X X X X X O O
      . . . . . . X O O
      X X X . . . X X O
      O O X . . . X O O
      . O X . . . X O .
      O O X X X X X O O
      . O X X X O O O .)");
  expect_verdict(R"(
      . . . . O X . . .
      O O O O O X . . .
      X X X X X X X X X
      X X X . . . X O O
      O O X . . . X O .
      . O X . . . X O .
      O O X . . . X O .
      . O X X X X X O .
      O O X . . . X O O)");
}

TEST(DeadStones, DeadStonesInAnEyeOfALivingGroup) {
  expect_verdict(R"(
      . x x x O X . . .
      O O O O O X . . .
      . O X X X X . . .
      O O X . . . . . .
      X X X . . . . . .
      X X X X X X X X X
      O O O O O O O O O
      . . . . . . . . .
      . . . . . . . . .)");
}

TEST(DeadStones, AnOpenKoIsUnsettled) {
  expect_verdict(R"(
      . . . . X O . . .
      . . . . X O . . .
      . . . X w . O . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .)");
}

TEST(DeadStones, StonesInAtariAreReadOut) {
  expect_verdict(R"(
      . . . X O . . . .
      . . . X O . . . .
      . . . X O O . . .
      . . . X X O . . .
      . . . . X O . . .
      . . . . X O O O .
      . . . . X X O x O
      . . . . . X O x O
      . . . . . X O . O)");
}

// White can take the black stone in atari, but is taken for it with four others.
TEST(DeadStones, AStoneWhoseCaptureCostsTheCaptorsIsNotDead) {
  expect_verdict(R"(
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . . . . X O . . .
      . X X X X O . . .
      X o o o X O . . .
      X . X o X O . . .)");
}

TEST(DeadStones, KillingShapesOnALargeBoardKill) {
  expect_verdict(R"(
      X X . o X . . X o . X . o
      X o o o X . . X o o o o o
      . o X X X . . X X X X X X
      o o X . . . . . . . . . .
      X X X . . . . . . . . . .
      . . . . . . . . . . . . .
      X X X X X X X X X X X X X
      O O O O O O O O O O O O O
      . . . . . . . . . . . . .
      . . x . . . . . . . . . .
      . . . . . . . x x . . . .
      . . . . . . . . . . . . .
      . . . . . . . . . . . . .)");
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

TEST(LocalReading, ReadsWhatDecidesAChain) {
  const auto read = [](std::string_view diagram, Point target, int max_nodes = 4000) {
    const Board board = board_from_text(diagram);
    return read_chain(board, PointSet::all(board.size()), target, max_nodes);
  };
  EXPECT_EQ(read(R"(
      . X . X
      X X X X
      . . . .)",
                 Point::at(0, 1)),
            Reading::kSafe);
  EXPECT_EQ(read(R"(
      . . . O X . X
      O O O O X X X
      X X X X X . X)",
                 Point::at(1, 0)),
            Reading::kUnsettled);
  EXPECT_EQ(read(R"(
      . . O X . X
      O O O X X X
      X X X X . X)",
                 Point::at(1, 0)),
            Reading::kCaptured);
  EXPECT_EQ(read(R"(
      . . . O X . X
      O O O O X X X
      X X X X X . X)",
                 Point::at(1, 0), 1),
            Reading::kUnknown);
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
