#include "train/run_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <thread>

#include "nn/calibration.h"
#include "nn/calibration_cache.h"
#include "nn/devices.h"
#include "nn/eval_bench.h"
#include "nn/net_evaluator.h"
#include "nn/net_import.h"
#include "nn/net_source.h"
#include "rules/temporary_directory.h"
#include "selfplay/selfplay_session.h"
#include "selfplay/shard.h"
#include "train/bench.h"
#include "train/run_workers.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return taken.count();
}

// Bare forward passes of full batches for some seconds, each evaluator on a thread of its own: rows
// a second.
double bare_rate(std::vector<std::shared_ptr<NetEvaluator>>& evaluators, double seconds) {
  std::vector<std::int64_t> rows(evaluators.size());
  const double taken = seconds_of([&] {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < evaluators.size(); ++i) {
      threads.emplace_back([&, i] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (std::chrono::steady_clock::now() < end) rows[i] += evaluators[i]->forward_only();
      });
    }
  });
  std::int64_t sum = 0;
  for (const auto r : rows) sum += r;
  return static_cast<double>(sum) / taken;
}

// Self-play for some seconds, finished games written as shard `index` into `directory`: rows really
// asked for, a second.
double selfplay_rate(SelfplaySession& session, double seconds, const fs::path& directory,
                     int index) {
  std::vector<GameRecord> games;
  std::int64_t evaluations = 0;
  const double taken = seconds_of([&] {
    PlayUntil until;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    until.should_stop = [&] { return std::chrono::steady_clock::now() >= end; };
    evaluations = session
                      .play(until,
                            [&](std::vector<GameRecord> finished) {
                              std::ranges::move(finished, std::back_inserter(games));
                            })
                      .evaluations;
    if (games.empty()) return;
    ShardInfo info;
    info.index = index;
    info.worker = "bench";
    info.attempt = "1";
    write_shard(directory, info, games, 0.02);
  });
  return static_cast<double>(evaluations) / taken;
}

// The net that a request names, or a fresh one of the config's shape.
LoadedNet net_of(const RunConfig& config, const std::string& net) {
  if (!net.empty()) return open_net(resolve_net(net));
  return {Network(network_shape(config.net), 1), {}};
}

int bench_selfplay(const RunConfig& config, const BenchRequest& request, double seconds) {
  const auto size = largest_board(config);
  auto net = net_of(config, request.net);
  const auto network = std::make_shared<const Network>(std::move(net.network));
  CalibrationCache calibrations(calibrations_directory(), std::cerr);
  const auto how = calibrations.calibrate(*network, config.evaluator, size);
  SelfplaySession session(worker_threads(config), config.games.per_worker, 0,
                          pools_per_thread(config));
  auto evaluators = net_evaluators(config, network, "bench", how, session.pools());
  session.set_settings({config.games, config.search, 1, config.games.komi_mean});
  session.set_evaluators([&](int pool) { return evaluators[static_cast<std::size_t>(pool)]; });
  const TemporaryDirectory shards;
  std::cout << fmt::format(
      "{} on {}, {} visits, {} threads, {} pools, {} games a thread; {} in {}, batches of {}\n",
      name_of(network->shape()), to_text(size), config.search.visits, worker_threads(config),
      session.pools(), config.games.per_worker, how.device, in_words(how), how.batch);
  std::cout << "warming up until games are of mixed ages\n";
  selfplay_rate(session, seconds / 3, shards.path(), 0);
  std::vector<double> played, bare;
  for (int round = 0; round < 6; ++round) {
    bare.push_back(bare_rate(evaluators, seconds / 12));
    played.push_back(selfplay_rate(session, seconds / 12, shards.path(), 1 + round));
    std::cout << fmt::format("self-play {:.0f}, bare forward pass {:.0f} evaluations/s\n",
                             played.back(), bare.back());
  }
  double sum_played = 0, sum_bare = 0;
  for (const auto r : played) sum_played += r / 6;
  for (const auto r : bare) sum_bare += r / 6;
  const double ratio = sum_played / sum_bare;
  std::cout << fmt::format("mean: self-play {:.0f}, bare {:.0f} evaluations/s: ratio {:.2f}\n",
                           sum_played, sum_bare, ratio);
  std::cout << fmt::format("{} computes no network for {:.0f} % of the time\n", how.device,
                           100 * std::max(0.0, 1 - ratio));
  return 0;
}

int bench_eval(const RunConfig& config, const BenchRequest& request) {
  const Network network = net_of(config, request.net).network;
  EvalBenchOptions options;
  if (request.seconds > 0) options.seconds = request.seconds;
  options.threads = worker_threads(config);
  bench_evaluators(network, options, std::cout);
  return 0;
}

int bench_training(const RunConfig& config, double seconds) {
  TrainBenchOptions options;
  options.net = config.net.size;
  options.board = *std::ranges::max_element(config.games.sizes);
  options.train = config.train;
  options.device = best_device();
  options.seconds = seconds;
  set_torch_threads(worker_threads(config));
  const auto result = bench_train(options);
  std::cout << fmt::format(
      "{} on {}x{}, batch {}, {}: a training step {:.1f} ms, bare forward, backward and optimiser "
      "{:.1f} ms: ratio {:.2f}\n",
      options.net, options.board, options.board, options.train.batch, result.precision,
      1e3 * result.step_s, 1e3 * result.bare_s, result.step_share());
  std::cout << fmt::format("loader {:.0f} rows/s, steps consume {:.0f} rows/s: ratio {:.1f}\n",
                           result.loader_rows_per_s, result.step_rows_per_s, result.loader_ratio());
  return 0;
}

}  // namespace

int run_bench(const RunConfig& config, const BenchRequest& request) {
  const auto seconds = [&](double otherwise) {
    return request.seconds > 0 ? request.seconds : otherwise;
  };
  if (request.what == "eval") return bench_eval(config, request);
  if (request.what == "train") return bench_training(config, seconds(20));
  return bench_selfplay(config, request, seconds(72));
}

}  // namespace tengen
