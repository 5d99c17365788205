#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tengen {

// What a run has done so far, over restarts: progress.json. Written before each shard is announced,
// so that no index of a game or shard is ever used twice, and at each checkpoint.
struct RunProgress {
  double seconds = 0;            // working time
  std::int64_t evaluations = 0;  // network rows of self-play
  std::int64_t games = 0;        // finished, bootstrap games included
  std::int64_t moves = 0;
  std::int64_t rows = 0;           // recorded in shards, holdout included
  std::int64_t training_rows = 0;  // recorded in shards, holdout excluded
  std::int64_t steps = 0;          // optimiser steps
  std::int64_t samples = 0;        // rows trained on
  std::uint64_t next_game = 0;     // index of the next game to start
  std::int64_t next_shard = 0;
  double komi_centre = 0;
  bool bootstrapped = false;       // the random games are all there
  std::int64_t nets_promoted = 0;  // the first net not counted
  std::string stopped;             // why the run ended, "" while it may go on
  int attempt = 0;                 // starts so far
};

std::string to_json(const RunProgress& progress);
// Throws Error naming the file and the field.
RunProgress read_progress(const std::filesystem::path& file);

}  // namespace tengen
