#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "selfplay/sample.h"

namespace tengen {

inline constexpr int kShardVersion = 3;  // 3: short-term values, what searches said of each move
// Rows are compressed in blocks of so many: reads of whole blocks, [k * n, (k + 1) * n), are
// quickest.
inline constexpr int kShardBlockRows = 128;

// What a shard says of itself (root attributes). Format, field by field, in selfplay/README.md.
struct ShardInfo {
  std::int64_t index = 0;    // rising number; the order of the window
  std::string worker = {};   // who wrote it
  std::string attempt = {};  // which start of that worker, so that two never write one name
  std::int64_t rows = 0;     // all of them, held-out ones included
  std::int64_t games = 0;
  std::int64_t holdout_rows = 0;                // rows at the end of the shard that are held out
  bool bootstrap = false;                       // random games
  std::vector<std::string> nets = {};           // ids of the nets that played
  std::string rules = {};                       // text of the rules of the first game
  std::vector<std::string> rule_sets = {};      // rule_set_text of all games, without repetition
  FeatureSchema features = FeatureSchema::kV7;  // of its rows
  std::uint64_t seed = 0;
  std::string program_version = {};
  std::string config_hash = {};
  std::string created = {};  // UTC, ISO 8601
};

// "shard-00000042-w0-1f3a.h5"
std::string shard_file_name(const ShardInfo& info);

// Verifies every game, writes one shard (temporary name, checksums, `complete`, fsync, rename) and
// returns its path. Rows are stored training rows first, held-out rows last; a game's rows stand
// together. Fills in what follows from the games: rows, games, holdout_rows, bootstrap, nets,
// rules, rule_sets, and `created` if it is empty; held-out games are chosen by info.seed. Throws
// Error, also if the name is taken or no game has a row; nothing half-written stays under the final
// name.
std::filesystem::path write_shard(const std::filesystem::path& directory, ShardInfo& info,
                                  std::span<const GameRecord> games, double holdout_share);
// The same with a choice of one's own of the games to hold out.
std::filesystem::path write_shard(const std::filesystem::path& directory, ShardInfo& info,
                                  std::span<const GameRecord> games,
                                  const std::function<bool(const GameRecord&)>& is_held_out);

// "w0" of "shard-00000042-w0-1f3a.h5"; "" for other names.
std::string worker_of_shard(std::string_view name);

// Removes what a kill left of the shards of a worker, who must not be writing now.
void remove_unfinished_shards(const std::filesystem::path& directory, const std::string& worker);

// Opens a shard for reading rows in blocks. Opening checks the whole file against its seal, the
// attributes and the shape of every dataset; it throws Error with the reason if the file is
// damaged, incomplete, of another format or features version. Keeps one file descriptor. One caller
// at a time; different readers may be used on different threads.
class ShardReader {
 public:
  explicit ShardReader(const std::filesystem::path& path);
  ~ShardReader();
  ShardReader(ShardReader&&) noexcept;
  ShardReader& operator=(ShardReader&&) noexcept;
  const std::filesystem::path& path() const;
  const ShardInfo& info() const;
  // Appends rows [first, first + count) to `out`. Checksums are verified on the way, and that all
  // numbers are finite and policies sum to 1. On Error `out` may hold some of the rows.
  void read(std::int64_t first, std::int64_t count, std::vector<Sample>& out) const;
  // All games, with policies as stored: in units of 1 / kPolicyUnit; the held-out ones, of
  // info().holdout_rows rows, last. Throws Error if one does not replay.
  std::vector<GameRecord> read_games() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Reads everything and checks it: checksums, content hash, finite values, legal games, and that
// every row is what its game gives. Throws Error with the reason.
void verify_shard(const std::filesystem::path& path);

// Moves a damaged shard to `quarantine`/, its reason in <name>.txt beside it. Never overwrites: a
// taken name gets a number. Throws Error if either fails.
void quarantine_shard(const std::filesystem::path& path, const std::filesystem::path& quarantine,
                      const std::string& reason);

// Shards in a directory in order of index, then name; other files, temporary ones among them, are
// ignored. A directory that is not there holds none; one that cannot be listed is an Error.
std::vector<std::filesystem::path> list_shards(const std::filesystem::path& directory);
// One more than the largest index in a directory; 0 if it holds no shards.
std::int64_t next_shard_index(const std::filesystem::path& directory);

}  // namespace tengen
