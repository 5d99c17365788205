#pragma once

#include <cstdint>
#include <filesystem>

namespace tengen {

// Shards to KataGo's training rows (kata_rows.h) and back, file by file. Both make the folders that
// they need, replace what has the name, and throw Error.

struct ConvertedRows {
  std::int64_t training = 0, held_out = 0;
};

// The rows of a shard as KataGo's, boards in the corner of `length` x `length` points:
// `folder`/train/<shard's name>.npz, and held-out rows `folder`/val/<shard's name>.npz. They are
// made from the games, with all of V7's features, also if the shard's rows lack the ladders.
ConvertedRows shard_to_kata(const std::filesystem::path& shard, const std::filesystem::path& folder,
                            int length);

// KataGo's rows as a file of row columns, `folder`/rows-<name>.h5, which is no shard: there are no
// games behind the rows, so nothing can replay, verify or merge them, and a run does not train on
// them. The columns are a shard's, of format "tengen-rows" (selfplay/README.md).
std::int64_t kata_to_rows(const std::filesystem::path& npz, const std::filesystem::path& folder);

}  // namespace tengen
