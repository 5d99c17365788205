// Writes one shard of small games on mixed boards into the directory named by the argument.
#include <cstdio>

#include "selfplay/selfplay_session.h"
#include "selfplay/shard.h"

int main(int argc, char** argv) {
  using namespace tengen;
  if (argc != 2) return 2;
  SelfplaySettings settings;
  settings.seed = 11;
  settings.games.sizes = {5, 7, 9};
  settings.games.pass_alive_end_share = 0;  // so that the area as it stands is the score
  settings.search.visits = 4;
  SelfplaySession session(1, 8);
  session.set_settings(settings);
  session.set_evaluators([](int) { return std::make_shared<HashEvaluator>(1); });
  std::vector<GameRecord> games;
  session.play({.end_index = 12}, [&](std::vector<GameRecord> finished) {
    for (GameRecord& game : finished) games.push_back(std::move(game));
  });
  ShardInfo info{.worker = "test", .attempt = "1"};
  std::printf("%s\n", write_shard(argv[1], info, games, 0.2).c_str());
}
