#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/arena.h"
#include "nn/evaluation_cache.h"
#include "nn/net_evaluator.h"
#include "nn/net_files.h"
#include "selfplay/game_pool.h"
#include "train/metrics.h"
#include "train/net_store.h"
#include "train/progress.h"
#include "train/run_options.h"
#include "train/run_progress.h"

namespace tengen {

// What the parts of a run share: config, directory, counters, nets, metrics, and the reasons to
// stop. One thread owns it.
class RunContext {
 public:
  // Opens or makes a run directory: checks that it can be written, keeps the resolved config and
  // run.json, and takes up the counters. `role` names a process of its own ("selfplay-w0", "train",
  // "gate"); "" is the whole loop.
  RunContext(const RunConfig& config, std::filesystem::path directory, const std::string& role,
             const std::string& command);

  const RunConfig config;
  const std::filesystem::path directory;
  NetStore nets;
  RunProgress progress;  // what this process has done

  // What all that ever worked on the run have done: this process, and the others by their files as
  // of the last second.
  RunProgress total() const;
  // The run has nothing more to learn, and run.exam_every asks for that.
  bool exam_passed() const;

  std::filesystem::path shards() const { return directory / "shards"; }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(config.run.seed); }
  int threads() const;  // as configured, or one per core
  BoardSize largest_board() const;
  std::string training_device() const;
  std::string config_hash() const;

  // Why the run should stop now: a signal, a STOP file, a passed exam, a budget, spent by all
  // processes together, or what stop() said; nullopt to go on. The first reason stays.
  std::optional<std::string> stop_reason() const;
  void stop(const std::string& reason);
  // Stopped by a person: everything is put away at once, and the same command goes on later.
  bool interrupted() const;
  // Share of the budget that is spent, the largest of those configured; 0 without a budget.
  double budget_spent() const;
  // Working time of the run in seconds over all starts, this one included.
  double seconds() const;
  void save_progress();  // waits for room, as record()
  // Says why the run ended and keeps it in progress.json.
  void end();

  // Rules of the games on a board of this size, at the mean komi.
  Rules rules(BoardSize size) const;
  // Matches on the configured sizes in turn, at the komi in force; `name` seeds the openings.
  ArenaOptions arena(const std::string& name) const;

  // Evaluators of a net, one for each pool or thread, in the arithmetic that was found fastest in
  // the run's first start under these options (run.json), or in the next one where that spoils this
  // net's answers (nn/calibration.h), which is said and recorded. All share one cache of answers,
  // if there is one.
  std::vector<std::shared_ptr<Evaluator>> evaluators(LoadedNet net, int count);
  // The same as one evaluator that uses all threads.
  std::shared_ptr<Evaluator> match_evaluator(LoadedNet net);

  // Does what writes files; where there is no room for them (NoRoomError), says so and tries again
  // every few seconds until there is. So `write` must be something that can be done again. A signal
  // or a STOP file ends the waiting: the error goes on.
  void with_room(const std::function<void()>& write);

  // A line in the log and on the terminal.
  void say(const std::string& text);
  // The reason of a wait: said once until another one comes, and recorded.
  void wait(const std::string& reason);
  void record(std::string_view kind, const std::vector<Metric>& values);
  // The status line: what is going on, where the run stands, when it will be done.
  void show(const std::string& stage);
  // A damaged shard or checkpoint is moved to quarantine/ with the reason beside it.
  void set_aside(const std::filesystem::path& path, const std::string& reason);

 private:
  std::optional<std::string> reason_to_stop() const;
  const Calibration& calibration(const Network& network);
  const Calibration& arithmetic_of(const std::string& id, const Network& network);

  std::filesystem::path progress_file_;
  mutable RunProgress others_;
  mutable std::optional<std::chrono::steady_clock::time_point> others_read_;
  mutable std::optional<std::string> stopping_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;
  std::unique_ptr<Metrics> metrics_;
  Progress line_{stderr};
  std::string last_wait_;
  std::optional<Calibration> calibration_;
  std::map<std::string, Calibration> arithmetics_;  // by the nets' ids
  std::shared_ptr<EvaluationCache> cache_;          // null without
};

}  // namespace tengen
