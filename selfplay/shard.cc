#include "selfplay/shard.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <set>

#include "rules/durable_file.h"
#include "rules/rules_text.h"
#include "selfplay/column_file.h"
#include "selfplay/shard_attributes.h"
#include "selfplay/shard_columns.h"

namespace tengen {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// Everything that a shard holds, in memory.
struct Content {
  RowColumns rows;
  GameColumns games;
};

void append_game(const GameRecord& record, ShardInfo& info, Content& content) {
  const auto game_row = static_cast<std::int32_t>(content.games.games());
  content.games.append(record, info.nets, static_cast<std::int64_t>(content.rows.rows()));
  for (const Sample& sample : samples_from(record, info.features))
    content.rows.append(sample, game_row);
}

// Columns of verified games, training games first; fills in what `info` says of them.
Content content_of(std::span<const GameRecord> games,
                   const std::function<bool(const GameRecord&)>& is_held_out, ShardInfo& info) {
  check(!games.empty(), "a shard has a game");
  Content content;
  info.nets.clear();
  for (const GameRecord& record : games) {
    verify(record);
    content.rows.area = std::max(content.rows.area, record.rules.size.area());
  }
  for (const GameRecord& record : games) {
    if (!is_held_out(record)) append_game(record, info, content);
  }
  const std::size_t training_rows = content.rows.rows();
  for (const GameRecord& record : games) {
    if (is_held_out(record)) append_game(record, info, content);
  }
  info.rows = static_cast<std::int64_t>(content.rows.rows());
  info.holdout_rows = static_cast<std::int64_t>(content.rows.rows() - training_rows);
  info.games = static_cast<std::int64_t>(games.size());
  info.bootstrap =
      std::ranges::all_of(games, [](const GameRecord& r) { return r.nets.front() == kRandomNet; });
  info.rules = to_text(games.front().rules);
  std::set<std::string> rule_sets;
  for (const GameRecord& record : games) rule_sets.insert(rule_set_text(record.rules));
  info.rule_sets.assign(rule_sets.begin(), rule_sets.end());
  if (info.created.empty()) info.created = utc_now();
  return content;
}

void write_columns(ColumnWriter& file, const Content& content) {
  const auto rows = static_cast<std::int64_t>(content.rows.rows());
  for_each_row_column(content.rows, [&](const char* name, const auto& column, const auto& shape) {
    using T = typename std::decay_t<decltype(column)>::value_type;
    file.write(name, std::span<const T>(column), ColumnShape{rows, shape});
  });
  for_each_game_column(content.games,
                       [&](const char* name, const auto& column) { file.write(name, column); });
  file.write_texts("games/rules", content.games.rules);
  for_each_move_column(content.games.moves,
                       [&](const char* name, const auto& column) { file.write(name, column); });
}

std::vector<std::string> column_names() {
  std::vector<std::string> names;
  const Content none;
  for_each_row_column(
      none.rows, [&](const char* name, const auto&, const auto&) { names.emplace_back(name); });
  for_each_game_column(none.games,
                       [&](const char* name, const auto&) { names.emplace_back(name); });
  names.emplace_back("games/rules");
  for_each_move_column(none.games.moves,
                       [&](const char* name, const auto&) { names.emplace_back(name); });
  return names;
}

}  // namespace

std::string shard_file_name(const ShardInfo& info) {
  const auto is_plain = [](const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    });
  };
  if (info.index < 0 || !is_plain(info.worker) || !is_plain(info.attempt)) {
    throw Error("shard: expected worker and attempt of letters, digits, '_' and '.', found '" +
                info.worker + "' and '" + info.attempt + "'");
  }
  std::string index = std::to_string(info.index);
  index.insert(0, 8 - std::min<std::size_t>(8, index.size()), '0');
  return "shard-" + index + "-" + info.worker + "-" + info.attempt + ".h5";
}

std::string worker_of_shard(std::string_view name) {
  if (!name.starts_with("shard-")) return "";
  const std::size_t before = name.find('-', 6), after = name.rfind('-');
  if (before == std::string_view::npos || before >= after) return "";
  return std::string(name.substr(before + 1, after - before - 1));
}

void remove_unfinished_shards(const std::filesystem::path& directory, const std::string& worker) {
  remove_drafts(directory, [&](std::string_view name) { return worker_of_shard(name) == worker; });
}

std::filesystem::path write_shard(const std::filesystem::path& directory, ShardInfo& info,
                                  std::span<const GameRecord> games, double holdout_share) {
  return write_shard(directory, info, games, [&](const GameRecord& record) {
    return is_holdout(info.seed, record.index, holdout_share);
  });
}

std::filesystem::path write_shard(const std::filesystem::path& directory, ShardInfo& info,
                                  std::span<const GameRecord> games,
                                  const std::function<bool(const GameRecord&)>& is_held_out) {
  const std::filesystem::path path = directory / shard_file_name(info);
  if (std::filesystem::exists(path)) throw Error(path.string() + ": there is one already");
  const Content content = content_of(games, is_held_out, info);
  if (info.rows == 0) throw Error(path.string() + ": the games have no rows");
  Draft draft(path);
  ColumnWriter file(draft.path());
  write_columns(file, content);
  write_shard_attributes(file, info);
  file.close();
  draft.publish();
  return path;
}

// --- reading ---

struct ShardReader::Impl {
  explicit Impl(const std::filesystem::path& where)
      : path(where), file(where), info(read_shard_attributes(file, where)) {
    const ColumnShape ownership = file.shape_of<std::int8_t>("ownership");
    if (ownership.row.size() != 1 || ownership.row[0] < 4 || ownership.row[0] > kMaxArea) {
      throw Error(path.string() + ": dataset 'ownership' has no board");
    }
    area = static_cast<int>(ownership.row[0]);
    RowColumns rows;
    rows.area = area;
    for_each_row_column(rows, [&](const char* name, const auto& column, const auto& shape) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      expect_shape(name, file.shape_of<T>(name), {info.rows, shape});
    });
    GameColumns games;
    for_each_game_column(games, [&](const char* name, const auto& column) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      expect_shape(name, file.shape_of<T>(name), {info.games, {}});
    });
    game_index = file.read_all<std::uint64_t>("games/index");
  }

  void expect_shape(const char* name, const ColumnShape& found, const ColumnShape& expected) const {
    if (found == expected) return;
    throw Error(path.string() + ": dataset '" + name + "' has " + std::to_string(found.rows) +
                " rows or another shape; expected " + std::to_string(expected.rows) + " rows");
  }

  RowColumns read_rows(std::int64_t first, std::int64_t count) const {
    RowColumns rows;
    rows.area = area;
    for_each_row_column(rows, [&](const char* name, auto& column, const auto&) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      column = file.read<T>(name, first, count);
    });
    return rows;
  }

  GameColumns read_game_columns() const {
    GameColumns games;
    for_each_game_column(games, [&](const char* name, auto& column) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      column = file.read_all<T>(name);
    });
    games.rules = file.read_texts("games/rules");
    if (games.rules.size() != games.games()) throw Error("not every game has rules");
    for_each_move_column(games.moves, [&](const char* name, auto& column) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      column = file.read_all<T>(name);
      if (column.size() != games.moves.moves()) {
        throw Error(std::string("dataset '") + name + "' has not an entry a move");
      }
    });
    return games;
  }

  Sample sample(const RowColumns& rows, std::size_t i) const {
    Sample sample = rows.sample(i);
    if (sample.game >= game_index.size()) throw Error("a row names a game that is not there");
    sample.game = game_index[sample.game];
    return sample;
  }

  // Runs `work`, with the file's name in its errors.
  template <class Work>
  auto named(Work work) const {
    try {
      return work();
    } catch (const Error& error) {
      const std::string what = error.what();
      throw Error(what.starts_with(path.string()) ? what : path.string() + ": " + what);
    }
  }

  std::filesystem::path path;
  ColumnReader file;
  ShardInfo info;
  int area = 0;
  std::vector<std::uint64_t> game_index;
};

ShardReader::ShardReader(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
ShardReader::~ShardReader() = default;
ShardReader::ShardReader(ShardReader&&) noexcept = default;
ShardReader& ShardReader::operator=(ShardReader&&) noexcept = default;

const std::filesystem::path& ShardReader::path() const {
  return impl_->path;
}
const ShardInfo& ShardReader::info() const {
  return impl_->info;
}

void ShardReader::read(std::int64_t first, std::int64_t count, std::vector<Sample>& out) const {
  impl_->named([&] {
    if (first < 0 || count < 0 || first > impl_->info.rows - count) {
      throw Error("has " + std::to_string(impl_->info.rows) + " rows, asked for " +
                  std::to_string(count) + " from " + std::to_string(first));
    }
    // The last row's reply stands in the row after it.
    const std::int64_t with_reply = std::min(count + 1, impl_->info.rows - first);
    const RowColumns rows = impl_->read_rows(first, with_reply);
    out.reserve(out.size() + static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      out.push_back(impl_->sample(rows, i));
    }
  });
}

std::vector<GameRecord> ShardReader::read_games() const {
  return impl_->named([&] {
    const RowColumns rows = impl_->read_rows(0, impl_->info.rows);
    const GameColumns games = impl_->read_game_columns();
    std::vector<GameRecord> records;
    for (std::size_t i = 0; i < games.games(); ++i) {
      records.push_back(games.record(i, impl_->info.nets, rows));
    }
    return records;
  });
}

namespace {

void verify_rows(const std::vector<Sample>& rows, const std::vector<GameRecord>& games,
                 FeatureSchema features) {
  std::size_t next = 0;
  for (const GameRecord& game : games) {
    verify(game);
    for (const Sample& expected : samples_from(game, features)) {
      if (next >= rows.size() || !same_row(expected, rows[next])) {
        throw Error("row " + std::to_string(next) + " is not what game " +
                    std::to_string(game.index) + " gives");
      }
      ++next;
    }
  }
  if (next != rows.size()) throw Error("there are rows of no game");
}

}  // namespace

void verify_shard(const std::filesystem::path& path) {
  const ShardReader reader(path);
  const ColumnReader file(path);
  const std::string expected = file.text_attribute("content_hash");
  const std::string found = hash_text(file.content_hash(column_names()));
  if (found != expected) {
    throw Error(path.string() + ": content_hash says " + expected + ", the content is " + found);
  }
  std::vector<Sample> rows;
  reader.read(0, reader.info().rows, rows);
  const std::vector<GameRecord> games = reader.read_games();
  try {
    verify_rows(rows, games, reader.info().features);
  } catch (const Error& error) {
    throw Error(path.string() + ": " + error.what());
  }
}

// --- files ---

void quarantine_shard(const std::filesystem::path& path, const std::filesystem::path& quarantine,
                      const std::string& reason) {
  std::error_code error;
  std::filesystem::create_directories(quarantine, error);
  std::filesystem::path target = quarantine / path.filename();
  for (int n = 1; std::filesystem::exists(target, error); ++n) {
    target = quarantine / (path.filename().string() + "." + std::to_string(n));
  }
  std::filesystem::rename(path, target, error);
  if (error) throw Error(path.string() + ": cannot set aside: " + error.message());
  write_durable(target.string() + ".txt", reason + "\n");
}

namespace {

// What lies in a directory; nothing if there is none.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  try {
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      paths.push_back(entry.path());
    }
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code() == std::errc::no_such_file_or_directory) return {};
    throw Error(directory.string() + ": cannot be listed: " + error.code().message());
  }
  return paths;
}

// Index and path, in order.
std::vector<std::pair<std::int64_t, std::filesystem::path>> indexed_shards(
    const std::filesystem::path& directory) {
  std::vector<std::pair<std::int64_t, std::filesystem::path>> found;
  for (const std::filesystem::path& path : paths_in(directory)) {
    const std::string name = path.filename().string();
    if (!name.starts_with("shard-") || !name.ends_with(".h5")) continue;
    const std::size_t digits = name.find_first_not_of("0123456789", 6) - 6;
    if (digits < 1 || digits > 18) continue;
    found.emplace_back(std::stoll(name.substr(6, digits)), path);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<std::filesystem::path> list_shards(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  for (auto& [index, path] : indexed_shards(directory)) paths.push_back(std::move(path));
  return paths;
}

std::int64_t next_shard_index(const std::filesystem::path& directory) {
  const auto found = indexed_shards(directory);
  return found.empty() ? 0 : found.back().first + 1;
}

}  // namespace tengen
