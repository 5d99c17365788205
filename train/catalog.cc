#include "train/catalog.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "rules/check.h"

namespace tengen {

namespace fs = std::filesystem;

ShardCatalog::ShardCatalog(fs::path directory, OnDamaged on_damaged)
    : directory_(std::move(directory)), on_damaged_(std::move(on_damaged)) {}

bool ShardCatalog::add(const fs::path& path) {
  try {
    const ShardReader reader(path);
    const ShardInfo& info = reader.info();
    if (info.holdout_rows < 0 || info.holdout_rows > info.rows) {
      throw Error(path.string() + ": holdout_rows " + std::to_string(info.holdout_rows) + " of " +
                  std::to_string(info.rows) + " rows");
    }
    const std::int64_t rows = info.rows - info.holdout_rows;
    shards_.push_back({path, info.index, rows, info.holdout_rows, info.rule_sets, info.features});
    rows_here_ += rows;
    known_.insert(path);
    return true;
  } catch (const Error& e) {
    // Else removed between listing and opening.
    if (fs::symlink_status(path).type() != fs::file_type::not_found) drop(path, e.what());
    return false;
  }
}

bool ShardCatalog::refresh() {
  const std::vector<fs::path> listed =
      fs::exists(directory_) ? list_shards(directory_) : std::vector<fs::path>();
  const std::set<fs::path> present(listed.begin(), listed.end());

  bool changed = false;
  std::erase_if(shards_, [&](const CatalogShard& shard) {
    if (present.contains(shard.path)) return false;
    rows_here_ -= shard.rows;
    rows_removed_ += shard.rows;
    known_.erase(shard.path);
    changed = true;
    return true;
  });
  for (const fs::path& path : listed) {
    if (!known_.contains(path) && add(path)) changed = true;
  }
  std::ranges::sort(shards_, {},
                    [](const CatalogShard& shard) { return std::tuple(shard.index, shard.path); });
  return changed;
}

void ShardCatalog::restore_total(std::int64_t rows_total, std::int64_t newest_index) {
  std::int64_t still_here = 0;
  for (const CatalogShard& shard : shards_) {
    if (shard.index <= newest_index) still_here += shard.rows;
  }
  rows_removed_ = std::max({rows_removed_, rows_total - still_here, std::int64_t{0}});
}

void ShardCatalog::drop(const fs::path& path, const std::string& reason) {
  std::erase_if(shards_, [&](const CatalogShard& shard) {
    if (shard.path != path) return false;
    rows_here_ -= shard.rows;
    rows_removed_ += shard.rows;
    return true;
  });
  known_.insert(path);
  if (on_damaged_) on_damaged_(path, reason);
}

}  // namespace tengen
