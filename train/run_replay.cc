#include "train/run_replay.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "nn/calibration.h"
#include "nn/net_import.h"
#include "nn/net_source.h"
#include "selfplay/replay.h"
#include "selfplay/shard.h"
#include "train/net_store.h"
#include "train/run_info.h"
#include "train/run_tools.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

// How the games of a run were computed, if under these options; else what they say.
Calibration arithmetic_of(const RunConfig& config, const std::string& directory) {
  const auto& options = config.evaluator;
  const auto text = directory.empty() ? "" : run_fact(directory, "calibration");
  if (text.empty()) return fixed_arithmetic(options);
  try {
    const auto kept = nlohmann::json::parse(text);
    const auto& of = kept.at("of");
    if (of.at("device") != options.device || of.at("precision") != options.precision ||
        of.at("batch") != options.batch || of.at("kernels") != options.kernels) {
      return fixed_arithmetic(options);
    }
    return calibration_from_json(text);
  } catch (const nlohmann::json::exception& e) {
    throw Error((fs::path(directory) / "run.json").string() + ": calibration: " + e.what());
  }
}

// The nets of a shard's games, each opened once.
class Nets {
 public:
  Nets(const RunConfig& config, const ReplayRequest& request)
      : request_(request),
        largest_(BoardSize::square(*std::ranges::max_element(config.games.sizes))),
        how_(request.net == "hash" ? Calibration{} : arithmetic_of(config, request.directory)),
        is_kept_(!how_.timings.empty()) {}

  std::shared_ptr<Evaluator> of(const std::string& id) {
    auto& net = opened_[id];
    if (!net) net = open(id);
    return net;
  }

 private:
  std::shared_ptr<Evaluator> open(const std::string& id) const {
    if (id == "hash") return std::make_shared<HashEvaluator>(1, 32);
    auto loaded = open_net(resolve_net(path_of(id)));
    if (loaded.info.id != id) {
      throw Error(path_of(id).string() + ": the game was played by " + id + ", this is " +
                  loaded.info.id);
    }
    auto network = std::make_shared<const Network>(std::move(loaded.network));
    // As in the run: a net that rounding spoils was computed otherwise.
    const auto how = is_kept_ ? checked(how_, *network, largest_).how : how_;
    return std::make_shared<NetEvaluator>(network, id, how, largest_);
  }

  fs::path path_of(const std::string& id) const {
    if (!request_.net.empty()) return request_.net;
    if (request_.directory.empty()) {
      throw UsageError("replay: the games were played by " + id +
                       ": --dir (its run) or --net is needed");
    }
    const NetStore nets(request_.directory);
    if (!nets.has_net(id)) {
      throw Error(request_.directory + ": expected the net " + id +
                  ", which played a game; it is gone (run.keep_nets)");
    }
    return nets.net_directory(id);
  }

  const ReplayRequest& request_;
  BoardSize largest_;
  Calibration how_;
  bool is_kept_;  // it is that of the run
  std::map<std::string, std::shared_ptr<Evaluator>> opened_;
};

std::vector<GameRecord> chosen_games(const ReplayRequest& request) {
  auto games = ShardReader(request.shard).read_games();
  if (!request.game) return games;
  std::erase_if(games, [&](const GameRecord& game) { return game.index != *request.game; });
  if (games.empty()) {
    throw Error(request.shard + ": expected game " + std::to_string(*request.game) +
                ", which is not in it");
  }
  return games;
}

void print(const GameRecord& game, const ReplayReport& report) {
  std::cout << "game " << game.index << ": " << report.plies << " plies, " << report.searched
            << " searched again, " << report.given
            << " given: " << (report.differences.empty() ? "the same" : "other") << "\n";
  for (const auto& difference : report.differences) std::cout << "  " << difference << "\n";
}

}  // namespace

std::string directory_of_shard(const std::string& shard) {
  const auto directory = fs::absolute(shard).parent_path().parent_path();
  return fs::exists(directory / "config.toml") ? directory.string() : "";
}

int run_replay(const RunConfig& config, const ReplayRequest& request) {
  Nets nets(config, request);
  const auto settings = settings_of(config.games, config.search, 0);
  bool all_same = true;
  for (const GameRecord& game : chosen_games(request)) {
    const auto report = replay(game, settings, [&](const std::string& id) { return nets.of(id); });
    print(game, report);
    all_same &= report.differences.empty();
  }
  return all_same ? 0 : 1;
}

}  // namespace tengen
