#include "selfplay/game_sgf.h"

#include <gtest/gtest.h>

#include "games.h"
#include "rules/sgf_game.h"

namespace tengen {
namespace {

Rules rules_3x3() {
  Rules rules;
  rules.size = BoardSize::square(3);
  rules.komi = Komi::from_half_points(5);
  return rules;
}

std::string comment(const SgfTree& tree, int node) {
  const SgfProperty* found = tree.node(node).find("C");
  return found != nullptr ? found->values.front().text() : "";
}

TEST(GameSgf, ReadsBackAsTheGame) {
  for (const GameRecord& record :
       games_of_pool(small_games(), 8, 12, std::make_shared<HashEvaluator>(5))) {
    const SgfGame game = game_of(parse_sgf(to_text(sgf_of(record))).front());
    EXPECT_EQ(game.size(), record.rules.size);
    EXPECT_EQ(game.komi, record.rules.komi);
    ASSERT_EQ(game.moves.size(), record.moves.size());
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
      EXPECT_EQ(game.moves[ply].move, record.moves[ply].move);
      EXPECT_EQ(game.moves[ply].color, ply % 2 == 0 ? Color::kBlack : Color::kWhite);
    }
  }
}

TEST(GameSgf, CommentsSayWhatTheSearchSaid) {
  GameRecord record = played_game(rules_3x3(), "B2 A1 pass pass");
  record.opening_moves = 1;
  record.moves[0] = {.move = record.moves[0].move, .weight = 0};
  record.moves[2].policy.clear();
  record.moves[2].weight = 0;
  const SgfTree tree = sgf_of(record);
  EXPECT_EQ(comment(tree, 0), "ended by passes; 0 evaluations");
  EXPECT_EQ(comment(tree, 1), "opening");
  EXPECT_EQ(comment(tree, 2),
            "win 25.0 %, score -1.5 after 8 visits; net alone 50.0 %, +0.0\n"
            "surprise 0.000 nats, weight 1.00\nA1 75.0 %, pass 25.0 %");
  EXPECT_NE(comment(tree, 3).find("no training row"), std::string::npos);
}

TEST(GameSgf, ResultsSayWhoWonAndHow) {
  const auto result = [](const GameRecord& record) { return game_of(sgf_of(record)).result; };
  GameRecord record = played_game(rules_3x3(), "B2 pass pass");
  EXPECT_EQ(result(record), "B+6.5");
  Position position(record.rules);
  position.play(record.moves[0].move);
  record.moves.resize(1);
  finish(record, position, GameEnd::kResignation);
  EXPECT_EQ(result(record), "B+R");
}

TEST(GameSgf, TwoNetsHaveTheirSides) {
  GameRecord record = played_game(rules_3x3(), "B2 A1 pass pass");
  record.nets = {"new", "old"};
  record.moves[1].net = record.moves[3].net = 1;
  const SgfGame game = game_of(sgf_of(record));
  EXPECT_EQ(game.black_name, "new");
  EXPECT_EQ(game.white_name, "old");
}

TEST(GameSgf, HandicapStonesAreSetUp) {
  Rules rules;
  rules.size = BoardSize::square(9);
  rules.handicap = 2;
  const SgfGame game = game_of(sgf_of(played_game(rules, "E5 D5 pass pass")));
  EXPECT_EQ(game.setup.stones(Color::kBlack).count(), 2);
  EXPECT_EQ(game.handicap, 2);
  EXPECT_EQ(game.moves.front().color, Color::kWhite);
}

}  // namespace
}  // namespace tengen
