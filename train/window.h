#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/rng.h"
#include "selfplay/shard.h"
#include "train/train_options.h"

namespace tengen {

// Rows in the window after `rows` have been made: KataGo's power law (facts/learning 2.7),
// W = W_min + beta ((N - W_min + S)^alpha - S^alpha) / (alpha S^(alpha - 1)), at least W_min, at
// most N.
std::int64_t window_rows(std::int64_t rows, const TrainOptions& options);

// The newest shards of a directory and a row-level shuffle over them: blocks are read in random
// order from all shards of the window into a buffer, rows are drawn from the buffer at random. The
// window is never in memory as a whole.
class Window {
 public:
  // A shard that cannot be used is reported once, with its path and the reason, and left out.
  using OnDamaged = std::function<void(const std::filesystem::path&, const std::string& reason)>;
  Window(std::filesystem::path shards, const TrainOptions& options, std::uint64_t seed,
         OnDamaged on_damaged);
  ~Window();

  // Looks for new shards. Returns training rows ever made (holdout excluded, shards that retention
  // removed included when `rows_removed` says so).
  std::int64_t refresh();
  std::int64_t rows_total() const;
  std::int64_t rows_in_window() const;
  // Oldest shard index that the window still needs.
  std::int64_t oldest_needed() const;

  // Draws `count` random training rows, each seen through a random symmetry. Requires rows in the
  // window.
  void draw(int count, std::vector<Sample>& out);
  // Rows held out, at most `count`, newest shards first, always in one order.
  std::vector<Sample> holdout(int count) const;

  // Position of the shuffle, for checkpoints: after set_state the same rows follow, as long as the
  // shards are the same.
  std::string state() const;
  void set_state(const std::string& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
