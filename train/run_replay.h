#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "train/run_options.h"

namespace tengen {

// `tengen replay`: games of a shard are played again and compared, bit for bit (selfplay/replay.h).
struct ReplayRequest {
  std::string shard;
  std::optional<std::uint64_t> game;  // its index; nullopt: all games of the shard
  std::string directory;              // of the run, "" for that in which the shard lies
  std::string net;  // of games with a fixed net: what it is found by, or "hash"; "" for a run's
};

// The run directory whose config counts where none is told: the shard's grandparent if it keeps a
// config, else "".
std::string directory_of_shard(const std::string& shard);

// A line a game, differences below it. Exit code 1 if there is one. Nets are computed as run.json
// says, if that is of the options in [evaluator], else by fixed_arithmetic (train/run_tools.h).
// Throws Error for a shard that cannot be read, a game that is not in it and a net that is gone.
int run_replay(const RunConfig& config, const ReplayRequest& request);

}  // namespace tengen
