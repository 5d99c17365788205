#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nn/net_files.h"
#include "nn/network.h"
#include "selfplay/sample.h"
#include "train/train_options.h"

namespace tengen {

// Means over a batch, before weights; `total` is the weighted sum that is minimised.
struct LossTerms {
  double total = 0, policy = 0, opponent_policy = 0, value = 0, ownership = 0, score_pdf = 0,
         score_cdf = 0, score_mean = 0;
  double policy_entropy = 0;   // of the targets
  double policy_accuracy = 0;  // share of rows whose best move is the target's
  double gradient_norm = 0;    // before clipping; 0 in validation
};

// Learning rate at `step` of `total_steps` (may grow: pass progress in [0, 1] of the budget).
double learning_rate_at(std::int64_t step, double progress, const TrainOptions& options);

// Network, optimiser (AdamW), EMA and schedule. fp32 masters; the whole step on one device.
class Trainer {
 public:
  Trainer(const NetworkShape& shape, const TrainOptions& options, const std::string& device,
          std::uint64_t seed);
  // Starts from given weights.
  Trainer(Network network, const TrainOptions& options, const std::string& device);
  ~Trainer();

  // One optimiser step on these rows. `progress` in [0, 1] is the share of the run's budget spent,
  // for the cosine. Throws NotFinite, with the parameters untouched, when loss or gradient is not
  // finite.
  LossTerms step(std::span<const Sample> rows, double progress);
  // Losses of the EMA weights, no training.
  LossTerms validate(std::span<const Sample> rows) const;

  std::int64_t steps() const;
  std::int64_t samples() const;
  // The EMA weights, for play.
  Network averaged() const;
  const Network& network() const;

  // directory/{weights,ema,optimizer}.safetensors and state.json; written complete or not at all.
  // `extra` is kept verbatim (window position, random states, counters of the run) and given back
  // by load.
  void save(const std::filesystem::path& directory, const std::string& extra) const;
  std::string load(const std::filesystem::path& directory);  // throws Error naming the file

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class NotFinite : public Error {
 public:
  using Error::Error;
};

}  // namespace tengen
