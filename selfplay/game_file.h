#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "selfplay/record.h"

namespace tengen {

// Games as a file of canonical texts, finished or parked: for a clean stop, and for comparing two
// runs. Written to a temporary name in the same directory, fsynced, renamed. Both throw Error that
// names the file.
void write_games(const std::filesystem::path& path, std::span<const GameRecord> games);
std::vector<GameRecord> read_games(const std::filesystem::path& path);

}  // namespace tengen
