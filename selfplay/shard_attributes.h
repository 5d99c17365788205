#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "selfplay/column_file.h"
#include "selfplay/shard.h"

namespace tengen {

// The root attributes of a shard: ShardInfo in a file. selfplay/README.md lists them.

// Written last: with the content's hash and `complete`.
void write_shard_attributes(ColumnWriter& file, const ShardInfo& info);
// Throws Error for another format or version, or what contradicts itself.
ShardInfo read_shard_attributes(const ColumnReader& file, const std::filesystem::path& path);

// As the attribute `content_hash` has it: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace tengen
