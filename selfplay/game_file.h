#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "selfplay/record.h"

namespace tengen {

// Games as a file of canonical texts, finished or parked: for a clean stop, and for comparing two
// runs. The file is complete or absent. Both throw Error that names it.
void write_games(const std::filesystem::path& path, std::span<const GameRecord> games);
std::vector<GameRecord> read_games(const std::filesystem::path& path);

}  // namespace tengen
