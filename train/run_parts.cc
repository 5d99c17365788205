// The parts of the loop as processes of their own.

#include <chrono>
#include <thread>

#include "selfplay/shard.h"
#include "train/run.h"
#include "train/run_context.h"
#include "train/run_dir.h"
#include "train/run_gate.h"
#include "train/run_selfplay.h"
#include "train/run_stop.h"
#include "train/run_training.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr auto kPoll = std::chrono::milliseconds(500);

void pause() {
  std::this_thread::sleep_for(kPoll);
}

// It is part of files' names.
void require_worker_name(const std::string& worker) {
  constexpr std::size_t kLongest = 64;
  try {
    if (worker.find_first_not_of('.') == std::string::npos || worker.size() > kLongest) {
      throw Error("");
    }
    shard_file_name({.worker = worker, .attempt = "1"});
  } catch (const Error&) {
    throw UsageError("--worker '" + worker.substr(0, kLongest) + "': expected at most " +
                     std::to_string(kLongest) + " letters, digits, '_' and '.'");
  }
}

void wait_for_first_net(RunContext& context, const std::string& who) {
  while (!context.nets.champion() && !context.stop_reason()) {
    context.wait(who + " waits for a champion: `tengen train` makes the first net");
    pause();
  }
}

// Whether training has more than two cycles to catch up. Each worker may write one shard more.
bool is_far_ahead(const RunContext& context) {
  const auto& options = context.config.train;
  const auto all = context.total();
  const auto recorded = all.training_rows - all.rows_lost;
  const auto due =
      options.replay_ratio * static_cast<double>(recorded) - static_cast<double>(all.samples);
  const auto cycle = options.replay_ratio * static_cast<double>(context.config.run.rows_per_cycle);
  return recorded > options.min_rows && due > 2 * cycle;
}

void play(RunContext& context, const std::string& worker, std::int64_t games) {
  SelfplayPart selfplay(context, worker);
  selfplay.play_bootstrap();
  const auto first = context.progress.games;
  while (!context.stop_reason()) {
    if (is_far_ahead(context)) {
      context.wait(
          "self-play waits for training: it is more than two cycles ahead at the replay ratio");
      pause();
      continue;
    }
    const auto rows = context.config.run.rows_per_shard;
    if (games == 0) {
      selfplay.play(rows);
      continue;
    }
    selfplay.play(rows, games - (context.progress.games - first));
    if (context.progress.games - first >= games) {
      context.stop(std::to_string(games) + " games are played");
    }
  }
  selfplay.park();
}

void learn(RunContext& context, TrainingPart& training) {
  if (training.train(training.rows_due()) == 0 || context.interrupted()) return;
  training.save_checkpoint();
  context.say(training.add_candidate().filename().string() + " waits for the gate");
  training.remove_old_shards();
}

}  // namespace

int run_selfplay(const RunConfig& config, const fs::path& directory, const std::string& worker,
                 std::int64_t games) {
  const StopSignals signals;
  require_worker_name(worker);
  create_run_directory(directory);
  const RunLock lock(directory, "selfplay-" + worker);
  RunContext context(config, directory, "selfplay-" + worker, "tengen selfplay");
  wait_for_first_net(context, "self-play");
  if (!context.stop_reason()) play(context, worker, games);
  context.end();
  return 0;
}

int run_training(const RunConfig& config, const fs::path& directory) {
  const StopSignals signals;
  create_run_directory(directory);
  const RunLock lock(directory, "train");
  RunContext context(config, directory, "train", "tengen train");
  context.nets.remove_unfinished();
  if (!context.nets.champion()) context.nets.recover();  // as yet nobody else does
  TrainingPart training(context);
  const auto cycle = static_cast<std::int64_t>(config.train.replay_ratio *
                                               static_cast<double>(config.run.rows_per_cycle));
  while (!context.stop_reason()) {
    const auto waiting = training.waiting_for();
    if (!waiting.empty() || training.rows_due() < cycle) {
      context.wait(waiting.empty() ? "training waits for the rows of a whole cycle" : waiting);
      pause();
      continue;
    }
    learn(context, training);
  }
  // The budget is spent: what is recorded is still trained on.
  if (!context.interrupted() && !context.exam_passed() && training.waiting_for().empty()) {
    learn(context, training);
  }
  training.save_checkpoint();
  context.end();
  return 0;
}

int run_gate(const RunConfig& config, const fs::path& directory) {
  const StopSignals signals;
  create_run_directory(directory);
  const RunLock lock(directory, "gate");
  RunContext context(config, directory, "gate", "tengen gate");
  wait_for_first_net(context, "the gate");  // which is a candidate before it is the champion
  context.nets.recover();
  GatePart gate(context);
  // When the budget is spent, the last candidate may still be under way.
  const auto is_done = [&] {
    if (!context.stop_reason()) return false;
    if (context.interrupted() || context.exam_passed()) return true;
    return run_lock_holder(directory, "train").empty() && context.nets.pending().empty();
  };
  while (!is_done()) {
    const auto pending = context.nets.pending();
    if (pending.empty()) {
      context.wait("the gate waits for candidates");
      pause();
      continue;
    }
    const bool promoted = gate.judge_candidate(pending.front());
    context.nets.prune(config.run.keep_nets, {});
    if (promoted) gate.follow_promotion();
  }
  context.end();
  return 0;
}

}  // namespace tengen
