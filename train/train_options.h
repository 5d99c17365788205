#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "configs/option.h"

namespace tengen {

// Section [train]. Defaults and sources: facts in train/README.md.
struct TrainOptions {
  int batch = 128;
  double learning_rate = 1e-3;
  double final_learning_rate = 0.05;  // share of learning_rate at the end of the cosine
  int warmup_steps = 200;
  double weight_decay = 0.02;
  double clip_norm = 1.0;
  double ema_decay = 0.9995;
  std::string precision = "auto";   // "fp32", "bf16" (weights and losses stay fp32)
  double replay_ratio = 3.0;        // rows trained per recorded row
  std::int64_t min_rows = 2000;     // training starts when so many are recorded
  std::int64_t window_min = 20000;  // rows; growth law of KataGo's shuffle.py
  std::int64_t window_scale = 20000;
  double window_exponent = 0.65;
  double window_slope = 0.4;
  bool mixed_rules = false;           // rows of several rule sets in one window
  std::int64_t shuffle_rows = 16384;  // rows in the shuffle buffer
  double holdout = 0.02;              // share of games never trained on
  double history_drop = 0.02;         // KataGo's
  double policy_weight = 1.0, opponent_policy_weight = 0.15, value_weight = 0.72,
         ownership_weight = 1.5;
  double score_pdf_weight = 0.02, score_cdf_weight = 0.02, score_mean_weight = 0.0015,
         score_deviation_weight = 0.001, lead_weight = 0.0015;
  double short_term_weight = 0.1;
  double soft_policy_weight = 0;
};

inline constexpr std::string_view kTrainPrecisionChoices[] = {"auto", "fp32", "bf16"};

template <class Visit>
void for_each_option(TrainOptions& o, Visit visit) {
  visit("batch", o.batch, {"rows per optimiser step", 1, 65536});
  visit("learning_rate", o.learning_rate, {"AdamW, after warm-up", 0, 1});
  visit("final_learning_rate", o.final_learning_rate,
        {"end of the cosine, as a share of learning_rate", 0, 1});
  visit("warmup_steps", o.warmup_steps, {"steps of linear warm-up", 0, 1e9});
  visit("weight_decay", o.weight_decay, {"AdamW, on weights of two and more dimensions", 0, 10});
  visit("clip_norm", o.clip_norm, {"largest global gradient norm", 1e-6, 1e9});
  visit("ema_decay", o.ema_decay,
        {"of the weights that play; min(this, (1 + t) / (10 + t)) at step t", 0, 1});
  visit("precision", o.precision,
        {"arithmetic of the training step; auto: the faster one, timed at the first step", 0, 0,
         kTrainPrecisionChoices});
  visit("replay_ratio", o.replay_ratio, {"rows trained on per recorded row", 0.01, 1000});
  visit("min_rows", o.min_rows, {"training starts when so many rows are there", 1, 1e15});
  visit("window_min", o.window_min, {"smallest window, rows", 1, 1e15});
  visit("window_scale", o.window_scale, {"rows; S of the window's growth law", 1, 1e15});
  visit("window_exponent", o.window_exponent, {"alpha of the window's growth law", 0.01, 1});
  visit("window_slope", o.window_slope, {"beta of the window's growth law", 0, 1});
  visit("mixed_rules", o.mixed_rules,
        {"train on shards of other rules than games.rules, too; else one is an error"});
  visit("shuffle_rows", o.shuffle_rows, {"rows in the shuffle buffer", 1, 1e9});
  visit("holdout", o.holdout, {"share of games never trained on", 0, 0.5});
  visit("history_drop", o.history_drop,
        {"chance for each earlier move shown to be hidden from a row, with all before it", 0, 1});
  visit("policy_weight", o.policy_weight, {"loss weight", 0, 1000});
  visit("opponent_policy_weight", o.opponent_policy_weight, {"loss weight", 0, 1000});
  visit("value_weight", o.value_weight, {"loss weight", 0, 1000});
  visit("ownership_weight", o.ownership_weight, {"loss weight", 0, 1000});
  visit("score_pdf_weight", o.score_pdf_weight, {"loss weight", 0, 1000});
  visit("score_cdf_weight", o.score_cdf_weight, {"loss weight", 0, 1000});
  visit("score_mean_weight", o.score_mean_weight, {"loss weight", 0, 1000});
  visit("score_deviation_weight", o.score_deviation_weight, {"loss weight", 0, 1000});
  visit("lead_weight", o.lead_weight, {"loss weight", 0, 1000});
  visit(
      "short_term_weight", o.short_term_weight,
      {"loss weight of the values of each of two horizons; KataGo has 0.72, which costs small nets "
       "strength (train/README.md)",
       0, 1000});
  visit("soft_policy_weight", o.soft_policy_weight,
        {"of the flattened policies, times the weights of the policies; KataGo has 8", 0, 1000});
}

}  // namespace tengen
