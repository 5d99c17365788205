#include "eval/gtp_client.h"

#include <gtest/gtest.h>

#include "eval/arena.h"
#include "rules/check.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

std::string error_of(const std::string& command_line, const std::string& command) {
  try {
    GtpClient client(command_line, 0.2);
    client.tell(command);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// A tiny engine: answers with what the shell's `reply` prints for each line.
std::string engine(const std::string& reply) {
  return "while read line; do " + reply + "; done";
}

TEST(GtpClient, ReadsAnswersOfOneAndOfSeveralLines) {
  GtpClient client(engine(R"(printf '\n\n=  \na b\r\nc d\n\n? no\n\n')"), 5);
  const auto first = client.ask("x");
  EXPECT_TRUE(first.success);
  EXPECT_EQ(first.text, "a b\nc d");
  const auto second = client.ask("y");
  EXPECT_FALSE(second.success);
  EXPECT_EQ(second.text, "no");
}

TEST(GtpClient, MakesACrashAnErrorThatNamesTheProgram) {
  EXPECT_NE(error_of("exit 3", "name").find("exit 3"), std::string::npos);
  EXPECT_NE(error_of("read line; exit 0", "genmove b").find("has ended"), std::string::npos);
  EXPECT_NE(error_of("/nonexistent/engine 2>/dev/null", "name").find("has ended"),
            std::string::npos);
}

TEST(GtpClient, MakesSilenceAnError) {
  EXPECT_NE(error_of(engine("sleep 60"), "name").find("no answer"), std::string::npos);
}

TEST(GtpClient, MakesNonsenseAndRefusalsErrors) {
  EXPECT_NE(error_of(engine(R"(printf 'hello\n\n')"), "name").find("no GTP answer: hello"),
            std::string::npos);
  EXPECT_NE(error_of(engine(R"(printf '? illegal move\n\n')"), "play b D4").find("illegal move"),
            std::string::npos);
}

TEST(GtpPlayer, PlaysAMatchAndResigns) {
  const auto external =
      make_gtp_player(engine(R"(case "$line" in genmove*) printf '= resign\n\n';; )"
                             R"(name) printf '= Tiny\n\n';; *) printf '=\n\n';; esac)"),
                      5);
  EXPECT_EQ(external->name(), "Tiny");
  const auto random = make_random_player();
  const MatchResult match = play_match(*external, *random, {.rules = rules_on(5, 0.5), .pairs = 4});
  EXPECT_EQ(match.score.losses, 8);
}

TEST(GtpPlayer, MakesAnIllegalMoveAnErrorOfTheMatch) {
  const auto external = make_gtp_player(
      engine(R"(case "$line" in genmove*) printf '= A1\n\n';; *) printf '=\n\n';; esac)"), 5);
  const auto random = make_random_player();
  EXPECT_THROW(play_match(*external, *random, {.rules = rules_on(5, 0.5), .pairs = 1}), Error);
}

TEST(GtpPlayer, NeedsTheWholeGame) {
  const auto external = make_gtp_player(engine(R"(printf '= pass\n\n')"), 5);
  Position position(rules_on(5, 0.5));
  position.play(Move::pass());
  const MoveRequest request{.position = &position, .seed = 1};
  MoveChoice choice;
  EXPECT_THROW(external->choose({&request, 1}, {&choice, 1}), Error);
}

}  // namespace
}  // namespace tengen
