#include "train/run_workers.h"

#include <gtest/gtest.h>

#include "nn/devices.h"
#include "selfplay/game_text.h"
#include "selfplay/selfplay_session.h"
#include "selfplay/selfplay_settings.h"
#include "tests/nn/random_features.h"

namespace tengen {
namespace {

RunConfig config_on(const char* device) {
  RunConfig config;
  config.run.threads = 2;
  config.games.sizes = {5, 4};
  config.games.per_worker = 12;
  config.search.visits = 8;
  config.evaluator.device = device;
  return config;
}

// Games 0 to 15, by index, as they would be parked.
std::map<std::uint64_t, std::string> games_of(const RunConfig& config, int pools) {
  auto network = std::make_shared<Network>(network_shape("b2c16"), 4);
  shake(*network, 5);
  const Calibration how{resolve_device(config.evaluator.device), "fp32", 16};
  SelfplaySession session(worker_threads(config), config.games.per_worker, 0, pools);
  const auto evaluators = net_evaluators(config, network, "net", how, session.pools());
  session.set_settings(settings_of(config.games, config.search, 1));
  session.set_evaluators([&](int pool) { return evaluators[static_cast<std::size_t>(pool)]; });
  std::map<std::uint64_t, std::string> texts;
  session.play({.end_index = 16}, [&](const std::vector<GameRecord>& games) {
    for (const GameRecord& game : games) texts[game.index] = canonical_text(game);
  });
  return texts;
}

TEST(RunWorkers, OnACpuAThreadHasOnePool) {
  EXPECT_EQ(pools_per_thread(config_on("cpu")), 1);
  EXPECT_EQ(worker_threads(config_on("cpu")), 2);
  EXPECT_GE(worker_threads(RunConfig()), 1);
}

TEST(RunWorkers, PoolsThatTakeTurnsPlayTheSameGames) {
  const auto games = games_of(config_on("cpu"), 1);
  EXPECT_EQ(games.size(), 16U);
  EXPECT_TRUE(games_of(config_on("cpu"), 2) == games);
}

TEST(RunWorkers, PoolsThatTakeTurnsOnGpusPlayTheSameGames) {
  if (best_device() == "cpu") GTEST_SKIP() << "no GPU here";
  EXPECT_EQ(pools_per_thread(config_on("cuda")), 2);
  const auto games = games_of(config_on("cuda"), 1);
  EXPECT_EQ(games.size(), 16U);
  EXPECT_TRUE(games_of(config_on("cuda"), 2) == games);
  EXPECT_TRUE(games_of(config_on("all"), 2) == games) << "GPUs of one kind are expected";
}

}  // namespace
}  // namespace tengen
