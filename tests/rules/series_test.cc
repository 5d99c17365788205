#include "rules/series.h"

#include <gtest/gtest.h>

#include "rules/presets.h"

namespace tengen {
namespace {

constexpr Seat kHost = Seat::kHost;
constexpr Seat kGuest = Seat::kGuest;

// Records a win in the game that comes next.
void win(Series& series, Seat winner, int times = 1) {
  for (int i = 0; i < times; ++i) {
    const bool is_black = series.next_game().black == winner;
    series.record({is_black ? Color::kBlack : Color::kWhite});
  }
}

TEST(Series, ColoursAlternateBetweenEquals) {
  Series series(kGuest);
  for (const Seat black : {kGuest, kHost, kGuest, kHost}) {
    EXPECT_EQ(series.next_game(), (GamePlan{black, 0}));
    series.record({});  // a draw
  }
  EXPECT_EQ(series.games(), 4);
  EXPECT_EQ(series.step(), 0);
  EXPECT_FALSE(series.weaker().has_value());
}

TEST(Series, ThreeWinsInARowTakeAStepDown) {
  Series series;
  win(series, kHost, 2);
  EXPECT_EQ(series.wins_in_a_row(), 2);
  EXPECT_EQ(series.step(), 0);
  win(series, kHost);
  EXPECT_EQ(series.step(), 1);
  EXPECT_EQ(series.weaker(), kGuest);
  EXPECT_EQ(series.wins_in_a_row(), 0) << "a step begins a new run";
}

TEST(Series, TheWeakerKeepsBlackAndThenHasTwoStonesToNine) {
  Series series;
  win(series, kHost, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(series.next_game(), (GamePlan{kGuest, 0})) << "Black in every game";
    win(series, kHost);
  }
  for (int stones = 2; stones <= 9; ++stones) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(series.next_game(), (GamePlan{kGuest, stones}));
      win(series, kHost);
    }
  }
  EXPECT_EQ(series.next_game(), (GamePlan{kGuest, 9})) << "the ladder ends at nine stones";
  EXPECT_EQ(series.step(), 9);
}

TEST(Series, ThreeWinsOfTheWeakerTakeAStepBack) {
  Series series;
  win(series, kGuest, 9);
  EXPECT_EQ(series.next_game(), (GamePlan{kHost, 3}));
  win(series, kHost, 3);
  EXPECT_EQ(series.next_game(), (GamePlan{kHost, 2}));
  win(series, kHost, 3);
  EXPECT_EQ(series.next_game(), (GamePlan{kHost, 0}));
  EXPECT_EQ(series.weaker(), kHost);
  win(series, kHost, 3);
  EXPECT_EQ(series.step(), 0);
  EXPECT_FALSE(series.weaker().has_value());
  EXPECT_EQ(series.next_game().black, kGuest) << "the host had Black in the game before";
  win(series, kHost, 3);
  EXPECT_EQ(series.weaker(), kGuest) << "now the other is the weaker one";
  EXPECT_EQ(series.next_game().black, kGuest);
}

TEST(Series, ALossOrADrawBreaksARun) {
  Series series;
  win(series, kHost, 2);
  win(series, kGuest);
  EXPECT_EQ(series.wins_in_a_row(), 1);
  win(series, kHost, 2);
  series.record({});
  EXPECT_EQ(series.wins_in_a_row(), 0);
  win(series, kHost, 2);
  EXPECT_EQ(series.step(), 0);
  EXPECT_EQ(series.wins(), (std::array{6, 1}));
  EXPECT_EQ(series.games(), 8);
}

TEST(Series, AGameWithoutResultIsPlayedAgain) {
  Series series;
  win(series, kHost, 2);
  const GamePlan plan = series.next_game();
  series.record({std::nullopt, true});
  EXPECT_EQ(series.next_game(), plan);
  EXPECT_EQ(series.games(), 2);
  EXPECT_EQ(series.wins_in_a_row(), 2);
}

TEST(Series, TheLadderEndsWhereTheBoardHasNoMorePlaces) {
  Series four(kHost, 4);
  win(four, kHost, 30);
  EXPECT_EQ(four.next_game(), (GamePlan{kGuest, 4}));
  Series none(kHost, 0);
  win(none, kHost, 30);
  EXPECT_EQ(none.next_game(), (GamePlan{kGuest, 0}));
}

TEST(Series, APlanStartsAMatch) {
  Series series(kHost, 9);
  win(series, kHost, 9);
  const GamePlan plan = series.next_game();
  Rules rules = preset_rules("traditional", BoardSize::square(9));
  rules.handicap = plan.handicap;
  const Match match(rules, {.colors = plan.colors()});
  EXPECT_EQ(match.color_of(kGuest), Color::kBlack);
  EXPECT_EQ(match.position().board().stones(Color::kBlack).count(), 3);
  EXPECT_EQ(GamePlan{kHost}.colors(), ColorChoice::kHostIsBlack);
}

// A result by the score, of an area of one black stone: 162 half points for Black less komi.
FinishedMatch counted(int black_margin_half_points) {
  Rules rules = preset_rules("tromp-taylor", BoardSize::square(9));
  rules.komi = Komi::from_half_points(162 - black_margin_half_points);
  Board board(rules.size);
  board.play(Point::at(4, 4), Color::kBlack);
  const ScoreSheet sheet = Position(rules, board, Color::kWhite).score_sheet();
  return {.outcome = {sheet.score().winner()}, .sheet = sheet};
}

TEST(TwoGameMatch, ColoursAreSwappedAndMarginsAdded) {
  TwoGameMatch match(BoardSize::square(9), kGuest);
  EXPECT_EQ(match.next_game(), (GamePlan{kGuest, 0}));
  match.record(counted(7));  // the guest by 3.5
  EXPECT_FALSE(match.is_over());
  EXPECT_EQ(match.host_margin_half_points(), -7);
  EXPECT_EQ(match.next_game(), (GamePlan{kHost, 0}));
  match.record(counted(9));  // the host by 4.5
  EXPECT_TRUE(match.is_over());
  EXPECT_EQ(match.host_margin_half_points(), 2);
  EXPECT_EQ(match.winner(), kHost);
}

TEST(TwoGameMatch, OneWinEachIsDecidedByTheSumAndEqualMarginsAreADraw) {
  TwoGameMatch guest(BoardSize::square(9));
  guest.record(counted(2));
  guest.record(counted(5));
  EXPECT_EQ(guest.winner(), kGuest);
  TwoGameMatch draw(BoardSize::square(9));
  draw.record(counted(-3));
  draw.record(counted(-3));
  EXPECT_FALSE(draw.winner().has_value());
  TwoGameMatch jigo(BoardSize::square(9));
  jigo.record(counted(0));
  jigo.record(counted(-1));
  EXPECT_EQ(jigo.winner(), kHost);
}

TEST(TwoGameMatch, AGameWithoutACountIsLostByTheWholeBoard) {
  TwoGameMatch match(BoardSize::square(9));
  match.record({.outcome = {Color::kWhite}, .ending = MatchEnding::kResignation});
  EXPECT_EQ(match.host_margin_half_points(), -162);
  match.record({.outcome = {Color::kWhite}, .ending = MatchEnding::kTime});
  EXPECT_FALSE(match.winner().has_value()) << "each lost one";
  TwoGameMatch other(BoardSize::square(9));
  other.record({.outcome = {Color::kBlack}, .ending = MatchEnding::kTime});
  other.record({.outcome = {}, .ending = MatchEnding::kThreeKos});  // a draw
  EXPECT_EQ(other.winner(), kHost);
}

TEST(TwoGameMatch, AGameWithoutResultIsPlayedAgain) {
  TwoGameMatch match(BoardSize::square(9));
  match.record({.outcome = {std::nullopt, true}, .ending = MatchEnding::kRepetition});
  EXPECT_EQ(match.next_game(), (GamePlan{kHost, 0}));
}

TEST(TwoGameMatchDeathTest, HasNoThirdGameAndNoWinnerBefore) {
  TwoGameMatch match(BoardSize::square(9));
  EXPECT_DEATH((void)match.winner(), "the winner of a match that is over");
  match.record(counted(1));
  match.record(counted(1));
  EXPECT_DEATH((void)match.next_game(), "a match of two games");
}

}  // namespace
}  // namespace tengen
