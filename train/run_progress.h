#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tengen {

// What one process has done for a run so far, over all its starts. Written before each shard, so
// that no index of a game and no name of a shard is ever given out twice, and at each checkpoint
// and verdict. What a process does not do stays at 0.
struct RunProgress {
  double seconds = 0;            // working time of the run: goes on from the largest of all files
  std::int64_t evaluations = 0;  // network rows of self-play
  std::int64_t games = 0;        // finished, bootstrap games included
  std::int64_t moves = 0;
  std::int64_t rows = 0;           // recorded in shards, holdout included
  std::int64_t training_rows = 0;  // recorded in shards, holdout excluded
  std::int64_t steps = 0;          // optimiser steps
  std::int64_t samples = 0;        // rows trained on
  std::int64_t rows_lost = 0;   // of the training_rows of all, those that training does not find:
                                // damaged shards
  std::uint64_t next_game = 0;  // index of the next game to start
  std::int64_t next_shard = 0;
  double komi_centre = 0;
  std::int64_t nets_promoted = 0;  // the first net not counted
  bool exam_passed = false;        // the run has nothing more to learn
  std::string stopped = {};        // why the run ended, "" while it may go on
  int attempt = 0;                 // starts so far
};

std::string to_json(const RunProgress& progress);
// Throws Error naming the file and the field.
RunProgress read_progress(const std::filesystem::path& file);

// The file of a process by its role: "train", "gate" or "selfplay-<worker>". The self-play of the
// whole loop, role "", is that of worker w0: they share progress.json, so that one goes on where
// the other stopped, with the same seed and indices never used.
std::filesystem::path progress_file(const std::filesystem::path& directory,
                                    const std::string& role);

// Adds what another process has done: sums of what each does its share of, the largest of what one
// of them does, and of `stopped` and komi_centre (of those who have played) those of `part`.
void add(RunProgress& total, const RunProgress& part);
// All processes that ever worked on the run, but for the file `except`; the last writer's words
// hold. Throws Error as read_progress.
RunProgress total_progress(const std::filesystem::path& directory,
                           const std::filesystem::path& except = {});

}  // namespace tengen
