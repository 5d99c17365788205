#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "selfplay/shard.h"

namespace tengen {

// A shard that cannot be used is reported once, with its path and the reason, and left out. Called
// on the thread that draws (a BatchLoader's own thread while one runs).
using OnDamaged = std::function<void(const std::filesystem::path&, const std::string& reason)>;

// What is kept of each usable shard. Training rows are [0, rows), held-out rows follow.
struct CatalogShard {
  std::filesystem::path path;
  std::int64_t index = 0;
  std::int64_t rows = 0;
  std::int64_t holdout_rows = 0;
  std::vector<std::string> rule_sets = {};
  FeatureSchema features = FeatureSchema::kV7;  // of its games, as ShardInfo
};

// The usable shards of a directory in order of index, opened once each to read what they say of
// themselves. Temporary files are not shards.
class ShardCatalog {
 public:
  ShardCatalog(std::filesystem::path directory, OnDamaged on_damaged);

  // Looks for new shards and for removed ones. True if there are any.
  bool refresh();
  const std::vector<CatalogShard>& shards() const { return shards_; }
  // Training rows ever seen: in the shards here, and in those removed since by retention or
  // dropped.
  std::int64_t rows_total() const { return rows_here_ + rows_removed_; }
  std::int64_t newest_index() const { return shards_.empty() ? -1 : shards_.back().index; }
  // Tells a new process what an older one had counted: `rows_total` training rows in shards up to
  // `newest_index`. Rows of those that are not here any more count as removed. Of several workers
  // one may have been writing a shard up to that index then: its rows are missing from the total.
  void restore_total(std::int64_t rows_total, std::int64_t newest_index);
  // Reports a shard as damaged and forgets it for good.
  void drop(const std::filesystem::path& path, const std::string& reason);

  const std::filesystem::path& directory() const { return directory_; }

 private:
  bool add(const std::filesystem::path& path);

  std::filesystem::path directory_;
  OnDamaged on_damaged_;
  std::vector<CatalogShard> shards_;
  std::set<std::filesystem::path> known_;  // in shards_ or dropped
  std::int64_t rows_here_ = 0;
  std::int64_t rows_removed_ = 0;
};

}  // namespace tengen
