#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "selfplay/kata_columns.h"
#include "selfplay/kata_rows.h"
#include "selfplay/npz_file.h"

namespace tengen {
namespace {

template <class T>
constexpr const char* kNumpyType = nullptr;
template <>
constexpr const char* kNumpyType<std::uint8_t> = "|u1";
template <>
constexpr const char* kNumpyType<std::int8_t> = "|i1";
template <>
constexpr const char* kNumpyType<std::int16_t> = "<i2";
template <>
constexpr const char* kNumpyType<float> = "<f4";

// Calls visit(name, column, shape of one row) for each array, in KataGo's order.
template <class Rows, class Visit>
void for_each_array(Rows& r, Visit visit) {
  using Shape = std::vector<std::int64_t>;
  const std::int64_t length = r.length, area = length * length;
  visit("binaryInputNCHWPacked", r.planes, Shape{kPlanes, (area + 7) / 8});
  visit("globalInputNC", r.scalars, Shape{kScalars});
  visit("policyTargetsNCMove", r.policies, Shape{2, area + 1});
  visit("globalTargetsNC", r.globals, Shape{kKataGlobals});
  visit("scoreDistrN", r.score_bins, Shape{2 * (area + kKataExtraScores)});
  visit("valueTargetsNCHW", r.values, Shape{kValuePlanes, length, length});
}

// Rows of `columns` numbers, of which the first `kept` are kept.
template <class T>
std::vector<T> numbers_of(const NpzEntry& entry, std::int64_t columns, std::int64_t kept) {
  std::vector<T> all(entry.bytes.size() / sizeof(T)), result;
  if (!all.empty()) std::memcpy(all.data(), entry.bytes.data(), entry.bytes.size());
  if (columns == kept) return all;
  for (auto row = all.begin(); row != all.end(); row += columns) {
    result.insert(result.end(), row, row + kept);
  }
  return result;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

}  // namespace

void write_kata_rows(const std::filesystem::path& path, const KataRows& rows) {
  std::vector<NpzEntry> entries;
  for_each_array(rows, [&](const char* name, const auto& column, std::vector<std::int64_t> shape) {
    using T = typename std::decay_t<decltype(column)>::value_type;
    shape.insert(shape.begin(), static_cast<std::int64_t>(rows.rows()));
    entries.push_back(
        {name, kNumpyType<T>, std::move(shape),
         std::string(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(T))});
  });
  write_npz_file(path, entries);
}

KataRows read_kata_rows(const std::filesystem::path& path) {
  const auto entries = read_npz_file(path);
  const auto find = [&](std::string_view name) -> const NpzEntry& {
    const auto found = std::ranges::find(entries, name, &NpzEntry::name);
    if (found == entries.end()) {
      throw Error(path.string() + ": expected an array " + std::string(name));
    }
    return *found;
  };
  KataRows rows;
  const NpzEntry& values = find("valueTargetsNCHW");
  if (values.shape.size() != 4 || values.shape[3] < 2 || values.shape[3] > kMaxBoardSize) {
    throw Error(path.string() + ", valueTargetsNCHW: expected rows of boards, found " +
                shape_text(values.shape));
  }
  rows.length = static_cast<int>(values.shape[3]);
  for_each_array(rows, [&](const char* name, auto& column, std::vector<std::int64_t> shape) {
    using T = typename std::decay_t<decltype(column)>::value_type;
    const NpzEntry& entry = find(name);
    shape.insert(shape.begin(), values.shape[0]);
    const bool is_globals = std::string_view(name) == "globalTargetsNC";
    const bool is_longer = is_globals && entry.shape.size() == 2 && entry.shape[0] == shape[0] &&
                           entry.shape[1] >= shape[1];
    if (entry.type != kNumpyType<T> || (entry.shape != shape && !is_longer)) {
      throw Error(path.string() + ", " + name + ": expected " + kNumpyType<T> + " of " +
                  shape_text(shape) + ", found " + entry.type + " of " + shape_text(entry.shape));
    }
    column = numbers_of<T>(entry, entry.shape.back(), shape.back());
  });
  return rows;
}

}  // namespace tengen
