// Random games that KataGo 1.18.1 refereed to their end, through the clean-up phases of territory
// scoring too: what was legal after every ply, where the phases began, and how the game came out.
// tests/interop/katago_walks.py recorded them and describes the file; TENGEN_KATAGO_WALKS names
// another of its files.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "katago_games.h"
#include "rules/position.h"

namespace tengen {
namespace {

// What happened in the games beside ordinary moves, so that we know the file to hold it.
struct Events {
  int moves = 0, in_phase_two = 0, lifts = 0, spent_captures = 0, superko = 0, no_results = 0;
};

class KataGoWalks : public testing::Test {
 protected:
  void SetUp() override {
    const std::string path = katago_data_path("TENGEN_KATAGO_WALKS", "katago_walks.jsonl.gz");
    for (const auto& line : read_gzip_lines(path)) walks_.emplace_back(line);
    ASSERT_GE(walks_.size(), 500U) << path;
  }

  static int phase(const KataGoGame& walk, int ply) {
    int phase = 0;
    for (const int start : walk.json["phases"]) phase += ply >= start ? 1 : 0;
    return phase;
  }

  // The empty points, but for those that the walk names.
  static PointSet legal(const KataGoGame& walk, const Board& board, int ply) {
    const PointSet exceptions = walk.points("legal", ply);
    return (board.empty() - exceptions) | (exceptions - board.empty());
  }

  // Plays the game and holds it against KataGo's after every ply.
  void follow(const KataGoGame& walk) {
    Position position(walk.rules);
    for (const Move move : walk.moves) {
      SCOPED_TRACE("ply " + std::to_string(position.ply()) + "\n" + position.board().to_text());
      ASSERT_FALSE(position.is_over());
      ASSERT_EQ(position.phase(), phase(walk, position.ply()));
      ASSERT_EQ(position.legal_points(), legal(walk, position.board(), position.ply()));
      ASSERT_TRUE(position.is_legal(move));
      count(position, move);
      position.play(move);
    }
    ASSERT_TRUE(position.is_over());
    const bool is_no_result = position.outcome().is_no_result;
    events_.no_results += is_no_result ? 1 : 0;
    EXPECT_EQ(is_no_result ? "Void" : to_text(position.score()), walk.result)
        << position.board().to_text();
  }

  void count(Position position, Move move) {
    PointSet banned = position.ko_banned();
    if (const auto ko = position.board().ko_point()) banned.erase(position.size().index(*ko));
    (position.phase() > 0 ? events_.spent_captures : events_.superko) += banned.is_empty() ? 0 : 1;
    ++events_.moves;
    if (move.is_pass()) return;
    events_.in_phase_two += position.phase() == 2 ? 1 : 0;
    const std::uint64_t hash = position.hash();
    position.play(move);
    events_.lifts += position.hash() == hash ? 1 : 0;
  }

  std::vector<KataGoGame> walks_;
  Events events_;
};

TEST_F(KataGoWalks, LegalMovesPhasesEndsAndScoresEqualKataGos) {
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    SCOPED_TRACE("game " + std::to_string(i) + ", " + walks_[i].json["rules"].dump() + ": " +
                 walks_[i].json["moves"].get<std::string>());
    ASSERT_NO_FATAL_FAILURE(follow(walks_[i]));
  }
  EXPECT_GE(events_.in_phase_two, 1000);
  EXPECT_GE(events_.lifts, 500);
  EXPECT_GE(events_.spent_captures, 200);
  EXPECT_GE(events_.superko, 200);
  EXPECT_GE(events_.no_results, 10);
  std::printf(
      "%zu games, %d moves: %d in clean-up phase 2, %d that lifted a block, %d before which a ko "
      "capture was spent, %d before which superko banned a point; %d games without result\n",
      walks_.size(), events_.moves, events_.in_phase_two, events_.lifts, events_.spent_captures,
      events_.superko, events_.no_results);
}

}  // namespace
}  // namespace tengen
