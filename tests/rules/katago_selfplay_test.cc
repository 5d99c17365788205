// Games that KataGo 1.18.1 played against itself with a trained net, with what its training rows
// say before every move: phase, komi so far, bans, blocks, whether a pass ends the phase; and who
// owns which point at the end. tests/interop/katago_selfplay.py recorded them and describes the
// file; TENGEN_KATAGO_SELFPLAY names another of its files.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "katago_games.h"
#include "rules/position.h"

namespace tengen {
namespace {

std::string grid(BoardSize size, const PointSet& black, const PointSet& white) {
  std::string text;
  for (int i = 0; i < size.area(); ++i) {
    text += black.contains(i) ? 'X' : white.contains(i) ? 'O' : '.';
  }
  return text;
}

std::string phase_two_start(const Position& position) {
  if (position.phase() < 2) return "";
  return grid(position.size(), position.phase_two_start(Color::kBlack),
              position.phase_two_start(Color::kWhite));
}

class KataGoSelfplay : public testing::Test {
 protected:
  void SetUp() override {
    const std::string path = katago_data_path("TENGEN_KATAGO_SELFPLAY", "katago_selfplay.jsonl.gz");
    for (const auto& line : read_gzip_lines(path)) games_.emplace_back(line);
    ASSERT_GE(games_.size(), 100U) << path;
  }

  // Calls check(game, position) at the end of each game, and before_move(game, position) before
  // each move that has a row.
  template <class BeforeMove, class AtEnd>
  void replay(BeforeMove before_move, AtEnd at_end) {
    for (std::size_t i = 0; i < games_.size(); ++i) {
      const KataGoGame& game = games_[i];
      SCOPED_TRACE("game " + std::to_string(i) + ", " + game.json["rules"].dump() + ": " +
                   game.json["moves"].get<std::string>());
      Position position(game.rules);
      for (const Move move : game.moves) {
        SCOPED_TRACE("ply " + std::to_string(position.ply()) + "\n" + position.board().to_text());
        ASSERT_FALSE(position.is_over());
        if (position.ply() >= game.json["start"].get<int>()) before_move(game, position);
        ASSERT_TRUE(position.is_legal(move));
        position.play(move);
      }
      SCOPED_TRACE("end\n" + position.board().to_text());
      at_end(game, position);
    }
  }

  std::vector<KataGoGame> games_;
};

TEST_F(KataGoSelfplay, WhatTrainingRowsSayOfTheRulesIsSo) {
  int rows = 0, clean_up = 0, blocks = 0, bans = 0;
  replay(
      [&](const KataGoGame& game, const Position& position) {
        const int ply = position.ply();
        const int row = ply - game.json["start"].get<int>();
        const auto digit = [&](const char* field) {
          return game.json[field].get<std::string>()[row] - '0';
        };
        EXPECT_EQ(position.phase(), digit("phases"));
        EXPECT_EQ(position.pass_would_end_phase() ? 1 : 0, digit("pass_ends"));
        EXPECT_EQ(position.white_bonus_half_points() + game.rules.komi.half_points(),
                  2 * game.json["komi_now"][row].get<double>());
        EXPECT_EQ(position.ko_banned(), game.points("banned", ply));
        EXPECT_EQ(position.ko_blocked(), game.points("blocked", ply));
        if (position.phase() == 2) {
          EXPECT_EQ(phase_two_start(position), game.json["phase_two_start"].get<std::string>());
        }
        ++rows;
        clean_up += position.phase() > 0 ? 1 : 0;
        blocks += position.ko_blocked().is_empty() ? 0 : 1;
        bans += position.ko_banned().is_empty() ? 0 : 1;
      },
      [](const KataGoGame&, const Position&) {});
  EXPECT_GE(clean_up, 1000);
  EXPECT_GE(blocks, 50);
  EXPECT_GE(bans, 100);
  std::printf("%zu games, %d rows: %d in clean-up, %d with blocks, %d with ko bans\n",
              games_.size(), rows, clean_up, blocks, bans);
}

// By passes, or as soon as every point is pass-alive.
TEST_F(KataGoSelfplay, GamesEndWhereKataGosDoWithItsScoreAndOwners) {
  int by_passes = 0, settled = 0;
  bool was_settled = false;
  replay([&](const KataGoGame&,
             const Position& position) { was_settled = position.is_all_pass_alive(); },
         [&](const KataGoGame& game, const Position& position) {
           if (position.is_over()) {
             const bool is_no_result = position.outcome().is_no_result;
             EXPECT_EQ(is_no_result ? "Void" : to_text(position.score()), game.result);
             ++by_passes;
           } else {
             EXPECT_FALSE(was_settled) << "before the last move already";
             const auto score = position.settled_score();
             ASSERT_TRUE(score.has_value());
             EXPECT_EQ(to_text(*score), game.result);
             ++settled;
           }
           const Score score = position.score();
           EXPECT_EQ(grid(position.size(), score.black_area, score.white_area),
                     game.json["owners"].get<std::string>());
         });
  EXPECT_GE(by_passes, 100);
  EXPECT_GE(settled, 10);
  std::printf("%d games ended by passes, %d because every point was pass-alive\n", by_passes,
              settled);
}

}  // namespace
}  // namespace tengen
