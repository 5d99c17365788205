#include "eval/player.h"

#include <gtest/gtest.h>

#include "eval/arena.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

MoveChoice ask(Player& player, const Position& position, std::uint64_t seed = 1) {
  const MoveRequest request{.position = &position, .seed = seed};
  MoveChoice choice;
  player.choose({&request, 1}, {&choice, 1});
  return choice;
}

Position position_of(const char* diagram, Color to_move, double komi) {
  const Board board = board_from_text(diagram);
  Rules rules = rules_on(board.size().width, komi);
  return Position(rules, board, to_move);
}

std::vector<std::unique_ptr<Player>> all_players() {
  std::vector<std::unique_ptr<Player>> players;
  players.push_back(make_random_player());
  players.push_back(make_rollout_player(30));
  players.push_back(make_search_player(std::make_shared<HashEvaluator>(1), {.visits = 8}));
  return players;
}

// Black owns the board but for one White stone that could still be taken.
constexpr const char* kBlackAhead = R"(
    . X . X .
    X X X X X
    . X . . .
    X X X X .
    . X . X O)";

TEST(Player, AnswersAPassWithAPassThatWins) {
  for (const auto& player : all_players()) {
    Position position = position_of(kBlackAhead, Color::kWhite, 3.5);
    position.play(Move::pass());
    ASSERT_TRUE(pass_without_thinking(position));
    EXPECT_EQ(ask(*player, position).move, Move::pass()) << player->name();
  }
}

TEST(Player, DoesNotAnswerAPassWithAPassThatLoses) {
  Position position = position_of(kBlackAhead, Color::kWhite, 24.5);
  position.play(Move::pass());
  EXPECT_FALSE(pass_without_thinking(position));
  EXPECT_NE(ask(*make_random_player(), position).move, Move::pass());
}

TEST(Player, PassesWhenNothingCanChange) {
  constexpr const char* kSettled = R"(
      . X . X .
      X X X X X
      . X . X .
      X X X X X
      . X . X .)";
  for (const auto& player : all_players()) {
    for (const Color mover : {Color::kBlack, Color::kWhite}) {
      const MoveChoice choice = ask(*player, position_of(kSettled, mover, 7.5));
      EXPECT_EQ(choice.move, Move::pass()) << player->name();
      EXPECT_EQ(choice.win, mover == Color::kBlack ? 1.F : 0.F);
    }
  }
}

TEST(Player, TakesDeadStonesOffBeforeItCallsTheBoardSettled) {
  constexpr const char* kDeadStone = R"(
      . X . X .
      X X X X X
      . X . O .
      X X X X X
      . X . X .)";
  const Position position = position_of(kDeadStone, Color::kBlack, 7.5);
  EXPECT_TRUE(position.is_all_pass_alive());
  EXPECT_FALSE(pass_without_thinking(position));
}

TEST(Player, APassIsNoAnswerToAMove) {
  EXPECT_FALSE(pass_without_thinking(position_of(kBlackAhead, Color::kBlack, 3.5)));
}

TEST(Player, ChoosesByItsRequestAloneWhateverElseIsAsked) {
  const Position empty(rules_on(5, 0.5));
  Position later = empty;
  later.play(Point::at(2, 2));
  later.play(Point::at(1, 1));
  for (const auto& player : all_players()) {
    const MoveRequest requests[] = {{.position = &empty, .seed = 5},
                                    {.position = &later, .seed = 6},
                                    {.position = &empty, .seed = 7}};
    MoveChoice choices[3];
    player->choose(requests, choices);
    for (int i = 0; i < 3; ++i) {
      const MoveChoice alone = ask(*player, *requests[i].position, requests[i].seed);
      EXPECT_EQ(alone.move, choices[i].move) << player->name();
      EXPECT_EQ(alone.win, choices[i].win) << player->name();
    }
  }
}

TEST(Player, PlaysWholeLegalGamesOnAllBoardsAndRules) {
  for (const auto& player : all_players()) {
    for (const BoardSize size : {BoardSize{2, 2}, BoardSize{3, 5}, BoardSize{9, 9}}) {
      for (const Ko ko : {Ko::kSimple, Ko::kPositional, Ko::kSituational}) {
        Rules rules;
        rules.size = size;
        rules.ko = ko;
        rules.multi_stone_suicide = ko == Ko::kPositional;
        EXPECT_EQ(play_match(*player, *player, {.rules = rules, .pairs = 1}).score.games(), 2);
      }
    }
  }
}

// A pass in the main phase only opens the clean-up, in which the opponent moves first.
TEST(Player, DoesNotTakeThePassThatEndsAPhaseForTheEndOfTheGame) {
  Rules rules = rules_on(5, 0);
  rules.scoring = Scoring::kTerritory;
  rules.dead_stones = DeadStones::kPlayedOut;
  Position position(rules);
  position.play(Point::at(2, 2));
  position.play(Move::pass());
  ASSERT_EQ(position.score().winner(), Color::kBlack);
  EXPECT_FALSE(pass_without_thinking(position));
  for (int i = 0; i < 3; ++i) position.play(Move::pass());
  ASSERT_EQ(position.phase(), 2);
  position.play(Move::pass());
  EXPECT_EQ(pass_without_thinking(position).has_value(),
            position.score().winner() == position.to_move());
}

TEST(SearchPlayer, TakesTheMoveOfItsSearch) {
  const SearchOptions options{.visits = 16, .gumbel_scale = 0};
  HashEvaluator evaluator(3);
  const auto player = make_search_player(std::make_shared<HashEvaluator>(3), options);
  Position position(rules_on(5, 0.5));
  for (std::uint64_t ply = 0; ply < 10; ++ply) {
    const SearchResult result = search_position(options, position, ply, evaluator);
    EXPECT_EQ(ask(*player, position, ply).move, result.move);
    position.play(result.move);
    if (position.is_over()) break;
  }
}

TEST(RolloutPlayer, TakesTheStonesThatWin) {
  // White's chain and Black's on the right have one liberty left, D5. Black takes six stones there
  // and owns the board; elsewhere White takes nine.
  constexpr const char* kRace = R"(
      . X O . X
      . X O O X
      X X O X X
      . X O X X
      . X O X X)";
  const auto player = make_rollout_player(500);
  const MoveChoice choice = ask(*player, position_of(kRace, Color::kBlack, 0.5));
  EXPECT_EQ(choice.move, Move(Point::at(0, 3)));
  EXPECT_GT(choice.win, 0.9F);
  EXPECT_EQ(ask(*player, position_of(kRace, Color::kWhite, 0.5)).move, Move(Point::at(0, 3)));
}

TEST(RolloutPlayer, OpensInTheCentreOf5x5) {
  const auto player = make_rollout_player(5000);
  EXPECT_EQ(ask(*player, Position(rules_on(5, 0.5))).move, Move(Point::at(2, 2)));
}

TEST(RolloutPlayer, BeatsTheRandomPlayerDecisivelyOn5x5) {
  const auto rollouts = make_rollout_player(200), random = make_random_player();
  const ArenaOptions options{.rules = rules_on(5, 0.5), .pairs = 25, .opening_moves = 2};
  const MatchScore score = play_match(*rollouts, *random, options).score;
  EXPECT_GE(score.wins, 45) << to_text(score);
}

TEST(RolloutPlayer, PlaysBetterWithMorePlayouts) {
  const auto more = make_rollout_player(400), fewer = make_rollout_player(20);
  const ArenaOptions options{.rules = rules_on(5, 3.5), .pairs = 20, .opening_moves = 2};
  const MatchScore score = play_match(*more, *fewer, options).score;
  EXPECT_GT(score.share(), 0.6) << to_text(score);
}

}  // namespace
}  // namespace tengen
