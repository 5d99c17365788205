#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "train/run_context.h"
#include "train/trainer.h"
#include "train/window.h"

namespace tengen {

// The learning part of a run: window, trainer, checkpoints, candidates.
class TrainingPart {
 public:
  // Goes on from the newest good checkpoint of the run directory; without one from the champion's
  // weights, which in a new run are those of net 0, made here. Removes checkpoints that a kill left
  // half-written, so no other process may train in the directory. Throws UsageError if the run's
  // nets have another size than the config says.
  explicit TrainingPart(RunContext& context);

  // Rows that the replay ratio allows to be trained on now; negative when training is ahead.
  std::int64_t rows_due();
  // Trains on up to `rows` rows, in whole batches; stops early when the run should stop. Leaves a
  // checkpoint every run.checkpoint_minutes. Returns steps made. Throws NotFinite when loss or
  // gradient is not finite: the last checkpoint is the last good state.
  std::int64_t train(std::int64_t rows);
  // Validates the averaged weights on held-out games and leaves them as a candidate. Returns its
  // directory. Throws NotFinite, and leaves nothing, if a weight or its average is not finite.
  std::filesystem::path add_candidate();
  // Throws NotFinite, and saves nothing, if a weight or its average is not finite.
  void save_checkpoint();

  // Deletes the shards that lie beyond run.keep_windows windows.
  void remove_old_shards();

  // Why no step can be made now, "" if one can.
  std::string waiting_for();

 private:
  bool load_checkpoint();
  void begin();
  void begin_from_champion(const std::filesystem::path& champion);
  void make_first_net();
  void save_checkpoint(const std::string& window_state);
  LossTerms step(const Batch& batch);
  [[noreturn]] void stop_not_finite(const std::string& what) const;
  void check_weights() const;
  bool checkpoint_is_due() const;
  bool must_stop() const;
  void log_step(const LossTerms& loss, std::int64_t window_rows);
  void set_aside_damaged();
  void refresh_window();

  RunContext& context_;
  // Shards that the window could not use. It finds them on the loader's thread; they are set aside
  // and told of on ours.
  std::mutex mutex_;  // guards damaged_
  std::vector<std::pair<std::filesystem::path, std::string>> damaged_;
  Window window_;
  std::unique_ptr<Trainer> trainer_;
  double saved_s_ = 0;  // working time of the run at the last checkpoint
};

}  // namespace tengen
