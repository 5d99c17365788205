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

// The parts of the loop as processes of their own, on any number of machines that share a disk:
// they meet in the run directory, which `run` or one of them made. The run is the same: budgets and
// the limits of waiting count what all of them have done, as of each one's last shard, checkpoint
// or verdict, and a passed exam ends them all. When a budget is spent, self-play parks its games,
// training still uses what is recorded by then, and the gate goes on until training has ended and
// every candidate is judged. `run` and the parts may follow one another in a directory, and workers
// other than w0 may play for a `run` that is going on.
//
// Plays games with the champion and writes shards until stopped or until at least `games` are
// finished (0: no limit). `worker` is a name that no other process has now; the games of w0 are
// those of `run`. The first workers play the bootstrap. Waits while more than two cycles of rows
// are to be trained on, all workers' together.
int run_selfplay(const RunConfig& config, const std::filesystem::path& directory,
                 const std::string& worker, std::int64_t games);
// Trains on the shards as they come and leaves a candidate each cycle. Waits for rows at the replay
// ratio. Makes the first net.
int run_training(const RunConfig& config, const std::filesystem::path& directory);
// Judges candidates as they come, at the komi of the worker that wrote last; checks and exams
// follow every so many promotions.
int run_gate(const RunConfig& config, const std::filesystem::path& directory);

}  // namespace tengen
