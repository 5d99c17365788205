#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "train/run_options.h"

namespace tengen {

// The whole loop in one process and one run directory (layout in train/README.md): bootstrap,
// self-play, training, candidate, gate, champion, and round again. Resumes by itself; stops cleanly
// on SIGINT and SIGTERM (a second signal: at once), on a file STOP in the directory and at its
// budget. `command` is kept in run.json. Returns the exit code; throws Error for what a person must
// mend.
int run(const RunConfig& config, const std::filesystem::path& directory,
        const std::string& command);

// The parts of the loop as processes of their own; they meet in the run directory, which `run` or
// one of them made.
//
// Plays games with the champion and writes shards until stopped or until `games` are finished (0:
// no limit). Waits while it is so far ahead that training has more than two windows to catch up.
int run_selfplay(const RunConfig& config, const std::filesystem::path& directory,
                 const std::string& worker, std::int64_t games);
// Trains on the shards as they come and leaves candidates. Waits for rows at the replay ratio.
int run_training(const RunConfig& config, const std::filesystem::path& directory);
// Judges candidates as they come.
int run_gate(const RunConfig& config, const std::filesystem::path& directory);

}  // namespace tengen
