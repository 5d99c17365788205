#include "train/net_store.h"

#include <gtest/gtest.h>

#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "selfplay/game_file.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

std::string add_net(NetStore& nets) {
  NetInfo info;
  info.index = nets.next_index();
  return nets.add_candidate(Network(network_shape("b2c16"), 1), info).filename().string();
}

std::string promote_net(NetStore& nets, const fs::path& run) {
  const auto id = add_net(nets);
  nets.promote(run / "candidates" / id, R"({"promoted": true})");
  return id;
}

TEST(NetStore, CountsOnOverCandidatesAndNets) {
  const TemporaryDirectory run;
  NetStore nets(run.path());
  EXPECT_EQ(nets.next_index(), 0);
  add_net(nets);
  EXPECT_EQ(nets.next_index(), 1);
  promote_net(nets, run.path());
  EXPECT_EQ(nets.next_index(), 2);
}

TEST(NetStore, ACandidateThatIsThereAlreadyStaysAsItIs) {
  const TemporaryDirectory directory;
  NetStore nets(directory.path());
  NetInfo info;
  const auto first = nets.add_candidate(Network(network_shape("b2c16"), 1), info);
  const auto written = fs::last_write_time(first / "weights.safetensors");
  NetInfo again;
  EXPECT_EQ(nets.add_candidate(Network(network_shape("b2c16"), 1), again), first);
  EXPECT_EQ(again.id, info.id);
  EXPECT_EQ(fs::last_write_time(first / "weights.safetensors"), written);
}

TEST(NetStore, KeepsTheNetsThatWorkersSayTheyPlayWith) {
  const TemporaryDirectory directory;
  NetStore nets(directory.path());
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(promote_net(nets, directory.path()));
  EXPECT_EQ(nets.ids(), ids);
  fs::create_directories(directory.path() / "parked");
  write_durable(directory.path() / "parked" / "w3.nets", "net " + ids[2] + "\n");
  nets.prune(1, {});
  EXPECT_EQ(nets.ids(), (std::vector<std::string>{ids[0], ids[2], ids[4]}));
  for (const auto& entry : fs::directory_iterator(directory.path() / "nets")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("."));
  }
}

TEST(NetStore, KeepsTheNetsThatAnyWorkersParkedGamesNeed) {
  const TemporaryDirectory run;
  NetStore nets(run.path());
  std::vector<std::string> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(promote_net(nets, run.path()));
  fs::create_directories(run.path() / "parked");
  GameRecord game;
  game.nets = {ids[2]};
  write_games(run.path() / "parked" / "w7.games", {&game, 1});

  nets.prune(1, {ids[3]});
  for (const int kept : {0, 2, 3, 5}) EXPECT_TRUE(nets.has_net(ids[kept])) << kept;
  for (const int gone : {1, 4}) EXPECT_FALSE(nets.has_net(ids[gone])) << gone;

  fs::remove(run.path() / "parked" / "w7.games");
  nets.prune(1, {});
  EXPECT_FALSE(nets.has_net(ids[2]));
}

}  // namespace
}  // namespace tengen
