#include "rules/position.h"

#include <gtest/gtest.h>

#include "rules/playout.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

constexpr Color kBlack = Color::kBlack;
constexpr Color kWhite = Color::kWhite;

Rules rules_of(BoardSize size, Ko ko) {
  Rules rules;
  rules.size = size;
  rules.ko = ko;
  return rules;
}

Position set_up(std::string_view diagram, Ko ko, Color to_move) {
  const Board board = board_from_text(diagram);
  return Position(rules_of(board.size(), ko), board, to_move);
}

void play_all(Position& position, std::initializer_list<const char*> moves) {
  for (const char* text : moves) {
    const auto move = parse_move(text, position.size());
    ASSERT_TRUE(move && position.is_legal(*move)) << text << "\n" << position.board().to_text();
    position.play(*move);
  }
}

bool may(const Position& position, const char* move) {
  return position.is_legal(*parse_move(move, position.size()));
}

constexpr const char* kKoShape = R"(
    . X O . .
    X . X O .
    . X O . .
    . . . . .)";

TEST(Position, SimpleKoForbidsOnlyTheImmediateRecapture) {
  Position position = set_up(kKoShape, Ko::kSimple, kWhite);
  play_all(position, {"B3"});
  EXPECT_FALSE(may(position, "C3"));
  EXPECT_EQ(position.ko_banned().count(), 1);
  Position elsewhere = position;
  play_all(elsewhere, {"E1", "A1"});
  EXPECT_TRUE(may(elsewhere, "C3"));
  play_all(position, {"pass", "pass"});
  EXPECT_TRUE(may(position, "C3")) << "two passes give the ko back";
}

TEST(Position, SuperkoForbidsARecaptureAfterPasses) {
  for (const Ko ko : {Ko::kPositional, Ko::kSituational}) {
    Position position = set_up(kKoShape, ko, kWhite);
    play_all(position, {"B3", "pass", "pass"});
    EXPECT_FALSE(may(position, "C3"));
    EXPECT_TRUE(position.ko_banned().contains(7));
    EXPECT_FALSE(position.legal_points().contains(7));
  }
}

// A lone suicide leaves the board as it is, with the other side to move: new under situational
// superko, a repetition under positional superko.
TEST(Position, SituationalSuperkoComparesTheSideToMove) {
  const Board lone = board_from_text(R"(
      . O .
      O . .
      . . .)");
  Rules rules = rules_of(lone.size(), Ko::kSituational);
  rules.single_stone_suicide = true;
  EXPECT_TRUE(may(Position(rules, lone, kBlack), "A3"));
  rules.ko = Ko::kPositional;
  EXPECT_FALSE(may(Position(rules, lone, kBlack), "A3"));
  EXPECT_TRUE(Position(rules, lone, kBlack).ko_banned().contains(0));
  rules.ko = Ko::kSimple;
  EXPECT_TRUE(may(Position(rules, lone, kBlack), "A3"));
  // Again after a pass: now this state has been there.
  rules.ko = Ko::kSituational;
  Position position(rules, lone, kBlack);
  play_all(position, {"A3", "pass"});
  EXPECT_FALSE(may(position, "A3"));
}

// Three kos: each side takes in turn; after six captures the board repeats.
constexpr const char* kThreeKos = R"(
    . X O . . X O . . X O .
    X . X O X O . O X . X O
    . X O . . X O . . X O .
    . . . . . . . . . . . .)";

TEST(Position, TripleKoEndsAtTheSixthCaptureUnderSuperkoOnly) {
  for (const Ko ko : {Ko::kSimple, Ko::kPositional, Ko::kSituational}) {
    Position position = set_up(kThreeKos, ko, kWhite);
    play_all(position, {"B3", "G3", "K3", "C3", "F3"});
    EXPECT_EQ(may(position, "L3"), ko == Ko::kSimple) << static_cast<int>(ko);
  }
}

TEST(Position, OnlyARepetitionOrThreeKosLeaveNoScore) {
  const Board board = board_from_text(kThreeKos);
  Rules rules = rules_of(board.size(), Ko::kPositional);
  rules.three_ko_draw = true;
  Position three_kos(rules, board, kWhite);
  play_all(three_kos, {"B3", "G3", "K3", "C3"});
  EXPECT_TRUE(three_kos.is_scored());
  play_all(three_kos, {"F3"});
  ASSERT_EQ(three_kos.ending(), PlayEnding::kThreeKos);
  EXPECT_FALSE(three_kos.is_scored());

  rules = rules_of(board.size(), Ko::kSimple);
  rules.repetition = Repetition::kNoResult;
  Position repetition(rules, board, kWhite);
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(repetition.is_scored());
    play_all(repetition, {"B3", "G3", "K3", "C3", "F3", "L3"});
  }
  ASSERT_EQ(repetition.ending(), PlayEnding::kRepetition);
  EXPECT_FALSE(repetition.is_scored());

  rules.move_cap = 1;
  Position capped(rules, board, kWhite);
  Position passed(rules_of(board.size(), Ko::kSimple), board, kWhite);
  play_all(capped, {"B3"});
  play_all(passed, {"pass", "pass"});
  EXPECT_EQ(capped.ending(), PlayEnding::kMoveCap);
  EXPECT_EQ(passed.ending(), PlayEnding::kPasses);
  EXPECT_TRUE(capped.is_scored());
  EXPECT_TRUE(passed.is_scored());
}

TEST(Position, HistorySurvivesLongGamesAndCopies) {
  Position position = set_up(kKoShape, Ko::kPositional, kWhite);
  play_all(position, {"B3"});
  for (int i = 0; i < 500; ++i) position.play(Move::pass());
  const Position copy = position;
  Position assigned(rules_of(BoardSize::square(5), Ko::kSimple));
  assigned = copy;
  for (const Position* p : {&std::as_const(position), &copy, &std::as_const(assigned)}) {
    EXPECT_FALSE(may(*p, "C3"));
  }
}

TEST(Position, ACopyPlaysOnAlone) {
  Position position = set_up(kKoShape, Ko::kPositional, kWhite);
  Position copy = position;
  play_all(copy, {"B3", "E1"});
  EXPECT_EQ(position.ply(), 0);
  EXPECT_TRUE(may(position, "B3"));
  play_all(position, {"E1"});
  EXPECT_EQ(copy.recent(0).move, *parse_move("E1", copy.size()));
  EXPECT_EQ(copy.recent(0).color, kBlack);
  EXPECT_EQ(position.recent(0).color, kWhite);
}

TEST(Position, TwoPassesInARowEndTheGame) {
  Position position(rules_of(BoardSize::square(5), Ko::kPositional));
  play_all(position, {"pass", "C3", "pass"});
  EXPECT_EQ(position.passes_in_a_row(), 1);
  EXPECT_FALSE(position.is_over());
  play_all(position, {"pass"});
  EXPECT_TRUE(position.is_over());
  EXPECT_EQ(position.ply(), 4);
}

TEST(Position, ResumedPlayEndsByTwoNewPassesAndKeepsTheHistory) {
  Rules rules = rules_of(BoardSize{5, 4}, Ko::kPositional);
  for (const PlayEnd play_end : {PlayEnd::kTwoPasses, PlayEnd::kTwoPassesOrSamePass}) {
    rules.play_end = play_end;
    Position position(rules, board_from_text(kKoShape), kWhite);
    play_all(position, {"B3", "pass", "pass"});
    position.resume(kBlack);
    EXPECT_FALSE(position.is_over());
    EXPECT_EQ(position.to_move(), kBlack);
    EXPECT_FALSE(may(position, "C3")) << "the position before B3 would return";
    play_all(position, {"pass"});
    EXPECT_FALSE(position.is_over());
    play_all(position, {"pass"});
    EXPECT_EQ(position.ending(), PlayEnding::kPasses);
  }
}

TEST(Position, TheLastFiveMovesAreKept) {
  Position position(rules_of(BoardSize::square(5), Ko::kPositional));
  play_all(position, {"A1", "B1", "C1", "D1", "pass", "E1", "A2"});
  const char* expected[] = {"A2", "E1", "pass", "D1", "C1"};
  for (int back = 0; back < 5; ++back) {
    EXPECT_EQ(to_text(position.recent(back).move, position.size()), expected[back]);
    EXPECT_EQ(position.recent(back).color, back % 2 == 0 ? kBlack : kWhite);
  }
}

TEST(Position, TheSideToMoveCanBeSet) {
  Position position(rules_of(BoardSize::square(5), Ko::kPositional));
  play_all(position, {"C3"});
  position.set_to_move(kBlack);
  play_all(position, {"C2"});
  EXPECT_EQ(position.board().stones(kBlack).count(), 2);
  EXPECT_EQ(position.to_move(), kWhite);
}

TEST(Position, ScoresCountAreaAndKomi) {
  const Board board = board_from_text(R"(
      . X O . .
      . X O . .
      . X O . .)");
  Rules rules = rules_of(board.size(), Ko::kPositional);
  const auto score = [&](int komi_half_points) {
    rules.komi = Komi::from_half_points(komi_half_points);
    return Position(rules, board, kBlack).score();
  };
  EXPECT_EQ(score(1).black_margin_half_points(), 2 * (6 - 9) - 1);
  EXPECT_EQ(to_text(score(1)), "W+3.5");
  EXPECT_EQ(score(1).winner(), kWhite);
  EXPECT_EQ(to_text(score(-8)), "B+1");
  EXPECT_EQ(score(-8).winner(), kBlack);
  EXPECT_EQ(to_text(score(-6)), "0");
  EXPECT_FALSE(score(-6).winner().has_value());
}

TEST(Position, DeadStonesCountForTheOwnerOfTheTerritoryOnlyWhereTheRulesSaySo) {
  const Board board = board_from_text(R"(
      . X O . X
      X X X X X
      . X . . .
      X . . . .
      . . . . .)");
  Rules rules = rules_of(board.size(), Ko::kPositional);
  rules.komi = Komi::from_half_points(0);
  EXPECT_EQ(to_text(Position(rules, board, kBlack).score()), "B+22");
  rules.dead_stones = DeadStones::kPassDead;
  EXPECT_EQ(to_text(Position(rules, board, kBlack).score()), "B+25");
}

// Territory by colour under `traditional`, where nothing is dead.
std::array<int, 2> territory(std::string_view diagram) {
  const Board board = board_from_text(diagram);
  Rules rules = rules_of(board.size(), Ko::kPositional);
  rules.scoring = Scoring::kTerritory;
  rules.tax = Tax::kSeki;
  rules.dead_stones = DeadStones::kMarked;
  const ScoreSheet sheet = Position(rules, board, kBlack).score_sheet(PointSet());
  return {sheet.sides[0].territory, sheet.sides[1].territory};
}

TEST(Position, EyesInSekiAreNobodysTerritory) {
  EXPECT_EQ(territory(R"(
      . X . O .
      X X . O O)"),
            (std::array{0, 0}));
}

TEST(Position, AnEyeWithRoomForTwoIsNoSekiThoughDameAreLeft) {
  EXPECT_EQ(territory(R"(
      . . . X . O . .
      . . . X . O . .
      . . . X . O . .)"),
            (std::array{9, 6}));
}

TEST(Position, SekiIsBetweenTwoThatMightDie) {
  EXPECT_EQ(territory(R"(
      . X . O . O .
      . X . O O O O
      . X . O . O .
      . X . O O O O)"),
            (std::array{4, 4}))
      << "White lives, so Black lives or is dead";
}

TEST(Position, ASettledGameIsScoredWithTheTaxAndTheButtonThatIsLeft) {
  const Board board = board_from_text(R"(
      . X . X O . O .
      X X X X O O O O)");
  Rules rules = rules_of(board.size(), Ko::kPositional);
  rules.komi = Komi::from_half_points(0);
  EXPECT_EQ(to_text(*Position(rules, board, kBlack).settled_score()), "0");
  rules.button = true;
  EXPECT_EQ(to_text(*Position(rules, board, kBlack).settled_score()), "B+0.5");
  EXPECT_EQ(to_text(*Position(rules, board, kWhite).settled_score()), "W+0.5");
  rules.button = false;
  rules.tax = Tax::kAll;
  const Board alone = board_from_text(". X .\nX X X\n. X .");
  rules.size = alone.size();
  EXPECT_EQ(to_text(*Position(rules, alone, kBlack).settled_score()), "B+7") << "a group pays two";
}

TEST(Position, ThreeKosAreNoDrawInCleanUpWhereNoSuperkoRefusesARetake) {
  const Board board = board_from_text(R"(
      . X O . . X O . . X O .
      X . X O X . X O X . X O
      . X O . . X O . . X O .
      . . . . . . . . . . . .)");
  Rules rules = rules_of(board.size(), Ko::kPositional);
  rules.scoring = Scoring::kTerritory;
  rules.dead_stones = DeadStones::kPlayedOut;
  rules.three_ko_draw = true;
  Position position(rules, board, kBlack);
  // White takes a ko, Black lifts the block and takes it back: a capture that was already done.
  play_all(position, {"pass", "pass", "pass", "B3", "C3", "pass", "C3"});
  EXPECT_TRUE(position.ko_banned().contains(position.size().index(Point::at(1, 1))));
  EXPECT_FALSE(position.is_over());
}

// Random games and their images play alike: legal moves, kos, scores and settled points.
TEST(Position, TheRulesCommuteWithSymmetriesAndColours) {
  for (int game = 0; game < 200; ++game) {
    Rng rng(7, game);
    Rules rules;
    rules.size = {static_cast<std::int8_t>(2 + rng.below(6)),
                  static_cast<std::int8_t>(2 + rng.below(6))};
    if (game % 2 == 0) rules.size = BoardSize::square(rules.size.width);
    rules.ko = std::array{Ko::kSimple, Ko::kPositional, Ko::kSituational}[rng.below(3)];
    rules.multi_stone_suicide = rng.below(2) == 0;
    rules.komi = Komi::from_half_points(0);
    const Symmetry symmetry(
        static_cast<int>(rng.below(static_cast<std::uint32_t>(Symmetry::count(rules.size)))));
    const bool swaps = rng.below(2) == 0;
    Position position(rules);
    Position image(rules, Board(rules.size), swaps ? kWhite : kBlack);
    const auto to_image = [&](const PointSet& s) { return symmetry.apply(s, rules.size); };
    for (int i = 0; i < 60; ++i) {
      ASSERT_EQ(to_image(position.legal_points()), image.legal_points());
      ASSERT_EQ(to_image(position.ko_banned()), image.ko_banned());
      const auto owned = area_pass_dead_removed(position.board(), rules.multi_stone_suicide);
      const auto owned_image = area_pass_dead_removed(image.board(), rules.multi_stone_suicide);
      for (int c = 0; c < 2; ++c) {
        ASSERT_EQ(to_image(owned[c]), owned_image[swaps ? c ^ 1 : c]);
      }
      ASSERT_EQ(position.score().black_margin_half_points(),
                (swaps ? -1 : 1) * image.score().black_margin_half_points());
      const Move move = random_move(position, rng);
      position.play(move);
      image.play(symmetry.apply(move, rules.size));
    }
  }
}

}  // namespace
}  // namespace tengen
