#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tengen {

double learning_rate_at(std::int64_t step, double progress, const TrainOptions& options) {
  const double warm_up =
      step + 1 >= options.warmup_steps
          ? 1.0
          : static_cast<double>(step + 1) / static_cast<double>(options.warmup_steps);
  const double cosine = (1 + std::cos(std::numbers::pi * std::clamp(progress, 0.0, 1.0))) / 2;
  const double share = options.final_learning_rate + (1 - options.final_learning_rate) * cosine;
  return options.learning_rate * warm_up * share;
}

double ema_decay_at(std::int64_t step, const TrainOptions& options) {
  const auto t = static_cast<double>(step);
  return std::min(options.ema_decay, (1 + t) / (10 + t));
}

std::int64_t window_rows(std::int64_t rows, const TrainOptions& options) {
  if (rows <= options.window_min) return rows;
  const auto scale = static_cast<double>(options.window_scale);
  const double alpha = options.window_exponent;
  const double beyond = static_cast<double>(rows - options.window_min);
  const double growth = (std::pow(beyond + scale, alpha) - std::pow(scale, alpha)) /
                        (alpha * std::pow(scale, alpha - 1));
  const auto window = static_cast<double>(options.window_min) + options.window_slope * growth;
  return std::min(rows, static_cast<std::int64_t>(std::llround(window)));
}

}  // namespace tengen
