#include "selfplay/record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "games.h"

namespace tengen {
namespace {

Rules rules_4x4() {
  Rules rules;
  rules.size = BoardSize::square(4);
  rules.komi = Komi::from_half_points(5);
  return rules;
}

GameRecord good_game() {
  return played_game(rules_4x4(), "B1 C1 B2 C2 B3 C3 B4 D4 pass pass");
}

// Verifies the game after `damage` and returns the complaint.
template <class Damage>
std::string complaint(Damage damage) {
  GameRecord record = good_game();
  record.index = 12;
  damage(record);
  try {
    verify(record);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Record, AGoodGameVerifies) {
  const GameRecord game = good_game();
  EXPECT_NO_THROW(verify(game));
  EXPECT_EQ(game.score.black_margin(), 1 - 2.5);
}

TEST(Record, VerifyNamesGamePlyAndFault) {
  using R = GameRecord;
  EXPECT_EQ(complaint([](R& r) { r.moves[4].move = r.moves[0].move; }),
            "game 12, ply 4: illegal move B1");
  EXPECT_EQ(complaint([](R& r) { r.moves[2].move = Point::at(0, 5); }),
            "game 12, ply 2: the move is off the board");
  EXPECT_EQ(complaint([](R& r) { r.moves[1].policy.pop_back(); }),
            "game 12, ply 1: expected a policy of 17 entries, found 16");
  EXPECT_EQ(complaint([](R& r) { r.moves[3].policy[0] = NAN; }),
            "game 12, ply 3: policy entry 0 is nan");
  EXPECT_EQ(complaint([](R& r) { r.moves[3].policy[0] = -0.5F; }),
            "game 12, ply 3: policy entry 0 is -0.500000");
  EXPECT_EQ(complaint([](R& r) { r.moves[3].policy[16] = 0.5F; }),
            "game 12, ply 3: policy sums to 1.250000, expected 1");
  EXPECT_EQ(complaint([](R& r) { std::swap(r.moves[3].policy[13], r.moves[3].policy[16]); }),
            "game 12, ply 3: policy entry 13 is positive, but the move is illegal");
  EXPECT_EQ(complaint([](R& r) { r.moves[5].root_win = 1.5F; }),
            "game 12, ply 5: root_win is 1.500000, expected 0 to 1");
  EXPECT_EQ(complaint([](R& r) { r.moves[5].root_score = INFINITY; }),
            "game 12, ply 5: root_score is not finite");
  EXPECT_EQ(complaint([](R& r) { r.moves[5].policy_surprise = NAN; }),
            "game 12, ply 5: policy_surprise is not finite");
  EXPECT_EQ(complaint([](R& r) { r.moves[5].net = 1; }),
            "game 12, ply 5: its net is number 1 of 1");
  EXPECT_EQ(complaint([](R& r) {
              r.nets = {"a", "b", "c"};
              r.moves[5].net = 2;
            }),
            "game 12, ply 5: its net is number 2 of 3");
  EXPECT_EQ(complaint([](R& r) { r.nets.push_back("b"); }), "game 12, ply 10: a net has no moves");
  EXPECT_EQ(complaint([](R& r) { r.moves[0].policy.clear(); }),
            "game 12, ply 0: a move without policy has search values");
  EXPECT_EQ(complaint([](R& r) { r.opening_moves = 1; }),
            "game 12, ply 0: an opening move has a policy");
  EXPECT_EQ(complaint([](R& r) { r.opening_moves = 11; }), "game 12, ply 0: opening_moves is 11");
  EXPECT_EQ(complaint([](R& r) { r.moves.push_back(r.moves.back()); }),
            "game 12, ply 10: a move after the end of the game");
  EXPECT_EQ(complaint([](R& r) { r.moves.clear(); }), "game 12, ply 0: no moves");
}

TEST(Record, VerifyChecksEndAndScore) {
  using R = GameRecord;
  EXPECT_EQ(complaint([](R& r) { r.moves.pop_back(); }),
            "game 12, ply 9: ended by passes, but the rules do not end it here");
  EXPECT_EQ(complaint([](R& r) { r.end = GameEnd::kMoveCap; }),
            "game 12, ply 10: ended by move-cap, but the rules end it by passes");
  EXPECT_EQ(complaint([](R& r) { r.end = GameEnd::kAllPassAlive; }),
            "game 12, ply 10: ended as all pass-alive, but it is not");
  EXPECT_EQ(complaint([](R& r) { r.score.black_area.insert(3); }),
            "game 12, ply 10: expected score W+1.5, found W+0.5 or other areas");
  EXPECT_EQ(complaint([](R& r) { std::swap(r.score.black_area, r.score.white_area); }),
            "game 12, ply 10: expected score W+1.5, found W+3.5 or other areas");
}

TEST(Record, AResignedGameIsLostByTheSideToMoveHoweverItStands) {
  GameRecord game = good_game();
  game.moves.resize(8);  // Black to move; White is a point and a half ahead
  Position position(game.rules);
  for (const MoveRecord& played : game.moves) position.play(played.move);
  finish(game, position, GameEnd::kResignation);
  EXPECT_NO_THROW(verify(game));
  EXPECT_EQ(game.outcome.winner, Color::kWhite);
  game.moves.pop_back();
  EXPECT_THROW(verify(game), Error) << "now it would be White who resigned";
  EXPECT_EQ(complaint([](GameRecord& r) { r.end = GameEnd::kResignation; }),
            "game 12, ply 10: ended by resignation, but the rules end it by passes");
}

TEST(Record, ACheapSearchHasAnOpinionAndNoRow) {
  GameRecord game = good_game();
  EXPECT_EQ(row_count(game), 10);
  game.moves[4].weight = 0;
  EXPECT_THROW(verify(game), Error) << "a policy without a row would be the row before's reply";
  game.moves[4].policy.clear();
  EXPECT_NO_THROW(verify(game));
  EXPECT_EQ(row_count(game), 9);
  game.moves[4].weight = NAN;
  EXPECT_THROW(verify(game), Error);
}

TEST(Record, DeadStonesInPassAliveTerritoryAreNotCounted) {
  Rules rules = rules_4x4();
  const Board board = board_from_text(R"(
      . X . O
      X X X .
      . . X X
      X X X .)");
  const Position position(rules, board, Color::kBlack);
  EXPECT_EQ(final_score(position, GameEnd::kMoveCap).white_area.count(), 1);
  ASSERT_TRUE(position.is_all_pass_alive());
  const Score score = final_score(position, GameEnd::kAllPassAlive);
  EXPECT_EQ(score.black_area.count(), 16);
  EXPECT_EQ(score.white_area.count(), 0);
}

TEST(Record, CanonicalTextReadsBackToTheSameGame) {
  GameRecord a = good_game();
  a.index = ~0ULL;
  a.seed = 1ULL << 63;
  a.evaluations = 123;
  a.moves[0].policy[3] = 0x1.234p-20F;
  GameRecord b = good_game();
  b.opening_moves = 1;
  b.moves[0] = {.move = b.moves[0].move};
  b.nets = {"net-000001", "net 2, of another run"};
  b.moves[3] = {.move = b.moves[3].move, .root_win = 0.75F, .visits = 4, .weight = 0};
  b.moves[4].root_no_result = 0.125F;
  b.moves[5].raw_win = 0.3F;
  b.moves[6].raw_score = -2.7F;
  b.moves[7].policy_surprise = 0.01F;
  for (std::size_t ply = 4; ply < b.moves.size(); ply += 2) b.moves[ply].net = 1;
  const std::string text = canonical_text(a) + canonical_text(b);
  const std::vector<GameRecord> games = parse_canonical_text(text);
  ASSERT_EQ(games.size(), 2U);
  EXPECT_EQ(canonical_text(games[0]) + canonical_text(games[1]), text);
  EXPECT_EQ(games[0].moves[0].policy, a.moves[0].policy);
  EXPECT_EQ(games[0].rules, a.rules);
  EXPECT_TRUE(games[1].moves[0].policy.empty());
  EXPECT_NO_THROW(verify(games[1]));
  EXPECT_EQ(games[1].nets, b.nets);
  EXPECT_EQ(games[1].moves[6].net, 1);
  EXPECT_EQ(games[1].moves[3].weight, 0);
  EXPECT_EQ(games[1].moves[6].raw_score, -2.7F);
}

TEST(Record, WhatAGameUnderWayCarriesReadsBack) {
  GameRecord game = good_game();
  game.nets = {"new", "old"};
  game.opponent = Color::kWhite;
  game.must_balance = true;
  const GameRecord found = parse_canonical_text(canonical_text(game)).at(0);
  EXPECT_EQ(found.opponent, Color::kWhite);
  EXPECT_TRUE(found.must_balance);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = canonical_text(game);
    text.replace(text.find(from), from.size(), to);
    EXPECT_THROW(parse_canonical_text(text), Error) << to;
  };
  refused("net new\nnet old\n", "");
  refused("net old\n", "");
  refused("opponent white", "opponent grey");
  refused("opening_moves 0", "opening_moves -1");
}

TEST(Record, BrokenTextIsAnErrorWithItsLine) {
  const std::string text = canonical_text(good_game());
  EXPECT_TRUE(parse_canonical_text("").empty());
  for (std::size_t cut = 1; cut < text.size() - 40; cut += 7) {
    EXPECT_THROW(parse_canonical_text(text.substr(0, cut)), Error) << cut;
  }
  std::string changed = text;
  changed.replace(changed.find("move "), 6, "move x");
  try {
    parse_canonical_text(changed);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("game text, line 7: expected a number", 0), 0U)
        << error.what();
  }
}

}  // namespace
}  // namespace tengen
