#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "train/run_context.h"
#include "train/trainer.h"
#include "train/window.h"

namespace tengen {

// The learning part of a run: window, trainer, checkpoints, candidates.
class TrainingPart {
 public:
  // Goes on from the newest good checkpoint of the run directory; else from net 0, which it makes
  // (and makes champion) in a new run.
  explicit TrainingPart(RunContext& context);

  // Rows that the replay ratio allows to be trained on now; negative when training is ahead.
  std::int64_t rows_due();
  // Trains on up to `rows` rows, in whole batches; stops early when the run should stop. Returns
  // steps made. Throws NotFinite when loss or gradient is not finite: the last checkpoint is the
  // last good state.
  std::int64_t train(std::int64_t rows);
  // Validates the averaged weights on held-out games and leaves them as a candidate. Returns its
  // directory.
  std::filesystem::path add_candidate();
  void save_checkpoint();

  Window& window() { return window_; }
  // Why no step can be made now, "" if one can.
  std::string waiting_for();

 private:
  bool must_stop() const;
  void log_step(const LossTerms& loss);

  RunContext& context_;
  Window window_;
  std::unique_ptr<Trainer> trainer_;
};

}  // namespace tengen
