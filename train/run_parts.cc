// The parts of the loop as processes of their own.

#include <chrono>
#include <thread>

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

// Rows that training has been through, by its own counters; nullopt before it has started.
std::optional<std::int64_t> samples_trained(const fs::path& directory) {
  for (const auto* name : {"progress-train.json", "progress.json"}) {
    if (fs::exists(directory / name)) return read_progress(directory / name).samples;
  }
  return std::nullopt;
}

}  // namespace

int run_selfplay(const RunConfig& config, const fs::path& directory, const std::string& worker,
                 std::int64_t games) {
  const StopSignals signals;
  create_run_directory(directory);
  const RunLock lock(directory, "selfplay-" + worker);
  RunContext context(config, directory, "selfplay-" + worker, "tengen selfplay");
  while (!context.nets.champion() && !context.stop_reason()) {
    context.wait("self-play waits for a champion: `tengen train` makes the first net");
    pause();
  }
  if (context.stop_reason()) return 0;
  SelfplayPart selfplay(context, worker);
  const auto first = context.progress.games;
  const auto& options = config.train;
  const auto ahead_limit =
      2 * options.replay_ratio * static_cast<double>(config.run.rows_per_cycle);
  while (!context.stop_reason() && (games == 0 || context.progress.games - first < games)) {
    const auto trained = samples_trained(directory);
    const auto allowed = options.replay_ratio * static_cast<double>(context.progress.training_rows);
    if (trained && context.progress.training_rows > options.min_rows &&
        allowed - static_cast<double>(*trained) > ahead_limit) {
      context.wait(
          "self-play waits for training: it is more than two cycles ahead at the replay ratio");
      pause();
      continue;
    }
    selfplay.play(config.run.rows_per_shard);
  }
  selfplay.park();
  context.end();
  return 0;
}

int run_training(const RunConfig& config, const fs::path& directory) {
  const StopSignals signals;
  create_run_directory(directory);
  const RunLock lock(directory, "train");
  RunContext context(config, directory, "train", "tengen train");
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
    if (training.train(training.rows_due()) == 0 || context.interrupted()) continue;
    training.save_checkpoint();
    context.say(training.add_candidate().filename().string() + " waits for the gate");
    training.remove_old_shards();
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
  context.nets.recover();
  GatePart gate(context);
  while (!context.stop_reason()) {
    const auto pending = context.nets.pending();
    if (pending.empty()) {
      context.wait("the gate waits for candidates");
      pause();
      continue;
    }
    const auto& options = config.run;
    const bool promoted = gate.judge_candidate(pending.front());
    context.nets.prune(options.keep_nets, {});
    if (promoted && options.check_every > 0 &&
        ++context.progress.nets_promoted % options.check_every == 0) {
      gate.check_against_old_nets();
    }
  }
  context.end();
  return 0;
}

}  // namespace tengen
