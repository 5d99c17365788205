#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "train/run_options.h"

namespace tengen {

// The config of a command: `file` if given, else the one that `directory` keeps from its first
// start, else defaults; then the overrides.
RunConfig read_run_config(const std::string& file, const std::vector<std::string>& overrides,
                          const std::string& directory);

// `tengen selfplay`.
struct SelfplayRequest {
  // Fixed net: what one is found by (nn/net_source.h), "hash" or "random"; "" plays for a run.
  std::string net;
  std::int64_t games = 0;
  std::string worker = "w0";
  std::string out;   // directory for shards, "" for none
  std::string dump;  // file for the games' canonical text in order of index, "" for none
};
// Plays request.games games with a fixed net: the same seed gives the same games, whatever the
// number of threads and the size of the pools, computed in fixed_arithmetic.
int selfplay_with_net(const RunConfig& config, const SelfplayRequest& request);

// The arithmetic of games with a fixed net: what the options leave open is fp32 and 32 rows, so
// that nothing hangs on the clock.
Calibration fixed_arithmetic(const EvaluatorOptions& options);

// `tengen version`: one fact a line: program, git hash, libraries, processor, devices.
std::string version_text();

// `tengen exam`: exit code 1 if the net falls short.
int run_exam(const std::filesystem::path& directory);

}  // namespace tengen
