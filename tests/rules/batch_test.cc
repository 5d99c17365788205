#include "rules/batch.h"

#include <gtest/gtest.h>

#include "counted_new.h"
#include "rules/position.h"
#include "rules/presets.h"

namespace tengen {
namespace {

// Sizes and rules of all kinds in one batch.
std::vector<Rules> mixed_rules(int games) {
  constexpr std::array<BoardSize, 7> kSizes = {
      {{9, 9}, {19, 19}, {13, 13}, {5, 7}, {2, 2}, {14, 19}, {10, 9}}};
  std::vector<Rules> all(games);
  for (int i = 0; i < games; ++i) {
    all[i].size = kSizes[i % kSizes.size()];
    all[i].ko = static_cast<Ko>(i % 3);
    all[i].multi_stone_suicide = i % 4 == 1;
    all[i].single_stone_suicide = i % 8 == 1;
    all[i].komi = Komi::from_half_points(15 - i % 30);
  }
  return all;
}

// And under every rule set that has a name.
std::vector<Rules> all_rules(int games) {
  std::vector<Rules> all = mixed_rules(games);
  for (const Preset& preset : presets()) all.push_back(preset.rules);
  return all;
}

Move move_of(GameBatch::MoveIndex index, BoardSize size) {
  return index == size.area() ? Move::pass() : Move(size.point(index));
}

TEST(GameBatch, PlaysAsPositionsDo) {
  const auto rules = all_rules(42);
  GameBatch batch(rules, {.threads = 3, .max_moves = 400, .seed = 5});
  std::vector<Position> positions(rules.begin(), rules.end());
  std::vector<PointSet> legal(rules.size());
  std::vector<GameBatch::MoveIndex> moves(rules.size());
  std::vector<std::uint8_t> done(rules.size());
  std::vector<Score> scores(rules.size(), Score{{}, {}, rules[0].komi});
  for (int round = 0; round < 450; ++round) {
    batch.legal_moves(legal);
    batch.done(done);
    batch.random_moves(moves);
    for (int i = 0; i < batch.size(); ++i) {
      Position& p = positions[i];
      ASSERT_EQ(done[i] != 0, p.is_over() || p.ply() >= 400);
      ASSERT_EQ(batch.is_done(i), done[i] != 0);
      ASSERT_EQ(batch.hash(i), p.hash());
      ASSERT_EQ(batch.to_move(i), p.to_move());
      ASSERT_EQ(batch.ply(i), p.ply());
      ASSERT_EQ(legal[i], done[i] != 0 ? PointSet() : p.legal_points()) << i;
      if (done[i] != 0) {
        ASSERT_EQ(moves[i], GameBatch::kNoMove);
        continue;
      }
      ASSERT_TRUE(p.is_legal(move_of(moves[i], p.size())));
      p.play(move_of(moves[i], p.size()));
    }
    batch.play(moves);
  }
  batch.scores(scores);
  for (int i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(scores[i].black_margin_half_points(),
              positions[i].score().black_margin_half_points());
    EXPECT_EQ(batch.stones(i, Color::kWhite), positions[i].board().stones(Color::kWhite));
  }
}

TEST(GameBatch, ResultsDoNotDependOnTheNumberOfThreads) {
  const auto rules = all_rules(50);
  GameBatch one(rules, {.threads = 1, .seed = 8});
  GameBatch four(rules, {.threads = 4, .seed = 8});
  GameBatch steps(rules, {.threads = 2, .seed = 8});
  std::vector<PointSet> legal(rules.size());
  for (int round = 0; round < 3; ++round) {
    for (const int moves : {7, 50, 10000}) {
      one.play_random(moves);
      four.play_random(moves);
      for (int i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one.hash(i), four.hash(i));
        ASSERT_EQ(one.ply(i), four.ply(i));
      }
    }
    std::vector<std::uint8_t> some(rules.size());
    for (int i = 0; i < one.size(); ++i) some[i] = i % 2;
    one.reset(some);
    four.reset(some);
    for (int i = 0; i < one.size(); ++i) EXPECT_EQ(one.ply(i) == 0, i % 2 == 1);
  }
}

TEST(GameBatch, StepsShowTheLegalMovesAndPlayOneOfThem) {
  const auto rules = all_rules(28);
  GameBatch batch(rules, {.seed = 9});
  std::vector<PointSet> shown(rules.size());
  std::vector<PointSet> legal(rules.size());
  for (int round = 0; round < 300; ++round) {
    batch.legal_moves(legal);
    std::vector<std::array<PointSet, 2>> before;
    for (int i = 0; i < batch.size(); ++i) {
      before.push_back({batch.stones(i, Color::kBlack), batch.stones(i, Color::kWhite)});
    }
    std::vector<Color> mover;
    for (int i = 0; i < batch.size(); ++i) mover.push_back(batch.to_move(i));
    batch.step_random(shown);
    for (int i = 0; i < batch.size(); ++i) {
      ASSERT_EQ(shown[i], legal[i]);
      const int c = index_of(mover[i]);
      ASSERT_TRUE(((batch.stones(i, mover[i]) - before[i][c]) - legal[i]).is_empty());
    }
  }
}

TEST(GameBatch, RandomGamesAreAsLongAsUniformGamesAre) {
  constexpr std::array<int, 3> kSizes = {9, 13, 19};
  constexpr std::array<int, 3> kGames = {8000, 2000, 800};
  constexpr std::array<double, 3> kMoves = {111.0, 219.3, 455.4};
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    Rules rules;
    rules.size = BoardSize::square(kSizes[i]);
    GameBatch batch(std::vector<Rules>(kGames[i], rules), {.threads = 2, .seed = 10});
    batch.play_random(10000);
    double moves = 0;
    for (int game = 0; game < batch.size(); ++game) moves += batch.ply(game);
    EXPECT_NEAR(moves / kGames[i], kMoves[i], 0.007 * kMoves[i]);
  }
}

TEST(GameBatch, AllocatesNothingOnceItIsMade) {
  const auto rules = mixed_rules(30);
  GameBatch batch(rules, {.threads = 2, .max_moves = 300});
  std::vector<PointSet> legal(rules.size());
  std::vector<GameBatch::MoveIndex> moves(rules.size());
  std::vector<std::uint8_t> done(rules.size(), 1);
  std::vector<Score> scores(rules.size(), Score{{}, {}, rules[0].komi});
  std::vector<Planes> planes(rules.size());
  std::vector<float> floats(rules.size() * kPlanes * 19 * 19);
  const int before = allocations();
  for (int round = 0; round < 40; ++round) {
    batch.legal_moves(legal);
    batch.random_moves(moves);
    batch.play(moves);
    batch.step_random(legal);
    batch.play_random(12);
    batch.done(done);
    batch.scores(scores);
    batch.encode(planes, GameBatch::AreaPlanes::kYes);
    batch.encode(floats, GameBatch::AreaPlanes::kNo);
    batch.reset(done);
  }
  EXPECT_EQ(allocations(), before);
}

TEST(GameBatch, NumbersOfPlanesAreTheirBits) {
  const auto rules = mixed_rules(14);
  GameBatch batch(rules, {.threads = 2, .seed = 12});
  batch.play_random(60);
  ASSERT_EQ(batch.plane_height(), 19);
  ASSERT_EQ(batch.plane_width(), 19);
  std::vector<Planes> planes(rules.size());
  std::vector<float> floats(rules.size() * kPlanes * 19 * 19, -1.F);
  batch.encode(planes, GameBatch::AreaPlanes::kYes);
  batch.encode(floats, GameBatch::AreaPlanes::kYes);
  std::size_t at = 0;
  for (std::size_t game = 0; game < rules.size(); ++game) {
    const BoardSize size = rules[game].size;
    for (int plane = 0; plane < kPlanes; ++plane) {
      for (int row = 0; row < 19; ++row) {
        for (int column = 0; column < 19; ++column, ++at) {
          const bool is_set = row < size.height && column < size.width &&
                              planes[game][plane].contains(row * size.width + column);
          ASSERT_EQ(floats[at], is_set ? 1.F : 0.F);
        }
      }
    }
  }
}

TEST(GameBatch, AGameStaysWithinItsHotBytes) {
  EXPECT_LE(GameBatch::hot_bytes(BoardSize::square(9)), 1400U);
  EXPECT_LE(GameBatch::hot_bytes(BoardSize::square(13)), 2500U);
  EXPECT_LE(GameBatch::hot_bytes(BoardSize::square(19)), 5000U);
}

}  // namespace
}  // namespace tengen
