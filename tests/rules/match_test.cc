#include "rules/match.h"

#include <gtest/gtest.h>

#include <set>

#include "rules/presets.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

constexpr Color kBlack = Color::kBlack;
constexpr Color kWhite = Color::kWhite;

Rules nine(std::string_view preset) {
  return preset_rules(preset, BoardSize::square(9));
}

Point point(std::string_view text) {
  return *parse_point(text, BoardSize::square(9));
}

void play_all(Match& match, std::initializer_list<const char*> moves) {
  for (const char* text : moves) {
    match.play(match.position().to_move(), *parse_move(text, match.position().size()));
  }
}

// A black wall on B with two eyes on A, a white stone in the lower one, a white wall on G.
constexpr const char* kWalls = R"(
    . X . . . . O . .
    . X . . . . O . .
    . X . . . . O . .
    . X . . . . O . .
    X X . . . . O . .
    . X . . . . O . .
    . X . . . . O . .
    O X . . . . O . .
    . X . . . . O . .)";

Match at_walls(const Rules& rules, const MatchOptions& options = {}) {
  return Match(Position(rules, board_from_text(kWalls), kBlack), options);
}

Match in_scoring() {
  Match match = at_walls(nine("club-area"));
  play_all(match, {"pass", "pass"});
  return match;
}

// Takes back and forth one ko: the stone on C4 is taken first.
constexpr const char* kKo = R"(
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . . . . . . . . .
    . . . . . . . . .)";

TEST(Match, TheHostHasTheChosenColour) {
  const Match black(nine("club-area"), {.colors = ColorChoice::kHostIsBlack});
  EXPECT_EQ(black.color_of(Seat::kHost), kBlack);
  EXPECT_EQ(black.color_of(Seat::kGuest), kWhite);
  EXPECT_EQ(black.player_of(kWhite), Seat::kGuest);
  const Match white(nine("club-area"), {.colors = ColorChoice::kGuestIsBlack});
  EXPECT_EQ(white.color_of(Seat::kHost), kWhite);
  EXPECT_EQ(white.player_of(kWhite), Seat::kHost);
}

TEST(Match, RandomColoursComeFromTheSeed) {
  int black = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const MatchOptions options = {.colors = ColorChoice::kRandom, .seed = seed};
    const Color host = Match(nine("club-area"), options).color_of(Seat::kHost);
    EXPECT_EQ(Match(nine("club-area"), options).color_of(Seat::kHost), host);
    black += host == kBlack ? 1 : 0;
  }
  EXPECT_NEAR(black, 500, 80);  // five standard deviations
}

TEST(Match, RefusesMovesOutOfTurnAndIllegalOnesAndStaysAsItWas) {
  Match match(nine("club-area"));
  EXPECT_EQ(error_of([&] { match.play(kWhite, point("E5")); }),
            "match: expected a move by black, found one by white");
  match.play(kBlack, point("E5"));
  EXPECT_EQ(error_of([&] { match.play(kBlack, Move::pass()); }),
            "match: expected a move by white, found one by black");
  EXPECT_EQ(error_of([&] { match.play(kWhite, point("E5")); }),
            "match: expected a legal move, found E5 is not empty");
  EXPECT_EQ(error_of([&] { match.play(kWhite, Point::at(9, 0)); }),
            "match: expected a legal move, found it is not on the board of 9x9");
  EXPECT_EQ(match.moves().size(), 1U);
  EXPECT_EQ(match.position().to_move(), kWhite);
}

TEST(Match, SaysWhyAnEmptyPointIsRefused) {
  Match suicide(nine("club-area"));
  play_all(suicide, {"A8", "J1", "B9"});
  EXPECT_EQ(error_of([&] { suicide.play(kWhite, point("A9")); }),
            "match: expected a legal move, found A9 would be suicide");
  Match ko(Position(nine("casual-9x9"), board_from_text(kKo), kWhite));
  play_all(ko, {"B4"});
  EXPECT_EQ(error_of([&] { ko.play(kBlack, point("C4")); }),
            "match: expected a legal move, found C4 would retake the ko at once");
}

TEST(Match, AFreeHandicapIsPlacedByBlackAndWhiteMovesFirst) {
  Rules rules = nine("chinese");
  rules.handicap = 2;
  Match match(rules);
  EXPECT_EQ(match.state(), MatchState::kPlacing);
  EXPECT_EQ(error_of([&] { match.play(kBlack, point("E5")); }),
            "match: expected a match in play for a move, found it placing");
  EXPECT_EQ(error_of([&] { match.time_out(kBlack); }),
            "match: expected a match in play or scoring for a time-out, found it placing");
  const auto placing = [&](std::initializer_list<Point> points) {
    return error_of([&] { match.place_handicap(std::vector<Point>(points)); });
  };
  EXPECT_EQ(placing({point("E5")}), "match: expected 2 handicap stones, found 1");
  EXPECT_EQ(placing({point("E5"), point("E5")}),
            "match: expected distinct handicap points, found E5 twice");
  EXPECT_EQ(placing({point("E5"), Point::at(0, 9)}),
            "match: expected handicap stones on the board, found one off it");
  EXPECT_EQ(match.state(), MatchState::kPlacing);
  EXPECT_EQ(placing({point("E5"), point("A1")}), "");
  EXPECT_EQ(match.state(), MatchState::kPlaying);
  EXPECT_EQ(match.position().board().stones(kBlack).count(), 2);
  EXPECT_EQ(match.position().to_move(), kWhite);
  EXPECT_EQ(placing({point("E6"), point("A2")}),
            "match: expected a match with a free handicap to place, found it playing");
}

TEST(Match, AFixedHandicapIsThereFromTheStart) {
  Rules rules = nine("three-rules");
  rules.handicap = 3;
  const Match match(rules);
  EXPECT_EQ(match.state(), MatchState::kPlaying);
  EXPECT_EQ(match.position().board().stones(kBlack).count(), 3);
  EXPECT_EQ(match.position().to_move(), kWhite);
}

TEST(Match, TwoPassesLeadToScoringOnlyWherePlayersMark) {
  for (const Preset& preset : presets()) {
    Match match = at_walls(nine(preset.name));
    play_all(match, {"pass"});
    EXPECT_EQ(match.state(), MatchState::kPlaying);
    play_all(match, {"pass"});
    const DeadStones rule = preset.rules.dead_stones;
    EXPECT_EQ(match.state(), rule == DeadStones::kMarked      ? MatchState::kScoring
                             : rule == DeadStones::kPlayedOut ? MatchState::kPlaying
                                                              : MatchState::kFinished)
        << preset.name;
    if (rule != DeadStones::kPlayedOut) continue;
    play_all(match, {"pass", "pass", "pass", "pass"});  // two phases of clean-up
    EXPECT_EQ(match.state(), MatchState::kFinished) << preset.name;
    EXPECT_EQ(match.result().ending, MatchEnding::kScore);
  }
}

TEST(Match, AutomaticDeadStonesAreTheJudges) {
  Match match = at_walls(nine("japanese-9x9"));
  play_all(match, {"pass", "pass"});
  const FinishedMatch& result = match.result();
  ASSERT_TRUE(result.sheet.has_value());
  EXPECT_EQ(result.sheet->sides[0].prisoners, 1);
  EXPECT_TRUE(result.judged_by.has_value());
  EXPECT_EQ(match.state(), MatchState::kFinished);
}

TEST(Match, AChainIsMarkedDeadAndAliveAgainAsAWhole) {
  Match match = in_scoring();
  EXPECT_TRUE(match.dead().is_empty());
  match.toggle_dead(point("G3"));
  EXPECT_EQ(match.dead().count(), 9);
  match.toggle_dead(point("A2"));
  EXPECT_EQ(match.dead().count(), 10);
  match.toggle_dead(point("G9"));
  EXPECT_EQ(match.dead(), PointSet::of(BoardSize::square(9), point("A2")));
  EXPECT_EQ(error_of([&] { match.toggle_dead(point("E5")); }),
            "match: expected a stone to mark, found none there");
  EXPECT_EQ(error_of([&] { match.toggle_dead(Point::at(-1, 0)); }),
            "match: expected a stone to mark, found none there");
}

TEST(Match, ScoringFinishesWhenBothHaveConfirmedTheSameMarks) {
  Match match = in_scoring();
  match.toggle_dead(point("A2"));
  match.confirm(kBlack);
  match.confirm(kBlack);
  EXPECT_EQ(match.state(), MatchState::kScoring) << "one alone cannot finish it";
  match.confirm(kWhite);
  ASSERT_EQ(match.state(), MatchState::kFinished);
  EXPECT_EQ(match.result().ending, MatchEnding::kScore);
  EXPECT_EQ(match.result().outcome, (Outcome{kWhite}));
  EXPECT_FALSE(match.result().judged_by.has_value());
  // Black 9 + 1 stones and 4 + 4 points, White 9 stones, 18 points and 7.5.
  EXPECT_EQ(to_text(match.result()), "W+16.5");
  EXPECT_EQ(match.dead().count(), 1);
}

TEST(Match, AChangeOfMarksWithdrawsBothConfirmations) {
  for (const Color c : {kBlack, kWhite}) {
    Match match = in_scoring();
    match.confirm(c);
    EXPECT_TRUE(match.is_confirmed_by(c));
    match.toggle_dead(point("A2"));
    EXPECT_FALSE(match.is_confirmed_by(c));
    match.confirm(opponent(c));
    EXPECT_EQ(match.state(), MatchState::kScoring);
    match.suggest();  // the same stone: no change
    EXPECT_TRUE(match.is_confirmed_by(opponent(c)));
    match.toggle_dead(point("B5"));
    match.confirm(c);
    match.suggest();
    EXPECT_FALSE(match.is_confirmed_by(c));
  }
}

TEST(Match, TheSuggestionTakesThePlaceOfEarlierMarks) {
  Match match = in_scoring();
  match.toggle_dead(point("G1"));
  const DeadStonesVerdict verdict = match.suggest();
  EXPECT_EQ(match.dead(), verdict.dead);
  EXPECT_TRUE(verdict.dead.contains(match.position().size().index(point("A2"))));
  EXPECT_EQ(match.count().sides[1].stones, 9);
}

TEST(Match, TheCountFollowsTheMarks) {
  Match match = in_scoring();
  // Black 10 stones and 4 points; A1, A3 and A4 are nobody's. White 10, 18 and 7.5.
  EXPECT_EQ(to_text(match.count().score()), "W+21.5");
  match.toggle_dead(point("A2"));
  EXPECT_EQ(to_text(match.count().score()), "W+16.5");
}

TEST(Match, ResumingClearsAllMarksAndGivesTheTurnToTheOther) {
  for (const Color by : {kBlack, kWhite}) {
    Match match = in_scoring();
    match.toggle_dead(point("A2"));
    match.confirm(kBlack);
    match.resume(by);
    EXPECT_EQ(match.state(), MatchState::kPlaying);
    EXPECT_EQ(match.position().to_move(), opponent(by));
    EXPECT_TRUE(match.dead().is_empty());
    EXPECT_EQ(error_of([&] { match.play(by, Move::pass()); }).empty(), false);
    match.play(opponent(by), Move::pass());
    EXPECT_EQ(match.state(), MatchState::kPlaying) << "passes count anew";
    match.play(by, Move::pass());
    EXPECT_EQ(match.state(), MatchState::kScoring);
    EXPECT_TRUE(match.dead().is_empty());
    EXPECT_FALSE(match.is_confirmed_by(kBlack));
  }
}

TEST(Match, AResumedMatchRemembersEarlierPositions) {
  Match match(Position(nine("club-area"), board_from_text(kKo), kWhite));
  play_all(match, {"B4", "pass", "pass"});
  match.resume(kWhite);
  EXPECT_EQ(error_of([&] { match.play(kBlack, point("C4")); }),
            "match: expected a legal move, found C4 would repeat a position");
  play_all(match, {"J9", "J1", "C4"});
  EXPECT_EQ(match.moves().size(), 6U);
}

TEST(Match, WhoResignsLosesAtOnce) {
  Match playing(nine("club-area"));
  playing.resign(kWhite);  // it need not be the own turn
  EXPECT_EQ(playing.state(), MatchState::kFinished);
  EXPECT_EQ(playing.result().ending, MatchEnding::kResignation);
  EXPECT_EQ(playing.result().outcome, (Outcome{kBlack}));
  EXPECT_EQ(to_text(playing.result()), "B+R");
  Match scoring = in_scoring();
  scoring.resign(kBlack);
  EXPECT_EQ(to_text(scoring.result()), "W+R");
  Rules rules = nine("chinese");
  rules.handicap = 2;
  Match placing(rules);
  placing.resign(kBlack);
  EXPECT_EQ(to_text(placing.result()), "W+R");
}

TEST(Match, ATimeOutIsAPassAndTheThirdInARowLoses) {
  Match match(nine("club-area"));
  for (int i = 0; i < 2; ++i) {
    match.time_out(kBlack);
    match.play(kWhite, Point::at(i, 0));
  }
  EXPECT_EQ(match.moves()[2], (Position::Played{kBlack, Move::pass()}));
  EXPECT_EQ(match.time_outs_in_a_row(kBlack), 2);
  EXPECT_EQ(match.state(), MatchState::kPlaying);
  match.time_out(kBlack);
  EXPECT_EQ(match.state(), MatchState::kFinished);
  EXPECT_EQ(match.result().ending, MatchEnding::kTime);
  EXPECT_EQ(match.result().outcome, (Outcome{kWhite}));
  EXPECT_EQ(to_text(match.result()), "W+T");
}

TEST(Match, AMoveInTimeBreaksThePlayersRowAndNotTheOthers) {
  Match match(nine("club-area"));
  match.time_out(kBlack);
  match.play(kWhite, point("A1"));
  match.time_out(kBlack);
  match.play(kWhite, point("A2"));
  match.play(kBlack, point("B1"));
  EXPECT_EQ(match.time_outs_in_a_row(kBlack), 0);
  match.time_out(kWhite);
  match.time_out(kBlack);
  EXPECT_EQ(match.state(), MatchState::kScoring) << "two automatic passes are two passes";
  match.resume(kWhite);
  match.time_out(kBlack);
  match.play(kWhite, point("A3"));
  EXPECT_EQ(match.time_outs_in_a_row(kBlack), 2) << "scoring is no turn";
  match.play(kBlack, Move::pass());
  EXPECT_EQ(match.time_outs_in_a_row(kBlack), 0) << "a pass in time is a move";
}

TEST(Match, OnlyTheSideToMoveCanRunOutOfTime) {
  Match match(nine("club-area"));
  EXPECT_EQ(error_of([&] { match.time_out(kWhite); }),
            "match: expected a time-out of black, found one of white");
  EXPECT_EQ(match.time_outs_in_a_row(kWhite), 0);
}

TEST(Match, ATimeOutInScoringAcceptsTheMarks) {
  for (const Color whose : {kBlack, kWhite}) {
    Match match = in_scoring();
    match.toggle_dead(point("A2"));
    match.time_out(whose);
    ASSERT_EQ(match.state(), MatchState::kFinished);
    EXPECT_EQ(match.result().ending, MatchEnding::kScore);
    EXPECT_EQ(to_text(match.result()), "W+16.5");
  }
}

TEST(Match, TheMoveCapEndsItAtOnceWithTheJudgesDeadStones) {
  for (const char* preset : {"club-area", "casual-9x9", "japanese-9x9"}) {
    Rules rules = nine(preset);
    rules.move_cap = 2;
    Match match = at_walls(rules);
    play_all(match, {"C9", "F9"});
    ASSERT_EQ(match.state(), MatchState::kFinished);
    EXPECT_EQ(match.result().ending, MatchEnding::kScore);
    const bool is_judged = std::string_view(preset) != "casual-9x9";
    EXPECT_EQ(match.result().judged_by.has_value(), is_judged);
  }
}

TEST(Match, RepetitionEndsAsTheRulesSay) {
  Rules rules = nine("casual-9x9");
  const auto text_of = [&](Repetition repetition) {
    rules.repetition = repetition;
    // Three kos: after six captures the position is the first one again.
    Match match(Position(rules, board_from_text(R"(
        . X O . . . . . .
        X . X O . . . . .
        . X O . . . . . .
        . . . . . . . . .
        . X O . . X O . .
        X O . O X . X O .
        . X O . . X O . .
        . . . . . . . . .
        . . . . . . . . .)"),
                         kWhite));
    for (int i = 0; i < 2; ++i) play_all(match, {"B8", "C4", "F4", "C8", "B4", "G4"});
    EXPECT_EQ(match.state(), MatchState::kFinished);
    EXPECT_EQ(match.result().ending, MatchEnding::kRepetition);
    EXPECT_FALSE(match.result().sheet.has_value());
    return to_text(match.result());
  };
  EXPECT_EQ(text_of(Repetition::kNoResult), "Void");
  EXPECT_EQ(text_of(Repetition::kDraw), "0");
  EXPECT_EQ(text_of(Repetition::kLoss), "W+F") << "Black brought it about";
}

TEST(Match, NothingIsPossibleOutOfItsState) {
  Match playing(nine("club-area"));
  for (const auto& action : std::initializer_list<std::function<void(Match&)>>{
           [](Match& m) { m.toggle_dead(point("A1")); }, [](Match& m) { m.suggest(); },
           [](Match& m) { m.confirm(kBlack); }, [](Match& m) { m.resume(kBlack); },
           [](Match& m) { m.count(); }}) {
    EXPECT_NE(error_of([&] { action(playing); }).find("found it playing"), std::string::npos);
  }
  Match scoring = in_scoring();
  EXPECT_EQ(error_of([&] { scoring.play(kBlack, point("E5")); }),
            "match: expected a match in play for a move, found it scoring");
  EXPECT_EQ(error_of([&] { scoring.place_handicap({}); }),
            "match: expected a match with a free handicap to place, found it scoring");
  Match finished = in_scoring();
  finished.resign(kBlack);
  for (const auto& action : std::initializer_list<std::function<void(Match&)>>{
           [](Match& m) { m.play(kBlack, point("E5")); }, [](Match& m) { m.time_out(kBlack); },
           [](Match& m) { m.toggle_dead(point("A2")); }, [](Match& m) { m.suggest(); },
           [](Match& m) { m.confirm(kBlack); }, [](Match& m) { m.resume(kBlack); },
           [](Match& m) { m.resign(kWhite); }, [](Match& m) { m.count(); }}) {
    EXPECT_NE(error_of([&] { action(finished); }).find("found it finished"), std::string::npos);
  }
  EXPECT_EQ(to_text(finished.result()), "W+R");
}

TEST(MatchDeathTest, AnUnfinishedMatchHasNoResult) {
  EXPECT_DEATH((void)Match(nine("club-area")).result(), "the result of a finished match");
}

TEST(Match, StatesAndEndingsHaveNames) {
  std::set<std::string_view> names;
  for (int i = 0; i < 4; ++i) names.insert(name_of(static_cast<MatchState>(i)));
  for (int i = 0; i < 5; ++i) names.insert(name_of(static_cast<MatchEnding>(i)));
  EXPECT_EQ(names.size(), 9U);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace tengen
