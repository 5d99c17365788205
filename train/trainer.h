#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "nn/network.h"
#include "rules/check.h"
#include "selfplay/sample.h"
#include "train/batch.h"
#include "train/losses.h"
#include "train/schedule.h"
#include "train/train_options.h"

namespace tengen {

// A loss or gradient that is infinite or not a number.
class NotFinite : public Error {
 public:
  using Error::Error;
};

// Network, optimiser (AdamW), averaged weights (EMA) and schedule; the whole step on one device.
// Weights, optimiser and losses are fp32; forward and backward may be bf16 (options.precision).
// On the CPU it computes with as many threads as LibTorch has been given by the caller
// (set_torch_threads), each on its share of the rows; a step is a function of weights, rows,
// progress and the number of threads. One user at a time.
class Trainer {
 public:
  // Fresh weights; the average starts as a copy. `device`: "cpu", "cuda:0".
  Trainer(const NetworkShape& shape, const TrainOptions& options, const std::string& device,
          std::uint64_t seed);
  // Starts from given weights.
  Trainer(Network network, const TrainOptions& options, const std::string& device);
  ~Trainer();

  // One optimiser step on these rows. `progress` in [0, 1] is the share of the run's budget spent,
  // for the cosine. Throws NotFinite, with everything untouched, when loss or gradient is not
  // finite. Requires at least one row.
  LossTerms step(std::span<const Sample> rows, double progress);
  LossTerms step(const Batch& rows, double progress);
  // Losses of the averaged weights, no training. Requires at least one row.
  LossTerms validate(std::span<const Sample> rows) const;

  std::int64_t steps() const;
  std::int64_t samples() const;  // rows trained on, repeats counted
  // "fp32" or "bf16"; "auto" until the first step has timed them.
  const std::string& precision() const;
  // The averaged weights, for play: a copy on the CPU.
  Network averaged() const;
  const Network& network() const;
  // "weight 'x'" or "averaged weight 'x'" for one that is not finite, "" if there is none: a step
  // can leave such though its loss was finite.
  std::string not_finite() const;

  // A checkpoint (files in train/README.md), complete or absent; throws Error if `directory`
  // exists. `extra` is kept verbatim (window position, counters of the run) and given back by load.
  // After load the same rows give the same steps as if nothing had happened; the precision found by
  // timing is kept too.
  void save(const std::filesystem::path& directory, const std::string& extra) const;
  // Throws Error naming the file that is missing, damaged, not finite or of another network; then
  // the trainer is as it was.
  std::string load(const std::filesystem::path& directory);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
