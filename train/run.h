#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/run_options.h"

namespace tengen {

// The whole loop in one process and one run directory (design 9): resumes by itself, stops cleanly
// on SIGINT and SIGTERM (a second one: at once), on a STOP file and at its budget. `command` is
// recorded. Returns the exit code. Throws Error.
int run(const RunConfig& config, const std::filesystem::path& directory,
        const std::string& command);

// The same parts as separate processes that meet in the run directory.
int run_selfplay(const RunConfig& config, const std::filesystem::path& directory,
                 const std::string& worker, std::int64_t games);
int run_training(const RunConfig& config, const std::filesystem::path& directory);
int run_gate(const RunConfig& config, const std::filesystem::path& directory);

}  // namespace tengen
