#include "train/run_tools.h"

#include <algorithm>
#include <iostream>

#include "configs/reader.h"
#include "nn/cache_evaluator.h"
#include "nn/devices.h"
#include "nn/net_import.h"
#include "nn/net_source.h"
#include "rules/durable_file.h"
#include "rules/program.h"
#include "selfplay/game_file.h"
#include "selfplay/selfplay_session.h"
#include "selfplay/shard.h"
#include "train/net_store.h"
#include "train/run_dir.h"
#include "train/run_gate.h"
#include "train/run_info.h"
#include "train/run_players.h"
#include "train/run_workers.h"

namespace tengen {

namespace fs = std::filesystem;

RunConfig read_run_config(const std::string& file, const std::vector<std::string>& overrides,
                          const std::string& directory) {
  RunConfig config;
  auto source = fs::path(file);
  if (file.empty() && !directory.empty() && fs::exists(fs::path(directory) / "config.toml")) {
    source = fs::path(directory) / "config.toml";
  }
  read_config(source, overrides, config);
  network_shape(config.net);  // throws for a size that there is not
  validate(config.games);
  validate(config.gate);
  if (rule_texts(config.games).size() > 1 && !config.train.mixed_rules) {
    throw UsageError(
        "games.rules: games under several rule sets are trained on together only if "
        "train.mixed_rules says so");
  }
  if (config.run.exam_every > 0 && std::ranges::count(config.games.sizes, 5) == 0) {
    throw UsageError("run.exam_every = " + std::to_string(config.run.exam_every) +
                     ": the exam is of 5x5, which games.sizes lacks");
  }
  return config;
}

Calibration fixed_arithmetic(const EvaluatorOptions& options) {
  constexpr int kFixedBatch = 32;
  return {resolve_device(options.device), options.precision == "auto" ? "fp32" : options.precision,
          options.batch > 0 ? options.batch : kFixedBatch};
}

namespace {

// Evaluators of the fixed net, one a pool.
std::vector<std::shared_ptr<Evaluator>> fixed_evaluators(const RunConfig& config,
                                                         const std::string& net, int count) {
  std::vector<std::shared_ptr<Evaluator>> result;
  if (net == "hash") {
    for (int i = 0; i < count; ++i) result.push_back(std::make_shared<HashEvaluator>(1, 32));
    return result;
  }
  auto loaded = open_net(resolve_net(net));
  const auto network = std::make_shared<const Network>(std::move(loaded.network));
  const auto how = fixed_arithmetic(config.evaluator);
  const auto cache_bytes = static_cast<std::size_t>(config.evaluator.cache_mb) << 20;
  const auto cache = cache_bytes > 0
                         ? std::make_shared<EvaluationCache>(cache_bytes, largest_board(config))
                         : nullptr;
  for (auto& evaluator : net_evaluators(config, network, loaded.info.id, how, count)) {
    result.push_back(std::move(evaluator));
    if (cache) result.back() = std::make_shared<CacheEvaluator>(result.back(), cache);
  }
  return result;
}

ShardInfo shard_of(const SelfplayRequest& request, const SelfplaySettings& settings) {
  ShardInfo info;
  info.worker = request.worker;
  info.attempt = "1";
  info.seed = settings.seed;
  return info;
}

// What would be found after the games.
void require_new_shard(const SelfplayRequest& request, const SelfplaySettings& settings) {
  const auto path = fs::path(request.out) / shard_file_name(shard_of(request, settings));
  if (fs::exists(path)) {
    throw UsageError("--out " + request.out + ": expected no " + path.filename().string() +
                     " there yet");
  }
}

void write_results(const SelfplayRequest& request, const SelfplaySettings& settings,
                   FeatureSchema features, const std::vector<GameRecord>& games) {
  if (!request.dump.empty()) write_games(request.dump, games);
  if (request.out.empty()) return;
  ShardInfo info = shard_of(request, settings);
  info.features = features;
  info.program_version = std::string(version()) + " " + std::string(git_hash());
  info.created = utc_time();
  make_directories(request.out);
  std::cout << write_shard(request.out, info, games, 0).string() << "\n";
}

}  // namespace

int selfplay_with_net(const RunConfig& config, const SelfplayRequest& request) {
  if (request.games < 1) throw UsageError("selfplay with a fixed net: --games must be at least 1");
  if (!request.dump.empty()) require_writable(request.dump);
  const SelfplaySettings settings =
      settings_of(config.games, config.search, static_cast<std::uint64_t>(config.run.seed));
  if (!request.out.empty()) require_new_shard(request, settings);
  FeatureSchema features = network_shape(config.net).features;
  std::vector<GameRecord> games;
  if (request.net == "random") {
    for (std::int64_t i = 0; i < request.games; ++i) {
      games.push_back(random_game(settings, static_cast<std::uint64_t>(i)));
    }
  } else {
    SelfplaySession session(worker_threads(config), config.games.per_worker, 0,
                            pools_per_thread(config));
    session.set_settings(settings);
    const auto evaluators = fixed_evaluators(config, request.net, session.pools());
    features = evaluators.front()->features();
    session.set_evaluators([&](int pool) { return evaluators[static_cast<std::size_t>(pool)]; });
    PlayUntil until;
    until.end_index = static_cast<std::uint64_t>(request.games);
    session.play(until, [&](std::vector<GameRecord> finished) {
      std::ranges::move(finished, std::back_inserter(games));
      std::cerr << games.size() << " of " << request.games << " games\n";
    });
  }
  std::ranges::sort(games, {}, &GameRecord::index);
  std::int64_t moves = 0;
  for (const auto& game : games) moves += std::ssize(game.moves);
  std::cerr << games.size() << " games, " << moves << " moves\n";
  write_results(request, settings, features, games);
  return 0;
}

std::string version_text() {
  std::string text = "tengen " + std::string(version()) + "\ngit " + std::string(git_hash()) +
                     "\nLibTorch " + torch_version() + "\nCUDA " + cuda_version() + "\nprocessor " +
                     processor_name() + "\n";
  for (const auto& device : device_names()) text += "device " + device + "\n";
  return text;
}

int run_exam(const fs::path& directory) {
  const auto config = read_run_config("", {}, directory.string());
  const NetStore nets(directory);
  const auto champion = nets.champion();
  if (!champion) throw Error(directory.string() + ": expected a run with a champion, found none");
  if (std::ranges::count(config.games.sizes, 5) == 0) {
    throw Error(directory.string() + ": the exam is of 5x5, which this run does not play");
  }
  const auto size = BoardSize::square(5);
  std::cerr << "The exam takes a minute or two.\n";
  const auto report = examine(open_evaluator(*champion, config.evaluator, size),
                              open_evaluator(nets.first(), config.evaluator, size), config, false);
  std::cout << "Exam of " << champion->filename().string() << " on the solved 5x5 board:\n"
            << to_text(report);
  return report.passed() ? 0 : 1;
}

}  // namespace tengen
