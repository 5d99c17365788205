#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/shard.h"

namespace tengen {

// What can be saved of a damaged shard: its whole games. A game is whole if the checksums of all
// blocks hold in which its moves, its searches and its policies lie, and if it replays to its
// result; all other columns of its rows follow from these and are made anew.
struct SavedGames {
  ShardInfo info;  // of the damaged shard
  std::vector<GameRecord> games;
  std::vector<bool> held_out;     // [games]
  std::vector<std::string> lost;  // a line a game: which, and why
};

// Reads past the seal, so HDF5 parses what is damaged, and may do anything: call it in a process
// that may die (run_shards.cc does). Throws Error if nothing can be read.
SavedGames save_games(const std::filesystem::path& path);

}  // namespace tengen
