#include "rules/batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "counted_new.h"
#include "rules/planes.h"
#include "rules/playout.h"
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

// Boards as random games leave them, simple kos included; the games themselves are forgotten.
std::vector<Position> set_up_positions(const std::vector<Rules>& rules, std::uint64_t seed) {
  std::vector<Position> positions;
  for (const Rules& r : rules) {
    Rng rng(seed, positions.size());
    Rules played;
    played.size = r.size;
    played.ko = Ko::kSimple;
    Position game(played);
    const int area = r.size.area();
    play_random_game(game, rng, static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * area))));
    for (int n = 0; n < area && !game.board().ko_point(); ++n) play_random_game(game, rng, 1);
    positions.emplace_back(r, game.board(), rng.below(2) == 0 ? Color::kBlack : Color::kWhite);
  }
  return positions;
}

TEST(GameBatch, ASetUpGameGoesOnAsAPositionSetUpAlike) {
  const auto rules = all_rules(63);
  auto positions = set_up_positions(rules, 14);
  EXPECT_GT(std::ranges::count_if(
                positions, [](const Position& p) { return p.board().ko_point().has_value(); }),
            20);
  GameBatch batch(rules, {.threads = 3, .max_moves = 300, .seed = 15});
  batch.play_random(30);
  for (int i = 0; i < batch.size(); ++i) {
    batch.set_up(i, positions[i].board(), positions[i].to_move());
  }
  std::vector<PointSet> legal(rules.size());
  std::vector<GameBatch::MoveIndex> moves(rules.size());
  std::vector<Score> scores(rules.size(), Score{{}, {}, rules[0].komi});
  std::vector<Planes> planes(rules.size());
  for (int round = 0; round <= 300; ++round) {
    batch.legal_moves(legal);
    batch.random_moves(moves);
    if (round % 50 == 0) batch.scores(scores);
    batch.encode(planes, GameBatch::AreaPlanes::kYes);
    for (int i = 0; i < batch.size(); ++i) {
      Position& p = positions[i];
      const bool is_done = p.is_over() || p.ply() >= 300;
      ASSERT_EQ(batch.is_done(i), is_done);
      ASSERT_EQ(batch.ply(i), p.ply());
      ASSERT_EQ(batch.to_move(i), p.to_move());
      ASSERT_EQ(batch.hash(i), p.hash());
      ASSERT_EQ(batch.stones(i, Color::kBlack), p.board().stones(Color::kBlack));
      ASSERT_EQ(batch.stones(i, Color::kWhite), p.board().stones(Color::kWhite));
      ASSERT_EQ(legal[i], is_done ? PointSet() : p.legal_points()) << i;
      if (round < 20) {
        ASSERT_EQ(planes[i], input_planes(p, LadderPlanes::kNo)) << i;
      }
      if (round % 50 == 0) {
        ASSERT_EQ(scores[i].black_margin_half_points(), p.score().black_margin_half_points());
      }
      if (!is_done) p.play(move_of(moves[i], p.size()));
    }
    batch.play(moves);
  }
}

TEST(GameBatch, SetUpRandomGamesAreThoseOfPositionsWithTheSameChance) {
  const auto rules = all_rules(42);
  auto positions = set_up_positions(rules, 16);
  GameBatch one(rules, {.threads = 1, .seed = 17});
  GameBatch three(rules, {.threads = 3, .seed = 17});
  for (GameBatch* batch : {&one, &three}) {
    for (int i = 0; i < batch->size(); ++i) {
      batch->set_up(i, positions[i].board(), positions[i].to_move());
    }
    batch->play_random(200);
  }
  for (int i = 0; i < one.size(); ++i) {
    Rng rng(17, i);
    play_random_game(positions[i], rng, 200);
    EXPECT_EQ(one.hash(i), positions[i].hash());
    EXPECT_EQ(one.ply(i), positions[i].ply());
    EXPECT_EQ(one.to_move(i), positions[i].to_move());
    EXPECT_EQ(three.hash(i), positions[i].hash());
    EXPECT_EQ(three.ply(i), positions[i].ply());
  }
}

TEST(GameBatch, ResetForgetsTheSetUp) {
  const auto rules = all_rules(21);
  const auto positions = set_up_positions(rules, 18);
  GameBatch batch(rules);
  for (int i = 0; i < batch.size(); ++i) {
    batch.set_up(i, positions[i].board(), positions[i].to_move());
  }
  std::vector<std::uint8_t> some(rules.size());
  for (int i = 0; i < batch.size(); ++i) some[i] = i % 2;
  batch.reset(some);
  std::vector<PointSet> legal(rules.size());
  batch.legal_moves(legal);
  for (int i = 0; i < batch.size(); ++i) {
    const Position& expected = i % 2 == 0 ? positions[i] : Position(rules[i]);
    EXPECT_EQ(batch.hash(i), expected.hash());
    EXPECT_EQ(batch.to_move(i), expected.to_move());
    EXPECT_EQ(legal[i], expected.legal_points());
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
  const std::vector<Board> boards = {Board(rules[0].size), Board(rules[1].size)};
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
    for (int i = 0; i < 2; ++i) batch.set_up(i, boards[i], Color::kWhite);
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
