#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "selfplay/record.h"
#include "selfplay/selfplay_settings.h"

namespace tengen {

// What came of the distributions that games are drawn from: shares and means over finished games,
// by name (train/README.md, kind `selfplay`). `settings` are those in force, which say what chance
// had in mind; shares of nothing are 0.
using Statistics = std::vector<std::pair<std::string, double>>;
Statistics game_statistics(const SelfplaySettings& settings, std::span<const GameRecord> games);

}  // namespace tengen
