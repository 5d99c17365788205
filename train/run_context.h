#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "nn/net_evaluator.h"
#include "selfplay/game_pool.h"
#include "train/metrics.h"
#include "train/net_store.h"
#include "train/progress.h"
#include "train/run_options.h"
#include "train/run_progress.h"

namespace tengen {

// What the parts of a run share: config, directory, counters, nets, metrics, and the reasons to stop. One
// thread owns it.
class RunContext {
 public:
  // `role` names the process in file names: "" for the whole loop (progress.json), else "selfplay-w0" and the like.
  RunContext(const RunConfig& config, std::filesystem::path directory, const std::string& role);

  const RunConfig config;
  const std::filesystem::path directory;
  NetStore nets;
  RunProgress progress;
  Metrics metrics;
  Console console;

  std::filesystem::path shards() const { return directory / "shards"; }
  std::filesystem::path quarantine() const { return directory / "quarantine"; }
  BoardSize largest_board() const;
  int threads() const;            // as configured, or one per core

  // Why the run should stop now: a signal, a STOP file, a budget; nullopt to go on. Cheap.
  std::optional<std::string> stop_reason() const;
  // Share of the budget that is spent, the largest of those configured; 0 without a budget.
  double budget_spent() const;
  // Working time in seconds over all starts, this one included.
  double seconds() const;
  void save_progress();

  // The calibration stored in run.json, or a new one that is stored there.
  const Calibration& calibration(const Network& network);
  // Loads a net and makes the evaluators of one thread each.
  std::shared_ptr<Evaluator> evaluator(const std::string& net_id);
  SelfplaySettings selfplay_settings() const;
  // Training found a shard that cannot be used: it is set aside with the reason, once.
  void set_aside(const std::filesystem::path& shard, const std::string& reason);

 private:
  std::filesystem::path progress_file_;
  std::chrono::steady_clock::time_point started_;
  double seconds_before_;
  std::optional<Calibration> calibration_;
};

}  // namespace tengen
