#include "selfplay/kata_convert.h"

#include <algorithm>
#include <map>
#include <vector>

#include "rules/durable_file.h"
#include "selfplay/column_file.h"
#include "selfplay/kata_rows.h"
#include "selfplay/shard.h"
#include "selfplay/shard_columns.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

// Throws what `work` throws, with the file's name before it.
template <class Work>
void named(const fs::path& path, Work work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(path.string() + ": " + error.what());
  }
}

// Files of two places may have one name.
void require_new(const fs::path& source, const fs::path& target) {
  if (fs::exists(target)) {
    throw Error(source.string() + ": expected no " + target.string() + " yet: take another folder");
  }
}

std::int64_t write_rows(const KataRows& rows, const fs::path& npz) {
  if (rows.rows() == 0) return 0;
  make_directories(npz.parent_path());
  write_kata_rows(npz, rows);
  return static_cast<std::int64_t>(rows.rows());
}

// Row columns of samples that need not follow one another, the reply of each beside it.
struct LooseRows {
  RowColumns columns;
  std::vector<std::uint16_t> replies;      // [rows, area + 1]
  std::vector<std::uint64_t> game_hashes;  // [games]

  void append(const Sample& sample) {
    const auto [known, is_new] =
        numbers_.try_emplace(sample.game, static_cast<std::int32_t>(game_hashes.size()));
    if (is_new) game_hashes.push_back(sample.game);
    columns.append(sample, known->second);
    const auto begin = static_cast<std::ptrdiff_t>(replies.size());
    replies.resize(replies.size() + static_cast<std::size_t>(columns.area + 1), 0);
    if (sample.opponent_policy.empty()) return;
    std::ranges::copy(quantised_policy(sample.opponent_policy), replies.begin() + begin);
  }

 private:
  std::map<std::uint64_t, std::int32_t> numbers_;
};

void write_columns(ColumnWriter& file, const LooseRows& rows) {
  const auto count = static_cast<std::int64_t>(rows.columns.rows());
  for_each_row_column(rows.columns, [&](const char* name, const auto& column, const auto& shape) {
    using T = typename std::decay_t<decltype(column)>::value_type;
    file.write(name, std::span<const T>(column), ColumnShape{count, shape});
  });
  file.write("opponent_policy", std::span<const std::uint16_t>(rows.replies),
             ColumnShape{count, {rows.columns.area + 1}});
  file.write("games/index", rows.game_hashes);
}

void write_attributes(ColumnWriter& file, std::int64_t rows, const std::string& source) {
  file.set_attribute("format", "tengen-rows");
  file.set_attribute("version", std::int64_t{kShardVersion});
  file.set_attribute("features_version", std::int64_t{version_of(FeatureSchema::kV7)});
  file.set_attribute("rows", rows);
  file.set_attribute("source", source);
  file.set_attribute("complete", std::int64_t{1});
}

}  // namespace

ConvertedRows shard_to_kata(const fs::path& shard, const fs::path& folder, int length) {
  const auto name = shard.stem().string() + ".npz";
  const auto training_file = folder / "train" / name, held_out_file = folder / "val" / name;
  for (const auto& file : {training_file, held_out_file}) require_new(shard, file);
  const ShardReader reader(shard);
  const auto training = reader.info().rows - reader.info().holdout_rows;
  KataRows train{.length = length}, val{.length = length};
  std::int64_t next = 0;
  named(shard, [&] {
    for (const GameRecord& record : reader.read_games()) {
      for (const KataRow& row : kata_rows_of(record)) (next++ < training ? train : val).append(row);
    }
  });
  return {write_rows(train, training_file), write_rows(val, held_out_file)};
}

std::int64_t kata_to_rows(const fs::path& npz, const fs::path& folder) {
  const auto target = folder / ("rows-" + npz.stem().string() + ".h5");
  require_new(npz, target);
  const KataRows kata = read_kata_rows(npz);
  if (kata.rows() == 0) throw Error(npz.string() + ": has no rows");
  LooseRows rows;
  named(npz, [&] {
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < kata.rows(); ++i) {
      samples.push_back(kata.sample(i));
      rows.columns.area = std::max(rows.columns.area, samples.back().features.size.area());
    }
    for (const Sample& sample : samples) rows.append(sample);
  });
  make_directories(folder);
  Draft draft(target);
  ColumnWriter file(draft.path());
  const auto count = static_cast<std::int64_t>(kata.rows());
  write_columns(file, rows);
  write_attributes(file, count, npz.filename().string());
  file.close();
  draft.publish();
  return count;
}

}  // namespace tengen
