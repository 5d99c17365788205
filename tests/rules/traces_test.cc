// Games with the legal moves that KataGo 1.17.2 gave after every ply and, under area scoring, the
// score at their end, under random rules and sizes. They stop where play does: before clean-up.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "katago_games.h"
#include "rules/position.h"

namespace tengen {
namespace {

std::string traces_path() {
  const char* data = std::getenv("TENGEN_TEST_DATA");
  const std::string directory = data != nullptr ? data : TENGEN_SOURCE_DIR "/../shared/data";
  return directory + "/katago/traces.jsonl.gz";
}

struct Trace {
  nlohmann::json json;
  Rules rules;

  explicit Trace(const std::string& line)
      : json(nlohmann::json::parse(line)),
        rules(rules_of_katago(json["rules"],
                              {json["w"].get<std::int8_t>(), json["h"].get<std::int8_t>()},
                              json["komi"].get<double>())) {}
};

std::string text_of(const PointSet& set, BoardSize size) {
  std::string text;
  for (int i = 0; i < size.area(); ++i) text += set.contains(i) ? '1' : '0';
  return text;
}

class Traces : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& line : read_gzip_lines(traces_path())) traces_.emplace_back(line);
    if (traces_.empty()) GTEST_SKIP() << "no reference data at " << traces_path();
  }
  std::vector<Trace> traces_;
};

TEST_F(Traces, LegalMovesEqualKataGosAfterEveryPly) {
  int masks = 0;
  for (std::size_t game = 0; game < traces_.size(); ++game) {
    const Trace& trace = traces_[game];
    const BoardSize size = trace.rules.size;
    Position position(trace.rules);
    const auto& legal = trace.json["legal"];
    for (std::size_t ply = 0; ply < legal.size(); ++ply, ++masks) {
      ASSERT_EQ(text_of(position.legal_points(), size), legal[ply].get<std::string>())
          << "game " << game << ", " << trace.json["rules"] << ", ply " << ply << "\n"
          << position.board().to_text();
      if (ply == trace.json["moves"].size()) break;
      const auto move = parse_move(trace.json["moves"][ply].get<std::string>(), size);
      ASSERT_TRUE(move.has_value());
      ASSERT_TRUE(position.is_legal(*move)) << "game " << game << ", ply " << ply;
      position.play(*move);
    }
    if (trace.json.value("end", "") == "two passes") {
      const bool is_territory = trace.rules.scoring == Scoring::kTerritory;
      const auto& moves = trace.json["moves"];
      // Where the first of the two passes took the button, play goes on.
      const bool took_button = trace.rules.button && std::ranges::count(moves, "pass") == 2;
      EXPECT_EQ(position.phase(), is_territory ? 1 : 0) << "game " << game;
      EXPECT_EQ(position.is_over(), !is_territory && !took_button)
          << "game " << game << ", " << trace.json["rules"];
    }
  }
  EXPECT_GE(masks, 160);
  std::printf("%zu games, %d legal masks\n", traces_.size(), masks);
}

TEST_F(Traces, AreaScoresWithDeadStonesRemovedEqualKataGos) {
  int scores = 0;
  for (std::size_t game = 0; game < traces_.size(); ++game) {
    const Trace& trace = traces_[game];
    if (!trace.json.contains("area_score_pass_dead_removed")) continue;
    Position position(trace.rules);
    for (const std::string text : trace.json["moves"]) {
      position.play(*parse_move(text, trace.rules.size));
    }
    if (!position.is_over()) continue;  // KataGo then searches, and scores what it expects
    std::string expected = trace.json["area_score_pass_dead_removed"];
    if (expected.ends_with(".0")) expected.resize(expected.size() - 2);
    EXPECT_EQ(to_text(position.score()), expected)
        << "game " << game << ", " << trace.json["rules"] << "\n"
        << position.board().to_text();
    ++scores;
  }
  EXPECT_GE(scores, 120);
  std::printf("%d scores\n", scores);
}

}  // namespace
}  // namespace tengen
