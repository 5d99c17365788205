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

// The parts of the loop taking turns: the machine belongs to one of them at a time.
class Loop {
 public:
  explicit Loop(RunContext& context)
      : context_(context), training_(context), selfplay_(context, "w0"), gate_(context) {}

  void run() {
    for (const auto& candidate : context_.nets.pending()) gate_.judge_candidate(candidate);
    selfplay_.play_bootstrap();
    while (!context_.stop_reason()) cycle();
    selfplay_.park();
    if (!context_.interrupted()) finish_training();
    training_.save_checkpoint();
  }

 private:
  void cycle() {
    play();
    if (!context_.stop_reason()) learn();
  }

  // Rows first, unless training still has much to do with those that are there.
  void play() {
    const auto per_cycle = context_.config.run.rows_per_cycle;
    const auto due = training_.rows_due();
    const auto limit = 2 * context_.config.train.replay_ratio * static_cast<double>(per_cycle);
    if (training_.waiting_for().empty() && static_cast<double>(due) > limit) {
      context_.wait("self-play waits for training: " + std::to_string(due) +
                    " rows are due at the replay ratio");
      return;
    }
    selfplay_.play(per_cycle);
  }

  void learn() {
    const auto waiting = training_.waiting_for();
    if (!waiting.empty()) {
      context_.wait(waiting);
      return;
    }
    if (training_.train(training_.rows_due()) == 0 || context_.interrupted()) return;
    publish();
  }

  void publish() {
    training_.save_checkpoint();
    const auto promoted = gate_.judge_candidate(training_.add_candidate());
    context_.nets.prune(context_.config.run.keep_nets, selfplay_.nets_in_use());
    training_.remove_old_shards();
    if (promoted) gate_.follow_promotion();
  }

  // The budget is spent: what was recorded is still trained on, and judged.
  void finish_training() {
    if (!training_.waiting_for().empty() || context_.exam_passed()) return;
    if (training_.train(training_.rows_due()) > 0) publish();
  }

  RunContext& context_;
  TrainingPart training_;
  SelfplayPart selfplay_;
  GatePart gate_;
};

}  // namespace

int run(const RunConfig& config, const fs::path& directory, const std::string& command) {
  const StopSignals signals;
  create_run_directory(directory);
  // The whole loop does what the parts do, so none of them may be at work but further self-play.
  const RunLock lock(directory);
  const RunLock selfplay_lock(directory, "selfplay-w0");
  const RunLock training_lock(directory, "train");
  const RunLock gate_lock(directory, "gate");
  RunContext context(config, directory, "", command);
  context.nets.remove_unfinished();
  context.nets.recover();
  Loop(context).run();
  context.end();
  return 0;
}

}  // namespace tengen
