#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace tengen {

// The verbs that look at shards. Where they take paths: shards, directories of shards, or run
// directories. A path that is none of these is a UsageError.

// The shards that such paths name.
std::vector<std::filesystem::path> shards_at(const std::vector<std::string>& paths);

// `tengen verify`: a line for each shard that is damaged and one for all; exit code 1 if one is.
int verify_shards(const std::vector<std::string>& paths, std::ostream& out);

// `tengen stats`: what is in the shards, on one screen or as JSON. Damaged ones are left out and
// named on the error stream; exit code 1 then.
int shard_stats(const std::vector<std::string>& paths, bool as_json, std::ostream& out);

// `tengen games`: the games as SGF, with what the searches said in comments: a file for each in
// `folder`, which is made, or all on `out` if it is "".
int shard_games(const std::vector<std::string>& paths, const std::string& folder,
                std::ostream& out);

// `tengen merge`: one new shard in `folder` with the games of all, in their order; held-out games
// stay held out. Refuses shards of different features, and a game that is in two of them. The
// shards stay as they are.
int merge_shards(const std::vector<std::string>& paths, const std::string& folder,
                 std::ostream& out);

// `tengen repair`: of each damaged shard a new one in `folder` with the games that can be saved
// (selfplay/shard_repair.h), named as written by worker "<worker>.repaired"; whole shards are named
// and left out. The damaged ones stay as they are. Exit code 1 if of one nothing could be saved, or
// if the new shard is there already.
int repair_shards(const std::vector<std::string>& paths, const std::string& folder,
                  std::ostream& out);

}  // namespace tengen
