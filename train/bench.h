#pragma once

#include <cstdint>
#include <string>

#include "nn/network.h"
#include "train/train_options.h"

namespace tengen {

struct TrainBenchOptions {
  std::string net = "b4c64";
  int board = 9;
  std::string device = "cpu";
  TrainOptions train;   // batch and precision count
  double seconds = 20;  // of measuring, about
};

// Figures of one run, measured in turns. Medians.
struct TrainBench {
  std::string precision;
  double step_s = 0;             // Trainer::step on rows from a BatchLoader, waiting included
  double bare_s = 0;             // forward, loss, backward and AdamW on one batch already in place
  double loader_rows_per_s = 0;  // from shards to batches, one thread, nothing else running
  double step_rows_per_s = 0;    // rows that steps consume
  double step_share() const { return bare_s / step_s; }
  double loader_ratio() const { return loader_rows_per_s / step_rows_per_s; }
};

// Writes shards of random games with policy targets into a temporary directory, trains on them and
// removes them. Uses as many threads as LibTorch has been given. Throws Error.
TrainBench bench_train(const TrainBenchOptions& options);

}  // namespace tengen
