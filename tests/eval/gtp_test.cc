#include "eval/gtp.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "rules/rng.h"
#include "tests/eval/gtp_dialogue.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

GtpEngine engine_on(int n, std::shared_ptr<Player> player = make_random_player()) {
  return {std::move(player), {.version = "1.2", .rules = rules_on(n, 7.5), .seed = 1}};
}

TEST(Gtp, AnswersTheAdministrativeCommands) {
  GtpEngine engine = engine_on(9);
  expect_dialogue(engine, R"(
      protocol_version
      = 2
      1 name
      =1 Tengen
      version
      = 1.2
      known_command genmove
      = true
      known_command Genmove
      = false
      known_command
      = false
      99999999999999999999 nonsense
      ?99999999999999999999 unknown command
      5
      ?5 syntax error)");
  EXPECT_FALSE(engine.quit());
  EXPECT_EQ(engine.answer("3 quit"), "=3\n\n");
  EXPECT_TRUE(engine.quit());
}

TEST(Gtp, ListsEveryCommandItKnows) {
  GtpEngine engine = engine_on(9);
  const std::string list = engine.answer("list_commands");
  for (const char* command : {"protocol_version",
                              "name",
                              "version",
                              "known_command",
                              "list_commands",
                              "quit",
                              "boardsize",
                              "clear_board",
                              "komi",
                              "play",
                              "genmove",
                              "undo",
                              "final_score",
                              "showboard",
                              "time_settings",
                              "time_left",
                              "reg_genmove",
                              "fixed_handicap",
                              "place_free_handicap",
                              "set_free_handicap",
                              "final_status_list",
                              "kgs-genmove_cleanup",
                              "kata-get-rules",
                              "kata-set-rules",
                              "rectangular_boardsize",
                              "tengen-mark",
                              "tengen-marks",
                              "tengen-suggest",
                              "tengen-confirm",
                              "tengen-resume",
                              "tengen-score"}) {
    EXPECT_NE(list.find(command), std::string::npos) << command;
    EXPECT_EQ(engine.answer(std::string("known_command ") + command), "= true\n\n");
  }
}

TEST(Gtp, SetsUpBoards) {
  GtpEngine engine = engine_on(9);
  expect_dialogue(engine, R"(
      boardsize 19
      =
      boardsize 20
      ? unacceptable size
      boardsize 1
      ? unacceptable size
      boardsize 99999999999
      ? unacceptable size
      boardsize nine
      ? syntax error
      boardsize
      ? syntax error
      rectangular_boardsize 7 5
      =
      play b G5
      =
      play w H1
      ? illegal move
      komi 6.5
      =
      komi six
      ? syntax error
      komi nan
      ? syntax error
      komi 7.25
      ? syntax error)");
  EXPECT_EQ(engine.position().size(), (BoardSize{7, 5}));
  EXPECT_EQ(engine.position().rules().komi.half_points(), 13);
}

TEST(Gtp, PlaysAndTakesBack) {
  GtpEngine engine = engine_on(9);
  expect_dialogue(engine, R"(
      undo
      ? cannot undo
      play black d4
      =
      play W D4
      ? illegal move
      play w I5
      ? syntax error
      play w T19
      ? illegal move
      play green D5
      ? syntax error
      play w
      ? syntax error
      play W Pass
      =
      undo
      =
      undo
      =
      undo
      ? cannot undo)");
  EXPECT_TRUE(engine.position().board().stones(Color::kBlack).is_empty());
  EXPECT_EQ(engine.position().to_move(), Color::kBlack);
}

TEST(Gtp, LetsOneColourMoveTwiceInARow) {
  GtpEngine engine = engine_on(9);
  expect_dialogue(engine, R"(
      play b D4
      =
      play b D5
      =
      play b D6
      =
      undo
      =)");
  EXPECT_EQ(engine.position().board().stones(Color::kBlack).count(), 2);
  EXPECT_EQ(engine.position().to_move(), Color::kBlack);
}

TEST(Gtp, ForbidsKoSuicideAndSuperko) {
  GtpEngine engine = engine_on(5);
  expect_dialogue(engine, R"(
      play b B1
      =
      play b A2
      =
      play w A1
      ? illegal move
      play w C1
      =
      play w B2
      =
      play w A3
      =
      play w A1
      =
      play b B1
      ? illegal move)");
}

TEST(Gtp, ScoresTheBoardAsItStands) {
  GtpEngine engine = engine_on(5);
  expect_dialogue(engine, R"(
      final_score
      = W+7.5
      play b C3
      =
      final_score
      = B+17.5
      komi 25
      =
      final_score
      = 0
      play w A1
      =
      komi 0.5
      =
      final_score
      = W+0.5)");
  EXPECT_EQ(engine.answer("final_status_list alive"), "= C3\nA1\n\n");
  EXPECT_EQ(engine.answer("final_status_list dead"), "=\n\n");
  EXPECT_EQ(engine.answer("final_status_list seki"), "=\n\n");
  EXPECT_EQ(engine.answer("final_status_list drunk"), "? syntax error\n\n");
}

TEST(Gtp, ListsChainsOneALine) {
  GtpEngine engine = engine_on(5);
  expect_dialogue(engine, "play b A5\nplay b B5\nplay w E1\nplay b A1\n");
  EXPECT_EQ(engine.answer("final_status_list alive"), "= A5 B5\nA1\nE1\n\n");
}

TEST(Gtp, ShowsTheBoard) {
  GtpEngine engine = engine_on(3);
  expect_dialogue(engine, "play b A1\nplay w C2\nkomi 0.5");
  EXPECT_EQ(engine.answer("showboard"),
            "= \n"
            "   A B C\n"
            " 3 . . . 3\n"
            " 2 . . O 2\n"
            " 1 X . . 1\n"
            "   A B C\n"
            "black to move, komi 0.5, 2 moves\n\n");
}

TEST(Gtp, PlacesHandicapStones) {
  GtpEngine engine = engine_on(9);
  expect_dialogue(engine, R"(
      fixed_handicap 5
      = G7 C3 C7 G3 E5
      fixed_handicap 2
      ? board not empty
      clear_board
      =
      fixed_handicap 10
      ? invalid number of stones
      fixed_handicap 1
      ? invalid number of stones
      place_free_handicap 12
      = G7 C3 C7 G3 C5 G5 E3 E7 E5
      clear_board
      =
      set_free_handicap A1 A1
      ? bad vertex list
      set_free_handicap A1
      ? bad vertex list
      set_free_handicap A1 pass
      ? bad vertex list
      set_free_handicap A1 J9 C4
      =
      undo
      ? cannot undo
      play w C5
      =
      set_free_handicap A2 J8
      ? board not empty
      undo
      =
      boardsize 5
      =
      fixed_handicap 2
      ? invalid number of stones)");
}

TEST(Gtp, HandsTheMoveToWhiteAfterAHandicap) {
  GtpEngine engine = engine_on(9);
  engine.answer("fixed_handicap 4");
  EXPECT_EQ(engine.position().to_move(), Color::kWhite);
  EXPECT_EQ(engine.position().board().stones(Color::kBlack).count(), 4);
  EXPECT_EQ(engine.answer("genmove w")[0], '=');
}

TEST(Gtp, AcceptsTimeSettingsAndRules) {
  GtpEngine engine = engine_on(9);
  expect_dialogue(engine, R"(
      time_settings 300 30 5
      =
      time_settings 300 30
      ? syntax error
      time_settings -1 30 5
      ? syntax error
      time_left b 20 0
      =
      time_left b soon 0
      ? syntax error
      kgs-time_settings byoyomi 30 60 3
      =
      kata-set-rules new-zealand
      =
      kata-get-rules
      = {"hasButton":false,"ko":"SITUATIONAL","scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"0","friendlyPassOk":false}
      kata-set-rules {"ko": "SIMPLE", "suicide": false}
      =)");
  EXPECT_EQ(engine.position().rules().ko, Ko::kSimple);
  EXPECT_EQ(engine.answer("kata-set-rules japanese")[0], '=');
  EXPECT_EQ(engine.position().rules().scoring, Scoring::kTerritory);
  EXPECT_EQ(engine.answer("kata-set-rules japanes"),
            "? unknown rules 'japanes'; the nearest is 'japanese'\n\n");
}

TEST(Gtp, GeneratesMovesAndPlaysThem) {
  GtpEngine engine = engine_on(5);
  const std::string regression = engine.answer("reg_genmove b");
  EXPECT_TRUE(engine.position().board().stones(Color::kBlack).is_empty());
  EXPECT_EQ(engine.answer("genmove b"), regression);
  EXPECT_EQ(engine.position().board().stones(Color::kBlack).count(), 1);
  EXPECT_EQ(engine.answer("genmove"), "? syntax error\n\n");
  EXPECT_EQ(engine.answer("genmove b")[0], '=');  // twice in a row
  EXPECT_EQ(engine.position().board().stones(Color::kBlack).count(), 2);
}

TEST(Gtp, GeneratesMovesAlsoAfterTwoPasses) {
  GtpEngine engine =
      engine_on(5, make_search_player(std::make_shared<HashEvaluator>(1), {.visits = 4}));
  expect_dialogue(engine, "play b pass\n=\nplay w pass\n=");
  EXPECT_EQ(engine.answer("genmove b")[0], '=');
  EXPECT_EQ(engine.answer("kgs-genmove_cleanup w")[0], '=');
}

TEST(Gtp, ReportsAPlayerThatFailsOnOneBlock) {
  GtpEngine engine =
      engine_on(5, std::make_shared<FunctionPlayer>("broken", [](const MoveRequest&) -> MoveChoice {
                  throw Error("out\n\nof memory\n");
                }));
  EXPECT_EQ(engine.answer("2 genmove b"), "?2 out of memory\n\n");
}

TEST(Gtp, PassesOnResignations) {
  GtpEngine engine =
      engine_on(5, std::make_shared<FunctionPlayer>(
                       "coward", [](const MoveRequest&) { return MoveChoice{.resign = true}; }));
  EXPECT_EQ(engine.answer("genmove b"), "= resign\n\n");
}

TEST(Gtp, ServesAStreamUntilQuitOrItsEnd) {
  GtpEngine engine = engine_on(5);
  std::istringstream in("\n# hello\r\n1 name\r\n" + std::string(1 << 20, 'x') +
                        "\n2 quit\n3 name\n");
  std::ostringstream out;
  engine.serve(in, out);
  EXPECT_EQ(out.str(), "=1 Tengen\n\n? unknown command\n\n=2\n\n");
  GtpEngine other = engine_on(5);
  std::istringstream unended("1 version");
  std::ostringstream answer;
  other.serve(unended, answer);
  EXPECT_EQ(answer.str(), "=1 1.2\n\n");
}

// Plays the first legal point and notes what it ponders about; the second time it fails.
class PonderingPlayer : public FunctionPlayer {
 public:
  PonderingPlayer()
      : FunctionPlayer("thinker", [](const MoveRequest& request) {
          const Position& position = *request.position;
          Move move = Move::pass();
          position.legal_points().for_each([&](int i) { move = position.size().point(i); });
          return MoveChoice{.move = move};
        }) {}
  void ponder(const MoveRequest& request, const std::stop_token& stop) override {
    pondered.push_back(std::string(name_of(request.position->to_move())) + " " +
                       std::to_string(request.moves.size()));
    if (pondered.size() == 2) throw Error("no more");
    while (!stop.stop_requested()) std::this_thread::yield();
  }
  std::vector<std::string> pondered;
};

TEST(Gtp, PondersFromItsMoveToTheNextLineIfAskedTo) {
  for (const bool ponders : {true, false}) {
    const auto player = std::make_shared<PonderingPlayer>();
    GtpEngine::Options options;
    options.rules = rules_on(5, 0.5);
    options.ponders = ponders;
    GtpEngine engine(player, options);
    std::istringstream in(
        "play b a1\ngenmove w\nplay b b1\ngenmove w\nplay b c1\nundo\nundo\ngenmove w\n"
        "clear_board\nquit\n");
    std::ostringstream out;
    engine.serve(in, out);
    const std::vector<std::string> expected = {"black 2", "black 4", "black 4", "black 4"};
    EXPECT_EQ(player->pondered, ponders ? expected : std::vector<std::string>());
  }
}

TEST(Gtp, OutlivesHostileInput) {
  GtpEngine engine = engine_on(5);
  Rng rng(1);
  const std::string commands[] = {"play",
                                  "genmove",
                                  "boardsize",
                                  "komi",
                                  "undo",
                                  "fixed_handicap",
                                  "set_free_handicap",
                                  "kata-set-rules",
                                  "final_status_list",
                                  "time_left",
                                  "showboard",
                                  "clear_board",
                                  "place_free_handicap",
                                  "rectangular_boardsize",
                                  "final_score",
                                  "reg_genmove",
                                  "-5"};
  const std::string words[] = {"b",
                               "w",
                               "A1",
                               "E5",
                               "pass",
                               "T19",
                               "99999999999",
                               "-1",
                               "nan",
                               "{",
                               "{\"ko\":[[[",
                               "\xff\xfe",
                               "I5",
                               "5",
                               "2",
                               "1e400",
                               "\x01",
                               "resign",
                               "{\"ko\":\"SIMPLE\"}",
                               "tromp-taylor",
                               "alive"};
  for (int i = 0; i < 20000; ++i) {
    std::string line = commands[rng.below(std::size(commands))];
    for (auto n = rng.below(4); n > 0; --n) line += " " + words[rng.below(std::size(words))];
    const std::string answer = engine.answer(line);
    ASSERT_TRUE(answer[0] == '=' || answer[0] == '?') << line;
    ASSERT_EQ(answer.find("\n\n"), answer.size() - 2) << line << answer;
  }
  for (int i = 0; i < 20000; ++i) {
    std::string line;
    for (auto n = rng.below(30); n > 0; --n) line += static_cast<char>(rng.below(256));
    engine.answer(line);
  }
  EXPECT_EQ(engine.answer("1 name"), "=1 Tengen\n\n");
}

}  // namespace
}  // namespace tengen
