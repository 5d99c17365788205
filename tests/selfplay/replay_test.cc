#include "selfplay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "games.h"
#include "selfplay/game_fork.h"
#include "selfplay/sample.h"

namespace tengen {
namespace {

std::shared_ptr<Evaluator> hash_net(const std::string&) {
  return std::make_shared<HashEvaluator>(5);
}

// Games in which budgets, openings, komi and starts vary.
SelfplaySettings varied_games() {
  SelfplaySettings settings = small_games();
  settings.games.cheap_share = 0.4;
  settings.games.cheap_visits = 2;
  settings.games.reduced_visits = 3;
  settings.games.reduce_above = 0.2;
  settings.games.first_visits = 3;
  settings.games.random_opening_share = 0.3;
  settings.games.fork_share = 0.4;
  settings.games.fork_mean = 0.1;
  settings.run_share = 0.5;
  return settings;
}

TEST(Replay, AGameIsPlayedTheSameAgain) {
  const SelfplaySettings settings = varied_games();
  SelfplaySettings later = settings;  // what moves during a run need not be known
  later.komi_centre = -3;
  later.run_share = 1;
  later.seed = 99;
  int given = 0;
  for (const GameRecord& game : games_of_pool(settings, 8, 20, hash_net(""))) {
    const ReplayReport report = replay(game, later, hash_net);
    EXPECT_TRUE(report.differences.empty()) << report.differences.front();
    EXPECT_EQ(report.plies, std::ssize(game.moves));
    EXPECT_EQ(report.searched, report.plies - game.opening_moves);
    EXPECT_EQ(report.given, is_fork(game.index) ? game.opening_moves : 0);
    given += report.given;
  }
  EXPECT_GT(given, 0);
}

TEST(Replay, APolicyInTheUnitsOfAShardIsTheSame) {
  for (GameRecord& game : games_of_pool(varied_games(), 4, 5, hash_net(""))) {
    for (MoveRecord& played : game.moves) {
      if (played.policy.empty()) continue;
      played.policy = policy_from_quantised(quantised_policy(played.policy));
    }
    EXPECT_TRUE(replay(game, varied_games(), hash_net).differences.empty());
  }
}

TEST(Replay, RandomGamesAreReplayedWithoutANet) {
  const GameRecord game = random_game(small_games(), 4);
  const ReplayReport report = replay(game, small_games(), hash_net);
  EXPECT_TRUE(report.differences.empty());
  EXPECT_EQ(report.searched, 0);
}

TEST(Replay, EveryDifferenceIsNamed) {
  SelfplaySettings settings = small_games();
  settings.games.opening_mean = 0;
  const GameRecord good = games_of_pool(settings, 1, 1, hash_net("")).front();
  GameRecord game = good;
  game.moves[2].root_win = std::nextafter(game.moves[2].root_win, 1.F);
  game.moves[3].root_score += 1;
  std::swap(game.moves[4].policy[0], game.moves[4].policy[1]);
  game.moves.back().move = Move::pass();
  const auto found = replay(game, settings, hash_net).differences;
  const auto count = [&](const std::string& ply) {
    return std::ranges::count_if(found, [&](const auto& text) { return text.starts_with(ply); });
  };
  EXPECT_EQ(count("ply 2: expected the win probability"), 1);
  EXPECT_EQ(count("ply 3: expected the score"), 1);
  if (good.moves[4].policy[0] != good.moves[4].policy[1]) {
    EXPECT_EQ(count("ply 4: another policy"), 1);
  }
  EXPECT_EQ(count("ply 0"), 0);
  const auto other_net = [](const std::string&) { return std::make_shared<HashEvaluator>(6); };
  EXPECT_GT(replay(good, settings, other_net).differences.size(), good.moves.size());
}

}  // namespace
}  // namespace tengen
