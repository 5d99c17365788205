#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rules/temporary_directory.h"
#include "selfplay/game_options.h"
#include "selfplay/sample.h"
#include "selfplay/shard.h"
#include "train/train_options.h"

namespace tengen {

// A row with plausible planes and targets that are pure chance, but a fixed function of the seed:
// what a network can only learn by heart.
Sample random_row(BoardSize size, std::uint64_t seed);
std::vector<Sample> random_rows(BoardSize size, int count, std::uint64_t seed);

// Writes shard `index` with `games` random 3x3 games, the numbers of which begin at 1000 * index.
// Its training and held-out rows are counted in the result.
ShardInfo write_random_shard(const std::filesystem::path& directory, std::int64_t index, int games,
                             double holdout_share = 0,
                             const std::string& rules = GameOptions().rules);
std::filesystem::path shard_path(const std::filesystem::path& directory, const ShardInfo& info);

// Overwrites a stretch in the middle of a file.
void damage(const std::filesystem::path& file);

}  // namespace tengen
