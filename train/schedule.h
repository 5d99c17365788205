#pragma once

#include <cstdint>

#include "train/train_options.h"

namespace tengen {

// Learning rate of optimiser step `step` (0 is the first): linear warm-up over warmup_steps, times
// a half cosine over `progress` in [0, 1], the share of the run's budget spent, from learning_rate
// to learning_rate * final_learning_rate. Progress outside [0, 1] is clamped.
double learning_rate_at(std::int64_t step, double progress, const TrainOptions& options);

// Decay of the averaged weights after step `step` (0 is the first): min(ema_decay, (1 + t) / (10 +
// t)), a horizon of about a tenth of the steps so far (facts in train/README.md).
double ema_decay_at(std::int64_t step, const TrainOptions& options);

// Rows in the window after `rows` have been made: KataGo's power law,
// W = W_min + beta ((N - W_min + S)^alpha - S^alpha) / (alpha S^(alpha - 1)), at least W_min, at
// most N.
std::int64_t window_rows(std::int64_t rows, const TrainOptions& options);

}  // namespace tengen
