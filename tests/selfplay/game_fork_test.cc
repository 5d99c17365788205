#include "selfplay/game_fork.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "games.h"
#include "rules/durable_file.h"

namespace tengen {
namespace {

SelfplaySettings forking_games() {
  SelfplaySettings settings = small_games();
  settings.games.fork_share = 0.4;
  settings.games.fork_mean = 0.1;
  settings.games.late_fork_share = 0.4;
  return settings;
}

TEST(GameFork, AForkSharesItsParentsMovesAndThenHasOneOfItsOwn) {
  const SelfplaySettings settings = forking_games();
  std::map<std::uint64_t, GameRecord> games;
  for (GameRecord& game : games_of_pool(settings, 8, 40, std::make_shared<HashEvaluator>(5))) {
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    games.emplace(game.index, std::move(game));
  }
  int forks = 0, other_komi = 0;
  for (const auto& [index, fork] : games) {
    if (!is_fork(index)) continue;
    ++forks;
    const GameRecord& parent = games.at(index & ~kForkBit);
    ASSERT_LE(fork.opening_moves, static_cast<int>(parent.moves.size()));
    for (int ply = 0; ply + 1 < fork.opening_moves; ++ply) {
      EXPECT_EQ(fork.moves[static_cast<std::size_t>(ply)].move,
                parent.moves[static_cast<std::size_t>(ply)].move);
    }
    for (int ply = 0; ply < fork.opening_moves; ++ply) {
      EXPECT_EQ(fork.moves[static_cast<std::size_t>(ply)].weight, 0);
    }
    other_komi += fork.rules.komi != parent.rules.komi ? 1 : 0;
  }
  EXPECT_GT(forks, 12);
  EXPECT_GT(other_komi, forks / 2);
  EXPECT_EQ(games.size(), 40U + static_cast<std::size_t>(forks));
}

TEST(GameFork, ForksDoNotDependOnPoolSizeOrParking) {
  const SelfplaySettings settings = forking_games();
  TextByIndex one, many, parked_often;
  const auto evaluator = std::make_shared<HashEvaluator>(5);
  add_texts(games_of_pool(settings, 1, 16, evaluator), one);
  add_texts(games_of_pool(settings, 9, 16, evaluator), many);
  EXPECT_TRUE(one == many);
  std::uint64_t next = 0;
  std::vector<GameRecord> finished, parked;
  for (int restart = 0; restart < 2000; ++restart) {
    GamePool pool(4, [&](std::uint64_t& index) {
      if (next == 16) return false;
      index = next++;
      return true;
    });
    pool.set_settings(settings);
    pool.set_evaluator(evaluator);
    pool.resume(std::move(parked), [&](const std::string&) { return evaluator; });
    bool is_over = false;
    for (int i = 0; i < 40 && !is_over; ++i) is_over = pool.step(finished) == 0;
    parked = pool.park();
    if (is_over) break;
  }
  add_texts(finished, parked_often);
  EXPECT_TRUE(parked_often == one);
}

TEST(GameFork, ChoicesAreDistinctLegalPoints) {
  const SelfplaySettings settings = forking_games();
  std::set<std::size_t> sizes;
  for (std::uint64_t index = 0; index < 300; ++index) {
    Rules rules;
    rules.size = BoardSize::square(9);
    const auto moves = fork_choices(settings, index | kForkBit, Position(rules));
    std::set<int> distinct;
    for (const Move move : moves) {
      EXPECT_FALSE(move.is_pass());
      distinct.insert(policy_index(move, rules.size));
    }
    EXPECT_EQ(distinct.size(), moves.size());
    sizes.insert(moves.size());
  }
  EXPECT_EQ(*sizes.begin(), 3U);
  EXPECT_EQ(*sizes.rbegin(), 36U);
}

class StartLines : public testing::Test {
 protected:
  StartLines() { std::filesystem::create_directories(folder_); }
  ~StartLines() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    write_durable(folder_ / name, text);
  }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tengen_starts_" + std::to_string(::getpid()));
};

TEST_F(StartLines, AreTheGamesFromTheEmptyBoardInOrderOfTheirPaths) {
  write("b.sgf", "(;GM[1]SZ[5];B[cc];W[bb];B[])");
  write("a.sgf", "(;GM[1]SZ[4];B[bb])(;GM[1]SZ[5]AB[aa];W[bb])(;GM[1]SZ[5];B[aa];B[bb])");
  write("c.txt", "not read");
  const auto lines = read_start_lines(folder_);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].size, BoardSize::square(4));
  EXPECT_EQ(lines[1].moves.size(), 3U);
  EXPECT_EQ(read_start_lines(folder_ / "b.sgf").size(), 1U);
  EXPECT_THROW(read_start_lines(folder_ / "d.sgf"), UsageError);
  write("d.sgf", "(;GM[1]SZ[5]AB[aa];W[bb])");
  EXPECT_THROW(read_start_lines(folder_ / "d.sgf"), UsageError);
  write("d.sgf", "(;GM[2])");
  EXPECT_THROW(read_start_lines(folder_), Error);
}

TEST_F(StartLines, GamesBeginFromThemInTheirShareAndMostlyEven) {
  write("a.sgf", "(;GM[1]SZ[5];B[cc];W[cb];B[bb];W[dc])");
  SelfplaySettings settings = small_games();
  settings.games.starts = (folder_ / "a.sgf").string();
  settings.games.starts_share = 0.5;
  settings = settings_of(settings.games, settings.search, settings.seed);
  const auto evaluator = std::make_shared<HashEvaluator>(5);
  int from_line = 0, balanced = 0;
  for (const GameRecord& game : games_of_pool(settings, 8, 80, evaluator)) {
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    const auto start = drawn_start(settings, game.index, game.rules);
    if (start.empty()) continue;
    ++from_line;
    EXPECT_EQ(game.rules.size, BoardSize::square(5));
    EXPECT_EQ(game.opening_moves, static_cast<int>(start.size()));
    for (std::size_t ply = 0; ply < start.size(); ++ply) {
      EXPECT_EQ(game.moves[ply].move, start[ply]);
    }
    EXPECT_EQ(game.moves[0].move, Move(Point::at(2, 2)));  // whatever the symmetry
    balanced += game.rules.komi != drawn_rules(settings, game.index).komi ? 1 : 0;
  }
  EXPECT_NEAR(from_line, 20, 16);
  EXPECT_GT(balanced, from_line / 2);
  TextByIndex one, many;
  add_texts(games_of_pool(settings, 1, 20, evaluator), one);
  add_texts(games_of_pool(settings, 7, 20, evaluator), many);
  EXPECT_TRUE(one == many);
}

TEST(Starts, WithoutALineOfAnyBoardAreRefused) {
  GameOptions games;
  games.starts_share = 0.5;
  EXPECT_THROW(settings_of(games, {}, 1), UsageError);
}

}  // namespace
}  // namespace tengen
