#include "selfplay/shard_repair.h"

#include <algorithm>
#include <utility>

#include "selfplay/column_file.h"
#include "selfplay/shard_attributes.h"
#include "selfplay/shard_columns.h"

namespace tengen {
namespace {

// The row columns that games are made of.
constexpr std::string_view kNeeded[] = {"width", "height", "policy", "policy_weight", "game"};

// Which rows of some columns lie in damaged blocks.
class Damage {
 public:
  explicit Damage(std::int64_t rows) : damaged_(static_cast<std::size_t>(rows), false) {}
  void add(std::int64_t first, std::int64_t count) {
    std::fill_n(damaged_.begin() + first, count, true);
  }
  bool touches(std::int64_t first, std::int64_t count) const {
    if (first < 0 || count < 0 || std::cmp_greater(first, std::ssize(damaged_) - count))
      return true;
    return std::find(damaged_.begin() + first, damaged_.begin() + first + count, true) !=
           damaged_.begin() + first + count;
  }

 private:
  std::vector<bool> damaged_;
};

// A whole column, zeros where a block cannot be read.
template <class T>
std::vector<T> read_blocks(const ColumnReader& file, const std::string& name, std::int64_t rows,
                           Damage& damage) {
  const ColumnShape shape = file.shape_of<T>(name);
  if (shape.rows != rows) throw Error("dataset '" + name + "' has another number of rows");
  if (!file.has_all_chunks(name)) damage.add(0, rows);
  std::vector<T> all;
  std::int64_t width = 1;
  for (const std::int64_t n : shape.row) width *= n;
  for (std::int64_t first = 0; first < rows; first += kShardBlockRows) {
    const std::int64_t count = std::min<std::int64_t>(kShardBlockRows, rows - first);
    try {
      const std::vector<T> block = file.read<T>(name, first, count);
      all.insert(all.end(), block.begin(), block.end());
    } catch (const Error&) {
      damage.add(first, count);
      all.resize(all.size() + static_cast<std::size_t>(count * width));
    }
  }
  return all;
}

template <class T>
void read_into(const ColumnReader& file, const char* name, std::int64_t rows,
               std::vector<T>& column, Damage& damage) {
  column = read_blocks<T>(file, name, rows, damage);
}

// Holds the rows that the game gives against those that are there: a damaged index may give zeros,
// or another column's numbers, without a word.
void require_rows(const GameRecord& record, std::int64_t first, const RowColumns& rows,
                  const Damage& damage, FeatureSchema features) {
  std::int64_t row = first;
  for (const Sample& expected : samples_from(record, features)) {
    if (!damage.touches(row, 1)) {
      Sample found = rows.sample(static_cast<std::size_t>(row));
      found.game = record.index;
      if (!same_row(expected, found)) throw Error("its rows are not what it gives");
    }
    ++row;
  }
}

}  // namespace

SavedGames save_games(const std::filesystem::path& path) {
  const ColumnReader file(path, SealCheck::kNone);
  SavedGames saved;
  saved.info = read_shard_attributes(file, path);
  const std::int64_t row_count_of_shard = saved.info.rows;

  RowColumns rows;
  // Of the columns that games are made of, and of those that follow from games.
  Damage row_damage(row_count_of_shard), rest_damage(row_count_of_shard);
  Damage game_damage(saved.info.games);
  rows.area = static_cast<int>(file.shape_of<std::uint16_t>("policy").row.at(0)) - 1;
  for_each_row_column(rows, [&](const char* name, auto& column, const auto&) {
    const bool is_needed = std::ranges::count(kNeeded, std::string_view(name)) > 0;
    read_into(file, name, row_count_of_shard, column, is_needed ? row_damage : rest_damage);
  });

  GameColumns games;
  for_each_game_column(games, [&](const char* name, auto& column) {
    read_into(file, name, saved.info.games, column, game_damage);
  });
  games.rules = file.read_texts("games/rules");
  if (std::cmp_not_equal(games.rules.size(), saved.info.games)) {
    throw Error(path.string() + ": not every game has rules");
  }
  const std::int64_t plies = file.shape_of<std::uint16_t>("games/moves").rows;
  Damage move_damage(plies);
  for_each_move_column(games.moves, [&](const char* name, auto& column) {
    read_into(file, name, plies, column, move_damage);
  });

  for (std::size_t i = 0; i < games.games(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    try {
      if (game_damage.touches(row, 1)) throw Error("its own entries are damaged");
      if (move_damage.touches(games.first_move[i], games.move_count[i])) {
        throw Error("its moves or searches are damaged");
      }
      GameRecord record = games.record(i, saved.info.nets, rows);
      if (row_damage.touches(games.first_row[i], row_count(record))) {
        throw Error("its policies are damaged");
      }
      verify(record);
      require_rows(record, games.first_row[i], rows, rest_damage, saved.info.features);
      saved.games.push_back(std::move(record));
      saved.held_out.push_back(games.first_row[i] >= row_count_of_shard - saved.info.holdout_rows);
    } catch (const Error& error) {
      saved.lost.push_back("game number " + std::to_string(i) + ": " + error.what());
    }
  }
  return saved;
}

}  // namespace tengen
