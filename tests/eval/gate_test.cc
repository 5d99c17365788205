#include "eval/gate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rules/check.h"
#include "tests/error_of.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

MatchScore pairs_of(int lost, int split, int won) {
  MatchScore score;
  for (int i = 0; i < lost; ++i) score.add_pair(0, 0);
  for (int i = 0; i < split; ++i) score.add_pair(1, 0);
  for (int i = 0; i < won; ++i) score.add_pair(1, 1);
  return score;
}

TEST(GateMatch, PromotesAtTheThresholdAndNotBelow) {
  const GateOptions options{.kind = "match", .pairs = 50};
  EXPECT_EQ(gate_state(options, pairs_of(20, 5, 25)), GateState::kPromoted);  // 55 of 100
  EXPECT_EQ(gate_state(options, pairs_of(20, 6, 24)), GateState::kRejected);  // 54 of 100
}

TEST(GateMatch, CountsDrawsAsHalf) {
  const GateOptions options{.kind = "match", .pairs = 1, .threshold = 0.5};
  MatchScore drawn;
  drawn.add_pair(0.5, 0.5);
  EXPECT_EQ(gate_state(options, drawn), GateState::kPromoted);
}

TEST(GateMatch, IsDecidedAsSoonAsTheRestCannotChangeIt) {
  const GateOptions options{.kind = "match", .pairs = 50};
  EXPECT_EQ(gate_state(options, {}), GateState::kOpen);
  EXPECT_EQ(gate_state(options, pairs_of(0, 0, 27)), GateState::kOpen);  // 54 points
  EXPECT_EQ(gate_state(options, pairs_of(0, 1, 27)), GateState::kPromoted);
  EXPECT_EQ(gate_state(options, pairs_of(22, 1, 0)), GateState::kOpen);  // 45 lost: 55 in reach
  EXPECT_EQ(gate_state(options, pairs_of(23, 0, 0)), GateState::kRejected);
}

TEST(GateSprt, StopsAtItsBounds) {
  const GateOptions options{.kind = "sprt"};
  EXPECT_EQ(gate_state(options, {}), GateState::kOpen);
  EXPECT_EQ(gate_state(options, pairs_of(0, 0, 50)), GateState::kPromoted);
  EXPECT_EQ(gate_state(options, pairs_of(50, 0, 0)), GateState::kRejected);
  EXPECT_EQ(gate_state(options, pairs_of(30, 20, 40)), GateState::kOpen);
}

TEST(GateSprt, LetsTheSignDecideAtTheCap) {
  const GateOptions options{.kind = "sprt"};  // 200 pairs, 400 games
  // 53.75 %: nearer to 55 % than to 50 %. 51.25 %: the other way round.
  EXPECT_EQ(gate_state(options, pairs_of(85, 14, 100)), GateState::kOpen);
  EXPECT_EQ(gate_state(options, pairs_of(85, 15, 100)), GateState::kPromoted);
  EXPECT_EQ(gate_state(options, pairs_of(95, 5, 100)), GateState::kRejected);
}

TEST(GateOff, PromotesWithoutAGame) {
  FunctionPlayer nobody("nobody", [](const MoveRequest&) -> MoveChoice { throw Error("asked"); });
  const Verdict verdict = judge(nobody, nobody, {.kind = "off"}, {.rules = rules_on(5, 0.5)});
  EXPECT_TRUE(verdict.promoted);
  EXPECT_EQ(verdict.score.games(), 0);
}

TEST(Gate, PromotesTheStrongerAndRejectsTheWeaker) {
  const auto strong = make_rollout_player(50), weak = make_random_player();
  const ArenaOptions arena{.rules = rules_on(5, 0.5), .seed = 3};
  for (const char* kind : {"match", "sprt"}) {
    const GateOptions options{.kind = kind, .pairs = 10, .max_pairs = 40};
    const Verdict up = judge(*strong, *weak, options, arena);
    EXPECT_TRUE(up.promoted) << up.reason;
    EXPECT_LT(up.score.pair_count(), gate_pairs(options)) << "decided before the end";
    EXPECT_EQ(static_cast<int>(up.match.games.size()), up.score.games());
    EXPECT_FALSE(judge(*weak, *strong, options, arena).promoted);
  }
}

TEST(Gate, RefusesUnknownKindsAndHypotheses) {
  EXPECT_EQ(error_of([] { validate({.kind = "best"}); }),
            "gate.kind: expected off, match or sprt, found 'best'");
  EXPECT_EQ(error_of([] { validate({.kind = "sprt", .elo0 = 10, .elo1 = 9.5}); }),
            "gate.elo1 = 9.5: expected more than gate.elo0 = 10");
  for (const auto kind : kGateChoices) validate({.kind = std::string(kind)});
}

TEST(Gate, WritesItsVerdictAsJson) {
  Verdict verdict;
  verdict.kind = "sprt";
  verdict.promoted = true;
  verdict.llr = 3.0;
  verdict.score = pairs_of(1, 2, 7);
  const auto json = nlohmann::json::parse(to_json(verdict, "000012-ab", "000009-cd"));
  EXPECT_EQ(json["candidate"], "000012-ab");
  EXPECT_EQ(json["champion"], "000009-cd");
  EXPECT_EQ(json["promoted"], true);
  EXPECT_EQ(json["wins"], 16);
  EXPECT_EQ(json["pairs_by_points"], (std::vector<int>{1, 0, 2, 0, 7}));
  EXPECT_EQ(json["llr"], 3.0);
}

}  // namespace
}  // namespace tengen
