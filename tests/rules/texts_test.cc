// The examples with which the texts of our own five rule sets explain the game, counted by hand.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "rules/handicap.h"
#include "rules/match.h"
#include "rules/presets.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

constexpr Color kBlack = Color::kBlack;
constexpr Color kWhite = Color::kWhite;
constexpr BoardSize kNine = BoardSize::square(9);
constexpr std::array kOwnPresets = {"club-area", "traditional", "casual-9x9", "three-rules",
                                    "japanese-9x9"};

Rules nine(std::string_view preset) {
  return preset_rules(preset, kNine);
}

Point point(std::string_view text) {
  return *parse_point(text, kNine);
}

bool may(const Position& position, std::string_view move) {
  return position.is_legal(point(move));
}

void play_all(Position& position, std::initializer_list<const char*> moves) {
  for (const char* text : moves) {
    const Move move = *parse_move(text, kNine);
    ASSERT_TRUE(position.is_legal(move)) << text << "\n" << position.board().to_text();
    position.play(move);
  }
}

void play_all(Match& match, std::initializer_list<const char*> moves) {
  for (const char* text : moves) {
    match.play(match.position().to_move(), *parse_move(text, kNine));
  }
}

// Passes to the end of play, through clean-up phases where there are any.
void pass_to_the_end(Match& match) {
  while (match.state() == MatchState::kPlaying) play_all(match, {"pass"});
}

// Both confirm that these stones are dead, and no others.
void agree(Match& match, std::initializer_list<const char*> dead) {
  for (const char* stone : dead) match.toggle_dead(point(stone));
  match.confirm(kBlack);
  match.confirm(kWhite);
}

Match match_at(std::string_view diagram, const Rules& rules, Color to_move = kBlack) {
  return Match(Position(rules, board_from_text(diagram), to_move));
}

// ---- liberties and capture

TEST(Texts, ALoneStoneHasFourLibertiesThreeOnTheEdgeTwoInTheCorner) {
  Board board(kNine);
  board.play(point("E5"), kBlack);
  board.play(point("A5"), kBlack);
  board.play(point("J9"), kBlack);
  EXPECT_EQ(board.liberties(point("E5")), 4);  // E6 D5 F5 E4
  EXPECT_EQ(board.liberties(point("A5")), 3);  // A6 B5 A4
  EXPECT_EQ(board.liberties(point("J9")), 2);  // H9 J8
}

TEST(Texts, ThreeStonesInARowAlongTheEdgeHaveFiveLiberties) {
  Board board(kNine);
  for (const char* stone : {"D1", "E1", "F1"}) board.play(point(stone), kBlack);
  EXPECT_EQ(board.liberties(point("E1")), 5);  // C1 G1 at the ends, D2 E2 F2 above
}

constexpr const char* kRing = R"(
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X X . . .
    . . . X . X . . .
    . . . X X X . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .)";

constexpr const char* kSurroundedRing = R"(
    . . . . . . . . .
    . . . . . . . . .
    . . . O O O . . .
    . . O X X X O . .
    . . O X . X O . .
    . . O X X X O . .
    . . . O O O . . .
    . . . . . . . . .
    . . . . . . . . .)";

TEST(Texts, ARingOfEightStonesHasThirteenLiberties) {
  const Board board = board_from_text(kRing);
  EXPECT_EQ(board.chain(point("D6")).count(), 8);
  EXPECT_EQ(board.liberties(point("D6")), 4 * 3 + 1);  // three on each side, one inside
  EXPECT_EQ(board_from_text(kSurroundedRing).liberties(point("D6")), 1);
}

TEST(Texts, UnderThreeRulesTheOwnerOfARingWhoPlaysInsideLosesAllNineStones) {
  Position position(nine("three-rules"), board_from_text(kSurroundedRing), kBlack);
  play_all(position, {"E5"});
  EXPECT_EQ(position.board().stones(kBlack).count(), 0);
  EXPECT_EQ(position.board().stones(kWhite).count(), 12);
  EXPECT_EQ(position.lost_stones(kBlack), 8 + 1);
  EXPECT_EQ(position.lost_stones(kWhite), 0);
}

TEST(Texts, ElsewhereTheOwnerOfARingMayNotPlayInside) {
  for (const char* preset : {"club-area", "traditional", "casual-9x9", "japanese-9x9"}) {
    const Position position(nine(preset), board_from_text(kSurroundedRing), kBlack);
    EXPECT_FALSE(may(position, "E5")) << preset;
  }
}

TEST(Texts, TheOpponentTakesTheRingByPlayingInside) {
  for (const char* preset : kOwnPresets) {
    Position position(nine(preset), board_from_text(kSurroundedRing), kWhite);
    play_all(position, {"E5"});
    EXPECT_EQ(position.board().stones(kBlack).count(), 0) << preset;
    EXPECT_EQ(position.board().stones(kWhite).count(), 13) << preset;
    EXPECT_EQ(position.lost_stones(kBlack), 8) << preset;
  }
}

TEST(Texts, ALoneStoneIsTakenByTheStoneOnItsLastLiberty) {
  for (const char* preset : kOwnPresets) {
    Position position(nine(preset));
    play_all(position, {"E6", "E5", "D5", "A1", "F5", "A2"});
    EXPECT_EQ(position.board().liberties(point("E5")), 1) << "E4";
    play_all(position, {"E4"});
    EXPECT_EQ(position.board().stone_at(point("E5")), Stone::kEmpty) << preset;
    EXPECT_EQ(position.lost_stones(kWhite), 1) << preset;
  }
}

// ---- ko

// Black takes the stone on E5 by playing D5.
constexpr const char* kKo = R"(
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . O X . . . .
    . . O . O X . . .
    . . . O X . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .)";

Position after_ko_capture(std::string_view preset) {
  Position position(nine(preset), board_from_text(kKo), kBlack);
  position.play(point("D5"));
  return position;
}

TEST(Texts, AKoMayNotBeRetakenAtOnce) {
  for (const char* preset : kOwnPresets) {
    const Position position = after_ko_capture(preset);
    EXPECT_EQ(position.board().stone_at(point("E5")), Stone::kEmpty);
    EXPECT_FALSE(may(position, "E5")) << preset;
    EXPECT_EQ(position.ko_banned(), PointSet::of(kNine, point("E5"))) << preset;
  }
}

TEST(Texts, AMoveElsewhereLiftsTheBan) {
  for (const char* preset : kOwnPresets) {
    Position position = after_ko_capture(preset);
    play_all(position, {"J9", "A9"});
    EXPECT_TRUE(may(position, "E5")) << preset;
    play_all(position, {"E5"});
    EXPECT_FALSE(may(position, "D5")) << "now it is Black who may not at once, " << preset;
  }
}

TEST(Texts, APassLiftsTheBanUnderSimpleKoOnly) {
  for (const char* preset : kOwnPresets) {
    Position position = after_ko_capture(preset);
    play_all(position, {"pass"});
    position.set_to_move(kWhite);
    EXPECT_EQ(may(position, "E5"), position.rules().ko == Ko::kSimple) << preset;
  }
  EXPECT_EQ(nine("casual-9x9").ko, Ko::kSimple);
  EXPECT_EQ(nine("japanese-9x9").ko, Ko::kSimple);
  for (const char* preset : {"club-area", "traditional", "three-rules"}) {
    EXPECT_EQ(nine(preset).ko, Ko::kPositional) << preset;
  }
}

TEST(Texts, ThePassesBeforeScoringAndResumingDoNotLiftTheBan) {
  for (const char* preset : {"club-area", "traditional"}) {
    Match match = match_at(kKo, nine(preset));
    play_all(match, {"D5", "pass", "pass"});
    match.resume(kBlack);
    EXPECT_EQ(match.position().to_move(), kWhite);
    EXPECT_FALSE(may(match.position(), "E5")) << preset;
    play_all(match, {"J9", "A9", "E5"});
  }
}

// Kos to be taken on B8 and B4 by White and on G8 by Black; on the sixth capture the position is
// again the one below.
constexpr const char* kThreeKos = R"(
    . X O . . X O . .
    X . X O X O . O .
    . X O . . X O . .
    . . . . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . . . . . . . . .
    . . . . . . . . .)";

TEST(Texts, ThreeKosAreADrawUnderTraditionalRules) {
  Match match = match_at(kThreeKos, nine("traditional"), kWhite);
  play_all(match, {"B8", "G8", "B4", "C8"});
  EXPECT_EQ(match.state(), MatchState::kPlaying);
  play_all(match, {"F8"});  // Black's retake on C4 is refused
  ASSERT_EQ(match.state(), MatchState::kFinished);
  EXPECT_EQ(match.result().ending, MatchEnding::kThreeKos);
  EXPECT_EQ(match.result().outcome, Outcome());
  EXPECT_EQ(to_text(match.result()), "0");
}

TEST(Texts, ThreeKosAreNoDrawElsewhereTheRetakeIsRefused) {
  for (const char* preset : {"three-rules", "club-area"}) {
    Match match = match_at(kThreeKos, nine(preset), kWhite);
    play_all(match, {"B8", "G8", "B4", "C8", "F8"});
    EXPECT_EQ(match.state(), MatchState::kPlaying) << preset;
    EXPECT_EQ(error_of([&] { match.play(kBlack, point("C4")); }),
              "match: expected a legal move, found C4 would repeat a position");
    play_all(match, {"J1", "J3", "C4"});
  }
}

TEST(Texts, TwoKosAreNoDraw) {
  Match match = match_at(R"(
      . X O . . X O . .
      X . X O X O . O .
      . X O . . X O . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .)",
                         nine("traditional"), kWhite);
  play_all(match, {"B8", "G8", "J1", "C8", "F8", "A1", "B8"});
  EXPECT_EQ(match.state(), MatchState::kPlaying);
}

// ---- counting

// Walls on C and G.
void play_walls(Match& match) {
  for (int row = 0; row < 9; ++row) {
    match.play(kBlack, Point::at(row, 2));
    match.play(kWhite, Point::at(row, 6));
  }
}

struct Counted {
  const char* preset;
  int black;           // points or stones and points
  int white;           // the same, without komi
  const char* result;  // RE
};

// Behind each wall of 9 stones lie 2 * 9 = 18 points, between them 3 * 9 = 27 dame. Area counts
// 9 + 18 = 27 for each, territory 18; komi decides.
TEST(Texts, WallsOnColumnsCAndGAreCountedByHand) {
  const std::array cases = {
      Counted{"club-area", 27, 27, "W+7.5"}, Counted{"traditional", 18, 18, "0"},
      Counted{"casual-9x9", 27, 27, "W+5.5"}, Counted{"three-rules", 18, 18, "0"},
      Counted{"japanese-9x9", 18, 18, "W+6.5"}};
  for (const Counted& expected : cases) {
    Match match(nine(expected.preset));
    play_walls(match);
    pass_to_the_end(match);
    if (match.state() == MatchState::kScoring) agree(match, {});
    ASSERT_TRUE(match.result().sheet.has_value()) << expected.preset;
    const ScoreSheet& sheet = *match.result().sheet;
    EXPECT_EQ(sheet.sides[0].stones + sheet.sides[0].territory, expected.black) << expected.preset;
    EXPECT_EQ(sheet.sides[1].stones + sheet.sides[1].territory, expected.white) << expected.preset;
    EXPECT_EQ(sheet.sides[0].prisoners + sheet.sides[1].prisoners, 0) << expected.preset;
    EXPECT_EQ(sheet.dame().count(), 27) << expected.preset;
    EXPECT_EQ(to_text(match.result()), expected.result) << expected.preset;
  }
}

// The 27 dame filled in turn, 14 by Black and 13 by White: under area rules they count, 27 + 14
// against 27 + 13; territory stays 18 each.
TEST(Texts, FilledDameCountUnderAreaRulesOnly) {
  const std::array cases = {
      Counted{"club-area", 41, 40, "W+6.5"}, Counted{"traditional", 18, 18, "0"},
      Counted{"casual-9x9", 41, 40, "W+4.5"}, Counted{"three-rules", 18, 18, "0"},
      Counted{"japanese-9x9", 18, 18, "W+6.5"}};
  for (const Counted& expected : cases) {
    Match match(nine(expected.preset));
    play_walls(match);
    // D is Black's and F White's; on E they take turns from the top, the last is Black's.
    for (int row = 0; row < 9; ++row) {
      match.play(kBlack, Point::at(row, 3));
      match.play(kWhite, Point::at(row, 5));
    }
    for (int row = 0; row < 9; ++row) {
      match.play(match.position().to_move(), Point::at(row, 4));
    }
    pass_to_the_end(match);
    if (match.state() == MatchState::kScoring) agree(match, {});
    const ScoreSheet& sheet = *match.result().sheet;
    EXPECT_EQ(sheet.sides[0].stones + sheet.sides[0].territory, expected.black) << expected.preset;
    EXPECT_EQ(sheet.sides[1].stones + sheet.sides[1].territory, expected.white) << expected.preset;
    EXPECT_EQ(sheet.dame().count(), 0) << expected.preset;
    EXPECT_EQ(to_text(match.result()), expected.result) << expected.preset;
  }
}

TEST(Texts, EqualCountsWithWholeKomiAreADraw) {
  Rules rules = nine("club-area");
  for (const int komi : {0, 1}) {
    rules.komi = Komi::from_half_points(2 * komi);
    Match match(rules);
    play_walls(match);
    // 27 + 1 for Black against 27 and komi.
    play_all(match, {komi == 1 ? "D5" : "pass", "pass"});
    if (match.state() == MatchState::kPlaying) play_all(match, {"pass"});
    agree(match, {});
    EXPECT_FALSE(match.result().outcome.winner.has_value());
    EXPECT_FALSE(match.result().outcome.is_no_result);
    EXPECT_EQ(to_text(match.result()), "0");
  }
}

TEST(Texts, ThreeRulesWithKomiGiveWhiteSixAndAHalf) {
  Rules rules = nine("three-rules");
  rules.komi = Komi::from_half_points(13);
  Match match(rules);
  play_walls(match);
  pass_to_the_end(match);
  EXPECT_EQ(to_text(match.result()), "W+6.5");
}

// Black's wall on B has eyes above and below A5; the white stone in the lower one cannot live.
constexpr const char* kDeadStone = R"(
    . X . . . . O . .
    . X . . . . O . .
    . X . . . . O . .
    . X . . . . O . .
    X X . . . . O . .
    . X . . . . O . .
    . X . . . . O . .
    O X . . . . O . .
    . X . . . . O . .)";

std::string result_with_dead_stone(std::string_view preset) {
  Match match = match_at(kDeadStone, nine(preset));
  pass_to_the_end(match);
  if (match.state() == MatchState::kScoring) agree(match, {"A2"});
  return to_text(match.result());
}

// As it stands Black has 10 stones and the 4 points above A5, 14; A1, A3 and A4 reach both colours.
// White has 9 + 1 stones and 18 points, 28.
TEST(Texts, CasualRulesAndTrompTaylorLeaveDeadStonesOnTheBoard) {
  EXPECT_EQ(result_with_dead_stone("casual-9x9"), "W+19.5");    // 28 + 5.5 - 14
  EXPECT_EQ(result_with_dead_stone("tromp-taylor"), "W+21.5");  // 28 + 7.5 - 14
}

// Without it Black has 10 stones and 4 + 4 points, White 9 stones and 18 points.
TEST(Texts, ChineseAndClubRulesTakeDeadStonesOff) {
  EXPECT_EQ(result_with_dead_stone("chinese"), "W+16.5");    // 27 + 7.5 - 18
  EXPECT_EQ(result_with_dead_stone("club-area"), "W+16.5");  // the same, by agreement
}

// Black has 8 points and the prisoner, 9; White 18 points.
TEST(Texts, ADeadStoneIsAPointAndAPrisonerUnderTerritoryRules) {
  EXPECT_EQ(result_with_dead_stone("traditional"), "W+9");      // 18 - 9
  EXPECT_EQ(result_with_dead_stone("three-rules"), "W+9");      // 18 - 9
  EXPECT_EQ(result_with_dead_stone("japanese-9x9"), "W+15.5");  // 18 + 6.5 - 9
}

// ---- the players' protocol

TEST(Texts, WhoDisagreesPlaysOn) {
  Match match = match_at(kDeadStone, nine("traditional"));
  play_all(match, {"pass", "pass"});
  match.toggle_dead(point("A2"));
  match.confirm(kBlack);
  match.resume(kWhite);  // does not believe it
  EXPECT_TRUE(match.dead().is_empty());
  EXPECT_FALSE(match.is_confirmed_by(kBlack));
  EXPECT_EQ(match.position().to_move(), kBlack);
  play_all(match, {"A1", "pass", "A3", "pass", "pass"});
  EXPECT_EQ(match.position().lost_stones(kWhite), 1);
  agree(match, {});
  EXPECT_EQ(to_text(match.result()), "W+11");  // Black filled two of his points: 18 - (6 + 1)
}

TEST(Texts, TheThirdTimeOutInARowLoses) {
  for (const char* preset : kOwnPresets) {
    Match match(nine(preset));
    match.time_out(kBlack);
    play_all(match, {"A1"});
    match.time_out(kBlack);
    play_all(match, {"A2"});
    EXPECT_EQ(match.state(), MatchState::kPlaying);
    match.time_out(kBlack);
    EXPECT_EQ(to_text(match.result()), "W+T") << preset;
  }
}

TEST(Texts, ATimeOutInScoringAcceptsTheMarks) {
  Match match = match_at(kDeadStone, nine("traditional"));
  play_all(match, {"pass", "pass"});
  match.toggle_dead(point("A2"));
  match.time_out(kWhite);
  EXPECT_EQ(to_text(match.result()), "W+9");
}

// ---- handicap

std::string placed(std::string_view preset, int size, int stones) {
  Rules rules = preset_rules(preset, BoardSize::square(size));
  rules.handicap = stones;
  const Match match(rules);
  EXPECT_EQ(match.position().to_move(), kWhite);
  EXPECT_TRUE(match.position().board().stones(kWhite).is_empty());
  std::string text;
  for (const Point p : fixed_handicap_points(rules.size, stones, rules.handicap_placement)) {
    EXPECT_EQ(match.position().board().stone_at(p), Stone::kBlack);
    (text += text.empty() ? "" : " ") += to_text(p, rules.size);
  }
  EXPECT_EQ(match.position().board().stones(kBlack).count(), stones);
  return text;
}

TEST(Texts, ThreeRulesPutHandicapStonesOnSidesBeforeTheCentre) {
  EXPECT_EQ(placed("three-rules", 9, 1), "G7");
  EXPECT_EQ(placed("three-rules", 9, 2), "G7 C3");
  EXPECT_EQ(placed("three-rules", 9, 3), "G7 C3 C7");
  EXPECT_EQ(placed("three-rules", 9, 4), "G7 C3 C7 G3");
  EXPECT_EQ(placed("three-rules", 9, 5), "G7 C3 C7 G3 C5");
  EXPECT_EQ(placed("three-rules", 9, 6), "G7 C3 C7 G3 C5 G5");
  EXPECT_EQ(placed("three-rules", 9, 7), "G7 C3 C7 G3 C5 G5 E3");
  EXPECT_EQ(placed("three-rules", 9, 8), "G7 C3 C7 G3 C5 G5 E3 E7");
  EXPECT_EQ(placed("three-rules", 9, 9), "G7 C3 C7 G3 C5 G5 E3 E7 E5");
  EXPECT_EQ(placed("three-rules", 13, 1), "K10");
  EXPECT_EQ(placed("three-rules", 13, 5), "K10 D4 D10 K4 D7");
  EXPECT_EQ(placed("three-rules", 13, 7), "K10 D4 D10 K4 D7 K7 G4");
  EXPECT_EQ(placed("three-rules", 13, 9), "K10 D4 D10 K4 D7 K7 G4 G10 G7");
  EXPECT_EQ(placed("three-rules", 19, 1), "Q16");
  EXPECT_EQ(placed("three-rules", 19, 5), "Q16 D4 D16 Q4 D10");
  EXPECT_EQ(placed("three-rules", 19, 7), "Q16 D4 D16 Q4 D10 Q10 K4");
  EXPECT_EQ(placed("three-rules", 19, 9), "Q16 D4 D16 Q4 D10 Q10 K4 K16 K10");
}

TEST(Texts, TraditionalAndClubHandicapsHaveTheOddStoneInTheCentre) {
  for (const char* preset : {"traditional", "club-area"}) {
    EXPECT_EQ(placed(preset, 9, 1), "G7");
    EXPECT_EQ(placed(preset, 9, 5), "G7 C3 C7 G3 E5");
    EXPECT_EQ(placed(preset, 9, 6), "G7 C3 C7 G3 C5 G5");
    EXPECT_EQ(placed(preset, 9, 7), "G7 C3 C7 G3 C5 G5 E5");
    EXPECT_EQ(placed(preset, 9, 8), "G7 C3 C7 G3 C5 G5 E3 E7");
    EXPECT_EQ(placed(preset, 9, 9), "G7 C3 C7 G3 C5 G5 E3 E7 E5");
    EXPECT_EQ(placed(preset, 19, 2), "Q16 D4");
    EXPECT_EQ(placed(preset, 19, 3), "Q16 D4 D16");
    EXPECT_EQ(placed(preset, 19, 4), "Q16 D4 D16 Q4");
    EXPECT_EQ(placed(preset, 19, 5), "Q16 D4 D16 Q4 K10");
    EXPECT_EQ(placed(preset, 19, 6), "Q16 D4 D16 Q4 D10 Q10");
    EXPECT_EQ(placed(preset, 19, 7), "Q16 D4 D16 Q4 D10 Q10 K10");
    EXPECT_EQ(placed(preset, 19, 8), "Q16 D4 D16 Q4 D10 Q10 K4 K16");
    EXPECT_EQ(placed(preset, 19, 9), "Q16 D4 D16 Q4 D10 Q10 K4 K16 K10");
  }
  EXPECT_EQ(placed("club-area", 13, 9), "K10 D4 D10 K4 D7 K7 G4 G10 G7");
}

TEST(Texts, ATenthHandicapStoneIsRefused) {
  for (const char* preset : kOwnPresets) {
    Rules rules = nine(preset);
    rules.handicap = 10;
    EXPECT_EQ(error_of([&] { validate(rules); }),
              "rules, handicap: expected 0 to 9 on 9x9, found 10");
  }
}

}  // namespace
}  // namespace tengen
