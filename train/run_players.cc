#include "train/run_players.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "eval/gtp_client.h"
#include "train/net_store.h"

namespace tengen {

namespace fs = std::filesystem;

std::optional<fs::path> find_net(const fs::path& path) {
  if (fs::exists(path / "net.json")) return path;
  return NetStore(path).champion();
}

fs::path resolve_net(const fs::path& path) {
  if (const auto net = find_net(path)) return *net;
  throw Error(path.string() +
              ": expected a net (net.json) or a run (champion.json), found neither");
}

std::shared_ptr<NetEvaluator> open_evaluator(const fs::path& path, const EvaluatorOptions& options,
                                             BoardSize largest) {
  auto loaded = load_net(resolve_net(path));
  auto network = std::make_shared<const Network>(std::move(loaded.network));
  const auto calibration = calibrate(*network, options, largest);
  return std::make_shared<NetEvaluator>(network, loaded.info.id, calibration, largest);
}

namespace {

// A net that may be asked about any board: one evaluator and search player for each size, since a
// canvas larger than the board costs time.
class NetPlayer : public Player {
 public:
  NetPlayer(LoadedNet loaded, const SearchOptions& options)
      : network_(std::make_shared<const Network>(std::move(loaded.network))),
        id_(loaded.info.id),
        options_(options) {}

  std::string name() const override { return id_; }

  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    if (requests.empty()) return;
    const auto size = requests[0].position->size();
    player_for(std::max(size.width, size.height)).choose(requests, choices);
  }

 private:
  Player& player_for(int side) {
    auto& player = players_[side];
    if (!player) {
      const auto canvas = BoardSize::square(side);
      const auto calibration = calibrate(*network_, EvaluatorOptions(), canvas);
      player = make_search_player(
          std::make_shared<NetEvaluator>(network_, id_, calibration, canvas), options_);
    }
    return *player;
  }

  std::shared_ptr<const Network> network_;
  std::string id_;
  SearchOptions options_;
  std::map<int, std::unique_ptr<Player>> players_;
};

}  // namespace

std::unique_ptr<Player> make_player(const std::string& words, const SearchOptions& options) {
  if (words == "random") return make_random_player();
  if (words == "hash") return make_search_player(std::make_shared<HashEvaluator>(1), options);
  if (words == "uniform") return make_search_player(std::make_shared<UniformEvaluator>(), options);
  if (words.starts_with("rollouts:")) {
    const auto digits = words.substr(9);
    int playouts = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), playouts);
    if (end.ec != std::errc() || end.ptr != digits.data() + digits.size() || playouts < 1) {
      throw UsageError("player '" + words + "': expected rollouts:N with N >= 1");
    }
    return make_rollout_player(playouts);
  }
  if (words.starts_with("gtp:")) return make_gtp_player(words.substr(4));
  if (!fs::exists(words)) {
    throw UsageError("player '" + words +
                     "': no such directory, and not rollouts:N, random, hash or gtp:COMMAND");
  }
  return std::make_unique<NetPlayer>(load_net(resolve_net(words)), options);
}

SearchOptions match_search(const SearchOptions& self_play, int visits) {
  auto options = self_play;
  options.visits = visits;
  options.gumbel_scale = 0;
  return options;
}

}  // namespace tengen
