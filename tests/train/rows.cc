#include "rows.h"

#include <algorithm>
#include <fstream>
#include <numeric>

#include "rules/rng.h"
#include "selfplay/game_start.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

std::vector<float> random_policy(int moves, Rng& rng) {
  std::vector<float> policy(static_cast<std::size_t>(moves));
  for (float& p : policy) p = static_cast<float>(rng.exponential());
  policy[rng.below(static_cast<std::uint32_t>(moves))] += 8.F;
  const float sum = std::accumulate(policy.begin(), policy.end(), 0.F);
  for (float& p : policy) p /= sum;
  return policy;
}

}  // namespace

Sample random_row(BoardSize size, std::uint64_t seed) {
  Rng rng(seed);
  Sample row;
  row.features.size = size;
  row.features.planes[0] = PointSet::all(size);
  for (int i = 0; i < size.area(); ++i) {
    const std::uint32_t stone = rng.below(3);
    if (stone > 0) row.features.planes[stone].insert(i);
    row.ownership.push_back(static_cast<std::int8_t>(static_cast<int>(rng.below(3)) - 1));
  }
  row.features.scalars[5] = static_cast<float>(rng.normal());
  row.policy = random_policy(size.area() + 1, rng);
  row.opponent_policy = random_policy(size.area() + 1, rng);
  row.win = static_cast<float>(rng.below(2));
  row.loss = 1 - row.win;
  row.score = static_cast<float>(rng.below(10)) / 2 - 2.5F;
  for (ShortTermTarget& target : row.short_term) {
    target.win = static_cast<float>(rng.below(4097)) / 4096;
    target.loss = 1 - target.win;
  }
  row.game = seed;
  return row;
}

std::vector<Sample> random_rows(BoardSize size, int count, std::uint64_t seed) {
  std::vector<Sample> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back(random_row(size, mix64(seed, static_cast<std::uint64_t>(i))));
  }
  return rows;
}

ShardInfo write_random_shard(const fs::path& directory, std::int64_t index, int games,
                             double holdout_share, const std::string& rules) {
  SelfplaySettings settings;
  settings.games.sizes = {3};
  settings.games.rules = rules;
  settings.seed = 7;
  std::vector<GameRecord> records;
  for (int i = 0; i < games; ++i) {
    records.push_back(random_game(settings, static_cast<std::uint64_t>(1000 * index + i)));
  }
  ShardInfo info;
  info.index = index;
  info.worker = "w0";
  info.attempt = "test";
  info.bootstrap = true;
  info.seed = settings.seed;
  write_shard(directory, info, records, holdout_share);
  return info;
}

fs::path shard_path(const fs::path& directory, const ShardInfo& info) {
  return directory / shard_file_name(info);
}

void damage(const fs::path& file) {
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto size = static_cast<std::int64_t>(fs::file_size(file));
  const std::string junk(static_cast<std::size_t>(size / 2), '\x5A');
  out.seekp(size / 4);
  out.write(junk.data(), std::ssize(junk));
}

}  // namespace tengen
