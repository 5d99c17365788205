#include "nn/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/playout.h"

namespace tengen {
namespace {

Rules rules_for(BoardSize size, Ko ko = Ko::kPositional, int komi_half_points = 15) {
  Rules rules;
  rules.size = size;
  rules.ko = ko;
  rules.komi = Komi::from_half_points(komi_half_points);
  return rules;
}

void play(Position& position, const std::vector<std::string>& moves) {
  for (const std::string& text : moves) {
    const auto move = parse_move(text, position.size());
    ASSERT_TRUE(move && position.is_legal(*move)) << text;
    position.play(*move);
  }
}

// The names of a plane's points in the order of their numbers: "A5 C3".
std::string points(const Features& f, int plane) {
  std::string text;
  f.planes[plane].for_each([&](int i) {
    if (!text.empty()) text += ' ';
    text += to_text(f.size.point(i), f.size);
  });
  return text;
}

TEST(Features, StonesAndBoardAreSeenByTheSideToMove) {
  Position position(rules_for({4, 3}), board_from_text(R"(
      . X . .
      . X O .
      . . . .)"),
                    Color::kWhite);
  const Features f = features_of(position);
  EXPECT_EQ(f.size, (BoardSize{4, 3}));
  EXPECT_EQ(f.planes[kPlaneOnBoard], PointSet::all({4, 3}));
  EXPECT_EQ(points(f, kPlaneOwnStones), "C2");
  EXPECT_EQ(points(f, kPlaneOpponentStones), "B3 B2");
}

TEST(Features, LibertyPlanesHoldChainsOfExactlyOneTwoAndThree) {
  // A5: one liberty (A4). E5 and E4: two (E3, D5). C3 and D3: B3, C2, D2 and E3 are four, hence in
  // no plane. C4 and B4: A4, B3 and B5 are three. A1: two.
  Position position(rules_for(BoardSize::square(5)), board_from_text(R"(
      O . X . O
      . X X X O
      . . O O .
      . . . . .
      X . . . .)"),
                    Color::kBlack);
  const Features f = features_of(position);
  const Board& board = position.board();
  for (int n = 1; n <= 3; ++n) {
    PointSet expected;
    (board.stones(Color::kBlack) | board.stones(Color::kWhite)).for_each([&](int i) {
      if (board.liberties(f.size.point(i)) == n) expected.insert(i);
    });
    EXPECT_EQ(f.planes[kPlaneLiberties1 + n - 1], expected) << n << " liberties";
  }
  EXPECT_EQ(points(f, kPlaneLiberties1), "");
  EXPECT_EQ(points(f, kPlaneLiberties1 + 1), "A5 E5 E4 A1");
  EXPECT_EQ(points(f, kPlaneLiberties1 + 2), "");
}

TEST(Features, HistoryPlanesHoldTheLastFiveMovesAndScalarsTheirPasses) {
  Position position(rules_for(BoardSize::square(5)));
  play(position, {"A1", "B2", "C3", "pass", "E5", "D4"});
  const Features f = features_of(position);
  const char* expected[] = {"D4", "E5", "", "C3", "B2"};
  for (int back = 0; back < kHistoryPlies; ++back) {
    EXPECT_EQ(points(f, kPlaneMove1 + back), expected[back]) << "ply " << back + 1;
    EXPECT_EQ(f.scalars[kScalarPass1 + back], back == 2 ? 1.F : 0.F) << "ply " << back + 1;
  }
}

TEST(Features, ShortHistoryLeavesPlanesEmpty) {
  Position position(rules_for(BoardSize::square(5)));
  Features f = features_of(position);
  for (int back = 0; back < kHistoryPlies; ++back) EXPECT_EQ(points(f, kPlaneMove1 + back), "");
  play(position, {"A1", "pass"});
  f = features_of(position);
  EXPECT_EQ(points(f, kPlaneMove1), "");
  EXPECT_EQ(points(f, kPlaneMove1 + 1), "A1");
  EXPECT_EQ(f.scalars[kScalarPass1], 1.F);
  EXPECT_EQ(f.scalars[kScalarPass1 + 1], 0.F);
  EXPECT_EQ(points(f, kPlaneMove1 + 2), "");
}

TEST(Features, HiddenHistoryLosesTheOldestMovesAndNothingElse) {
  Position position(rules_for(BoardSize::square(5)));
  play(position, {"A1", "B2", "pass", "D4", "E5", "C1"});
  const Features whole = features_of(position);
  Features features = whole;
  hide_history(features, kHistoryPlies);
  EXPECT_EQ(features, whole);
  hide_history(features, 3);
  EXPECT_EQ(points(features, kPlaneMove1), "C1");
  EXPECT_EQ(points(features, kPlaneMove1 + 2), "D4");
  EXPECT_EQ(features.scalars[kScalarPass1 + 3], 0);  // the pass, four plies ago
  EXPECT_EQ(whole.scalars[kScalarPass1 + 3], 1);
  EXPECT_EQ(points(features, kPlaneMove1 + 4), "");
  hide_history(features, 0);
  // What is left is what the same board says without a past.
  Position fresh(position.rules(), position.board(), position.to_move());
  EXPECT_EQ(features, features_of(fresh));
}

// The ladder planes: now | 1 ply ago | 2 plies ago | moves.
std::string ladders(const Features& f) {
  std::string text;
  for (int plane = kPlaneLadders; plane <= kPlaneLadderMoves; ++plane) {
    text += (plane > kPlaneLadders ? " | " : "") + points(f, plane);
  }
  return text;
}
std::string ladders(const Position& position) {
  return ladders(features_of(position, FeatureSchema::kV7));
}

class FeaturesLadders : public testing::Test {
 protected:
  Position position_ = Position(rules_for(BoardSize::square(7)), board_from_text(R"(
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . O O . . .
      . O X . . . .
      . . . . . . .
      . . . . . . .)"),
                                Color::kWhite);
};

TEST_F(FeaturesLadders, AreThoseOfTheBoardsWhoseMovesAreShown) {
  EXPECT_EQ(ladders(position_), "C3 | C3 | C3 | C2");
  position_.play(*parse_move("C2", position_.size()));
  EXPECT_EQ(ladders(position_), "C3 | C3 | C3 | ");
  position_.play(*parse_move("E2", position_.size()));  // breaks it
  EXPECT_EQ(ladders(position_), " | C3 | C3 | ");
  position_.play(Move::pass());
  EXPECT_EQ(ladders(position_), " |  | C3 | ");
  position_.set_to_move(Color::kWhite);  // White's pass does not count for White
  EXPECT_EQ(ladders(position_), " |  |  | ");
}

TEST_F(FeaturesLadders, AreHiddenWithTheMovesAfterThem) {
  play(position_, {"C2", "E2", "pass"});
  Features features = features_of(position_, FeatureSchema::kV7);
  hide_history(features, 2);
  EXPECT_EQ(ladders(features), " |  | C3 | ");
  hide_history(features, 1);
  EXPECT_EQ(ladders(features), " |  |  | ");
}

TEST_F(FeaturesLadders, AreLeftOutWhereTheSchemaHasNone) {
  const Features with = features_of(position_, FeatureSchema::kV7);
  Features without = features_of(position_, FeatureSchema::kV7NoLadders);
  EXPECT_EQ(ladders(without), " |  |  | ");
  for (int plane = kPlaneLadders; plane <= kPlaneLadderMoves; ++plane) {
    without.planes[plane] = with.planes[plane];
  }
  EXPECT_EQ(without, with);
}

// In clean-up phases a play that only lifts a block leaves the board before it as it was.
TEST(Features, LaddersOfGamesWithPhasesAreThoseOfTheirBoards) {
  for (int game = 0; game < 40; ++game) {
    Rules rules = rules_for({7, 6});
    rules.scoring = Scoring::kTerritory;
    rules.dead_stones = DeadStones::kPlayedOut;
    Position position(rules);
    Rng rng(11, game);
    std::vector<PointSet> captured;
    for (int ply = 0; !position.is_over() && ply < 300; ++ply) {
      const Features f = features_of(position, FeatureSchema::kV7);
      captured.push_back(f.planes[kPlaneLadders]);
      for (int back = 1; back <= 2; ++back) {
        const int there = std::min(back, shown_moves(position));
        ASSERT_EQ(f.planes[kPlaneLadders + back], captured[captured.size() - 1 - there])
            << "game " << game << " ply " << ply;
      }
      position.play(rng.below(12) == 0 ? Move::pass() : random_move(position, rng));
    }
  }
}

TEST(Features, ACapturedStoneStaysInTheHistoryPlanes) {
  Position position(rules_for(BoardSize::square(5)));
  play(position, {"B1", "A1", "A2"});
  const Features f = features_of(position);
  EXPECT_EQ(points(f, kPlaneOwnStones), "");
  EXPECT_EQ(points(f, kPlaneMove1), "A2");
  EXPECT_EQ(points(f, kPlaneMove1 + 1), "A1");
}

TEST(Features, HistoryEndsWhereOneSideMovedTwice) {
  Position position(rules_for(BoardSize::square(5)));
  play(position, {"A1", "B2"});
  position.set_to_move(Color::kWhite);
  Features f = features_of(position);  // White to move after White's B2: nothing alternates
  EXPECT_EQ(points(f, kPlaneMove1), "");
  EXPECT_EQ(points(f, kPlaneMove1 + 1), "");
  play(position, {"C3"});
  f = features_of(position);  // C3 by White, then B2 by White where Black is expected
  EXPECT_EQ(points(f, kPlaneMove1), "C3");
  EXPECT_EQ(points(f, kPlaneMove1 + 1), "");
  EXPECT_EQ(points(f, kPlaneMove1 + 2), "");
}

TEST(Features, AfterTheGameOnlyTheLastPlyIsShown) {
  Position position(rules_for(BoardSize::square(5)));
  play(position, {"A1", "pass", "pass"});
  ASSERT_TRUE(position.is_over());
  const Features f = features_of(position);
  EXPECT_EQ(f.scalars[kScalarPass1], 1.F);
  EXPECT_EQ(f.scalars[kScalarPass1 + 1], 0.F);
  EXPECT_EQ(points(f, kPlaneMove1 + 2), "");
}

TEST(Features, PassEndsTheGameExactlyAfterAPass) {
  Position position(rules_for(BoardSize::square(5)));
  EXPECT_EQ(features_of(position).scalars[kScalarPassEnds], 0.F);
  play(position, {"pass"});
  EXPECT_EQ(features_of(position).scalars[kScalarPassEnds], 1.F);
  play(position, {"A1"});
  EXPECT_EQ(features_of(position).scalars[kScalarPassEnds], 0.F);
}

TEST(Features, SimpleKoIsBannedForOneMoveUnderEveryRule) {
  for (const Ko ko : {Ko::kSimple, Ko::kPositional, Ko::kSituational}) {
    Position position(rules_for({5, 4}, ko), board_from_text(R"(
        . . . . .
        . X O . .
        X . X O .
        . X O . .)"),
                      Color::kWhite);
    play(position, {"B2"});
    EXPECT_EQ(points(features_of(position), kPlaneKoBanned), "C2");
    play(position, {"E4", "E1"});
    EXPECT_EQ(points(features_of(position), kPlaneKoBanned), "");
  }
}

// White throws in a second stone (A1), Black takes both (C1), White's B1 takes back one and would
// restore the stones of the start: "sending two, returning one".
constexpr const char* kSendTwoReturnOne = R"(
    . . . . .
    X X O . .
    . O . O .)";

TEST(Features, PositionalSuperkoBansWhatSituationalAllowsWhenTheOtherSideMoves) {
  for (const Ko ko : {Ko::kSimple, Ko::kPositional, Ko::kSituational}) {
    Position position(rules_for({5, 3}, ko), board_from_text(kSendTwoReturnOne), Color::kWhite);
    play(position, {"A1", "C1"});
    EXPECT_EQ(points(features_of(position), kPlaneKoBanned), ko == Ko::kPositional ? "B1" : "");
  }
}

TEST(Features, SituationalSuperkoBansTheSameStonesWithTheSameSideToMove) {
  for (const Ko ko : {Ko::kSimple, Ko::kPositional, Ko::kSituational}) {
    Position position(rules_for({5, 3}, ko), board_from_text(kSendTwoReturnOne), Color::kBlack);
    play(position, {"pass", "A1", "C1"});
    EXPECT_EQ(points(features_of(position), kPlaneKoBanned), ko == Ko::kSimple ? "" : "B1");
  }
}

// The bans from scratch: every empty point that is no suicide is played on a copy of the board and
// the text of the result looked up among the texts of all earlier positions.
PointSet bans_from_scratch(const Position& position,
                           const std::set<std::pair<std::string, Color>>& earlier) {
  const Rules& rules = position.rules();
  const Color own = position.to_move();
  Board lifted = position.board();
  lifted.pass();
  PointSet bans;
  lifted.legal(own, rules.multi_stone_suicide, rules.single_stone_suicide).for_each([&](int i) {
    Board after = position.board();
    after.play(position.size().point(i), own);
    const auto seen = [&](Color next) { return earlier.contains({after.to_text(), next}); };
    const bool superko = rules.ko == Ko::kPositional
                             ? seen(own) || seen(opponent(own))
                             : rules.ko == Ko::kSituational && seen(opponent(own));
    if (superko || position.board().ko_point() == position.size().point(i)) bans.insert(i);
  });
  return bans;
}

// Uniform over the legal points, own eyes too, so that whole boards are taken and repeated.
Move any_legal_move(const Position& position, Rng& rng) {
  const PointSet legal = position.legal_points();
  if (legal.is_empty()) return Move::pass();
  auto left = static_cast<int>(rng.below(legal.count()));
  Move move = Move::pass();
  legal.for_each([&](int i) {
    if (left-- == 0) move = position.size().point(i);
  });
  return move;
}

TEST(Features, KoPlaneEqualsBansFoundFromScratchInRandomGames) {
  int superko_bans[3] = {};
  for (int game = 0; game < 240; ++game) {
    const auto ko = static_cast<Ko>(game % 3);
    Rules rules = rules_for(
        {static_cast<std::int8_t>(2 + game / 3 % 3), static_cast<std::int8_t>(2 + game / 9 % 3)},
        ko);
    rules.multi_stone_suicide = game % 2 == 1;
    Position position(rules);
    Rng rng(3, game);
    std::set<std::pair<std::string, Color>> earlier;
    for (int ply = 0; ply < 100 && !position.is_over(); ++ply) {
      earlier.insert({position.board().to_text(), position.to_move()});
      const PointSet banned = features_of(position).planes[kPlaneKoBanned];
      ASSERT_EQ(banned, bans_from_scratch(position, earlier))
          << "game " << game << " ply " << ply << '\n'
          << position.board().to_text();
      const auto simple = position.board().ko_point();
      superko_bans[game % 3] += banned.count() - (simple ? 1 : 0);
      position.play(any_legal_move(position, rng));
    }
  }
  EXPECT_EQ(superko_bans[0], 0);
  EXPECT_GT(superko_bans[1], 200);
  EXPECT_GT(superko_bans[2], 100);
}

TEST(Features, AreaPlanesGivePassDeadStonesToTheTerritorysOwner) {
  for (const DeadStones dead : {DeadStones::kAsTheyStand, DeadStones::kPassDead}) {
    Rules rules = rules_for(BoardSize::square(5));
    rules.dead_stones = dead;
    // Black lives with two eyes; White's A1 in one of them is dead. White's E5 is only a stone
    // that stands: nobody owns the points between.
    Position position(rules, board_from_text(R"(
        . . . . O
        . . . . .
        X X X X .
        . X . X .
        O X . X .)"),
                      Color::kWhite);
    const Features f = features_of(position);
    EXPECT_EQ(points(f, kPlaneOwnArea), "E5");
    EXPECT_EQ(points(f, kPlaneOpponentArea), "A3 B3 C3 D3 A2 B2 C2 D2 A1 B1 C1 D1");
  }
}

TEST(Features, RulesAreScalars) {
  Rules rules = rules_for(BoardSize::square(5), Ko::kSimple, 15);
  Features f = features_of(Position(rules));
  EXPECT_EQ(f.scalars[kScalarSuperko], 0.F);
  EXPECT_EQ(f.scalars[kScalarSuperkoKind], 0.F);
  EXPECT_EQ(f.scalars[kScalarMultiStoneSuicide], 0.F);
  EXPECT_EQ(f.scalars[kScalarSelfKomi], -7.5F / 20);  // Black to move gives komi
  EXPECT_EQ(f.scalars[kScalarParityWave], -0.5F);     // -7.5 is half a point below -7, a draw
  rules.ko = Ko::kPositional;
  rules.multi_stone_suicide = true;
  f = features_of(Position(rules, Board(rules.size), Color::kWhite));
  EXPECT_EQ(f.scalars[kScalarSuperko], 1.F);
  EXPECT_EQ(f.scalars[kScalarSuperkoKind], 0.5F);
  EXPECT_EQ(f.scalars[kScalarMultiStoneSuicide], 1.F);
  EXPECT_EQ(f.scalars[kScalarSelfKomi], 7.5F / 20);
  EXPECT_EQ(f.scalars[kScalarParityWave], 0.5F);
  rules.ko = Ko::kSituational;
  f = features_of(Position(rules));
  EXPECT_EQ(f.scalars[kScalarSuperko], 1.F);
  EXPECT_EQ(f.scalars[kScalarSuperkoKind], -0.5F);
}

TEST(Features, WhatAreaGoDoesNotHaveIsZero) {
  Position position(rules_for(BoardSize::square(7)));
  Rng rng(1);
  for (int ply = 0; ply < 60 && !position.is_over(); ++ply) {
    const Features f = features_of(position);
    for (const int plane : {7, 8, 20, 21}) ASSERT_EQ(points(f, plane), "") << plane;
    for (const int s : {9, 10, 11, 12, 13, 15, 16, 17}) ASSERT_EQ(f.scalars[s], 0.F) << s;
    const Features without = features_of(position, FeatureSchema::kV7NoLadders);
    for (const int plane : {14, 15, 16, 17}) ASSERT_EQ(points(without, plane), "") << plane;
    position.play(random_move(position, rng));
  }
}

TEST(Features, SelfKomiIsClippedAtAreaPlusTwenty) {
  const auto self_komi = [](int half_points, Color c) {
    return clipped_self_komi(half_points, c, 9);
  };
  EXPECT_EQ(self_komi(15, Color::kWhite), 7.5);
  EXPECT_EQ(self_komi(15, Color::kBlack), -7.5);
  EXPECT_EQ(self_komi(58, Color::kWhite), 29);
  EXPECT_EQ(self_komi(59, Color::kWhite), 29);
  EXPECT_EQ(self_komi(800, Color::kBlack), -29);
  Position position(rules_for(BoardSize::square(3), Ko::kPositional, 801));
  EXPECT_EQ(features_of(position).scalars[kScalarSelfKomi], -29.F / 20);
  EXPECT_EQ(features_of(position).scalars[kScalarParityWave], 0.F);
  Position even(rules_for(BoardSize::square(3), Ko::kPositional, 0));
  EXPECT_FALSE(std::signbit(features_of(even).scalars[kScalarSelfKomi]));
}

TEST(Features, ParityWaveAsComputedByHand) {
  struct Case {
    double self_komi;
    int area;
    double wave;
  };
  // Odd areas can be drawn at odd komi, even areas at even komi.
  constexpr Case kCases[] = {{7, 81, 0},     {7.25, 81, 0.25},  {7.5, 81, 0.5},  {7.75, 81, 0.25},
                             {8, 81, 0},     {8.25, 81, -0.25}, {8.5, 81, -0.5}, {8.75, 81, -0.25},
                             {9, 81, 0},     {0, 81, 0},        {0.5, 81, -0.5}, {-0.5, 81, 0.5},
                             {-7, 81, 0},    {-7.5, 81, -0.5},  {-6.5, 81, 0.5}, {6, 36, 0},
                             {6.5, 36, 0.5}, {7, 36, 0},        {7.5, 36, -0.5}, {0, 36, 0},
                             {0.5, 36, 0.5}, {-0.5, 36, -0.5},  {-7.5, 36, 0.5}, {-56, 36, 0}};
  for (const Case& c : kCases) {
    EXPECT_DOUBLE_EQ(komi_parity_wave(c.self_komi, c.area), c.wave)
        << "komi " << c.self_komi << " area " << c.area;
  }
}

// Rules of game number `game`: sizes, rectangles, ko rules, suicide and komi in turn.
Rules varied_rules(int game) {
  constexpr BoardSize kSizes[] = {{5, 5}, {9, 9}, {4, 7}, {13, 13}, {8, 3}, {19, 19}};
  Rules rules = rules_for(kSizes[game % 6], static_cast<Ko>(game % 3), 9 - 3 * game);
  rules.multi_stone_suicide = game % 4 >= 2;
  return rules;
}

TEST(Features, EveryGameLooksTheSameWithColoursSwapped) {
  for (int game = 0; game < 18; ++game) {
    const Rules rules = varied_rules(game);
    Rules swapped_rules = rules;
    swapped_rules.komi = Komi::from_half_points(-rules.komi.half_points());
    Position position(rules);
    Position swapped(swapped_rules, Board(rules.size), Color::kWhite);
    Rng rng(21, game);
    for (int ply = 0; ply < 250 && !position.is_over(); ++ply) {
      ASSERT_EQ(features_of(position), features_of(swapped)) << "game " << game << " ply " << ply;
      const Move move = random_move(position, rng);
      position.play(move);
      swapped.play(move);
    }
  }
}

TEST(Features, CommuteWithEverySymmetryOfTheBoard) {
  for (int game = 0; game < 24; ++game) {
    const Rules rules = varied_rules(game);
    const int symmetries = Symmetry::count(rules.size);
    Position position(rules);
    std::vector<Position> turned(symmetries, Position(rules));
    Rng rng(22, game);
    for (int ply = 0; ply < 150 && !position.is_over(); ++ply) {
      const Features f = features_of(position);
      for (int s = 0; s < symmetries; ++s) {
        const Features t = transformed(f, Symmetry(s));
        ASSERT_EQ(t, features_of(turned[s])) << "game " << game << " ply " << ply << " sym " << s;
        ASSERT_EQ(transformed(t, Symmetry(s).inverse()), f);
      }
      const Move move = random_move(position, rng);
      position.play(move);
      for (int s = 0; s < symmetries; ++s) turned[s].play(Symmetry(s).apply(move, rules.size));
    }
  }
}

TEST(Features, AreAFunctionOfThePositionNotOfItsCopies) {
  Position position(rules_for(BoardSize::square(9)));
  Rng rng(4);
  for (int ply = 0; ply < 80; ++ply) {
    const Position copy = position;
    ASSERT_EQ(features_of(copy), features_of(position));
    position.play(random_move(position, rng));
  }
}

}  // namespace
}  // namespace tengen
