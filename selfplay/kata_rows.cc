#include "selfplay/kata_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "selfplay/npz_file.h"

namespace tengen {
namespace {

// Columns of globalTargetsNC by KataGo's numbers; those that are not here stay 0.
enum Column : std::size_t {
  kResult = 0,       // win, loss, no result, score
  kShortTerm = 4,    // three times the same
  kSearch = 16,      // the same, of the search
  kFinalScore = 20,  // 0 where it does not count
  kVarianceTime = 22,
  kNoShortTerm = 24,  // 1 - weight of the short-term values
  kRowWeight = 25,
  kPolicyWeight = 26,
  kScoreWeight = 27,  // of score and ownership
  kReplyWeight = 28,
  kSurprise = 30,
  kSearchEntropy = 32,
  kFutureWeight = 33,
  kScoringWeight = 34,
  kHistory = 36,   // 1: the move 1 ... 5 plies ago may be shown
  kGameHash = 41,  // two numbers of 64 bits, each as 22, 22 and 20 bits
  kSelfKomi = 47,
  kIsArea = 48,
  kNetChanged = 49,
  kPly = 51,
  kHitCap = 52,
  kFirstRow = 53,
  kExtraBlack = 54,
  kGameType = 55,  // 0 normal, 2 fork, 3 handicap
  kRawWinLoss = 57,
  kRawScore = 58,
  kVisits = 60,
  kFinished = 62,
  kDataVersion = 63,
};

constexpr float kScoringUnit = 120;    // of the scoring map, for a point
constexpr float kPolicyScale = 32767;  // of a policy of 1
constexpr int kValuePlanes = 5;        // ownership, seki, two futures, scoring
constexpr std::array<std::size_t, 2> kFuturePlies = {8, 32};
constexpr int kHashBits[] = {22, 22, 20};

void put_hash(std::uint64_t hash, float* columns) {
  for (const int bits : kHashBits) {
    *columns++ = static_cast<float>(hash & ((1ULL << bits) - 1));
    hash >>= bits;
  }
}

std::uint64_t hash_at(const float* columns) {
  std::uint64_t hash = 0;
  int shift = 0;
  for (const int bits : kHashBits) {
    const float chunk = *columns++;
    if (!(chunk >= 0 && chunk < static_cast<float>(1ULL << bits))) {
      throw Error("expected chunks of a game's hash in columns 41 to 46");
    }
    hash |= static_cast<std::uint64_t>(chunk) << shift;
    shift += bits;
  }
  return hash;
}

double entropy(const std::vector<float>& policy) {
  double sum = 0;
  for (const float p : policy) sum -= p > 0 ? p * std::log(p) : 0;
  return sum;
}

std::vector<std::int8_t> stones_of(const Board& board, Color own) {
  std::vector<std::int8_t> stones(static_cast<std::size_t>(board.size().area()), 0);
  board.stones(own).for_each([&](int i) { stones[static_cast<std::size_t>(i)] = 1; });
  board.stones(opponent(own)).for_each([&](int i) { stones[static_cast<std::size_t>(i)] = -1; });
  return stones;
}

// KataGo's variance time at every ply: the sum over later plies, k from here, of k times the
// squared change of win - loss; the game's result comes after the last. A ply without search
// changes nothing.
std::vector<float> variance_times(const GameRecord& record, const std::vector<Color>& movers) {
  const Outcome& outcome = record.outcome;
  double later = !outcome.winner ? 0 : (*outcome.winner == Color::kBlack ? 1 : -1);
  double squares = 0, sum = 0;
  std::vector<float> times(record.moves.size());
  for (std::size_t ply = times.size(); ply-- > 0;) {
    const MoveRecord& move = record.moves[ply];
    double now = later;
    if (move.visits > 0) {
      now = 2.0 * move.root_win - 1;
      if (movers[ply] == Color::kWhite) now = -now;
    }
    squares += (later - now) * (later - now);
    sum += squares;
    times[ply] = static_cast<float>(sum);
    later = now;
  }
  return times;
}

// Policy as counts, padded to a board of `length`. No policy: all 1, as KataGo writes it.
void append_policy(std::vector<std::int16_t>& out, const std::vector<float>& policy, BoardSize size,
                   int length) {
  const auto entries = static_cast<std::size_t>(length * length + 1);
  const std::size_t begin = out.size();
  out.resize(begin + entries, policy.empty() ? 1 : 0);
  if (policy.empty()) return;
  const auto count = [](float p) {
    return static_cast<std::int16_t>(std::lround(p * kPolicyScale));
  };
  for (int i = 0; i < size.area(); ++i) {
    const int place = i / size.width * length + i % size.width;
    out[begin + static_cast<std::size_t>(place)] = count(policy[static_cast<std::size_t>(i)]);
  }
  out.back() = count(policy.back());
}

void append_plane(std::vector<std::int8_t>& out, const std::vector<std::int8_t>& values,
                  BoardSize size, int length, int scale = 1) {
  const std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(length * length), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int point = static_cast<int>(i);
    const int place = point / size.width * length + point % size.width;
    out[begin + static_cast<std::size_t>(place)] = static_cast<std::int8_t>(values[i] * scale);
  }
}

// 100 split between the two bins beside the score; bin i stands for the score
// i - area - kKataExtraScores + 0.5.
void append_score(std::vector<std::int8_t>& out, float score, int area) {
  const int middle = area + kKataExtraScores;
  const std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(2 * middle), 0);
  const double bins = std::clamp(static_cast<double>(score) - 0.5 + middle, 0.0, 2.0 * middle - 1);
  const auto lower = static_cast<std::size_t>(bins);
  const auto upper_share = std::lround(100 * (bins - std::floor(bins)));
  out[begin + lower] = static_cast<std::int8_t>(100 - upper_share);
  if (upper_share > 0) out[begin + lower + 1] = static_cast<std::int8_t>(upper_share);
}

// Bit `place` of a plane, most significant first.
bool has_bit(const std::uint8_t* plane, int place) {
  return (plane[place / 8] >> (7 - place % 8)) & 1;
}

BoardSize board_of(const std::uint8_t* on_board, int length) {
  int width = 0, height = 0, count = 0;
  for (int i = 0; i < length; ++i) {
    width += has_bit(on_board, i);
    height += has_bit(on_board, i * length);
  }
  for (int i = 0; i < length * length; ++i) count += has_bit(on_board, i);
  const BoardSize size{static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
  bool is_board = size.is_playable() && count == size.area();
  for (int i = 0; is_board && i < size.area(); ++i) {
    is_board = has_bit(on_board, i / width * length + i % width);
  }
  if (!is_board) throw Error("expected a board in the upper left corner of plane 0");
  return size;
}

}  // namespace

// --- to rows ---

KataRow kata_row_of(const Sample& s) {
  KataRow row{.sample = s};
  auto& g = row.globals;
  const auto put = [&](std::size_t first, float win, float loss, float no_result, float score) {
    std::ranges::copy(std::array{win, loss, no_result, score}, g.begin() + first);
  };
  put(kResult, s.win, s.loss, s.no_result, s.score);
  for (std::size_t k = 0; k < s.short_term.size(); ++k) {
    const ShortTermTarget& t = s.short_term[k];
    put(kShortTerm + 4 * k, t.win, t.loss, t.no_result, t.score);
  }
  g[kFinalScore] = s.score_weight > 0 ? s.score : 0;
  g[kNoShortTerm] = 1 - s.short_term_weight;
  g[kRowWeight] = s.weight;
  g[kPolicyWeight] = s.policy_weight;
  g[kScoreWeight] = s.score_weight;
  g[kReplyWeight] = s.opponent_policy_weight;
  g[kSearchEntropy] = static_cast<float>(entropy(s.policy));
  std::fill_n(g.begin() + kHistory, kHistoryPlies, 1.F);
  put_hash(s.game, &g[kGameHash + 3]);
  g[kSelfKomi] = s.features.scalars[kScalarSelfKomi] * 20;
  const auto& scalars = s.features.scalars;
  g[kIsArea] = scalars[kScalarTerritory] == 0 || scalars[kScalarPhase + 1] != 0 ? 1.F : 0.F;
  g[kPly] = static_cast<float>(s.ply);
  g[kDataVersion] = 2;
  return row;
}

std::vector<KataRow> kata_rows_of(const GameRecord& record) {
  std::vector<Board> boards;
  std::vector<Color> movers;
  Position position(record.rules);
  boards.push_back(position.board());
  for (const MoveRecord& move : record.moves) {
    movers.push_back(position.to_move());
    position.play(move.move);
    boards.push_back(position.board());
  }
  const std::vector<float> times = variance_times(record, movers);
  std::vector<KataRow> rows;
  for (const Sample& sample : samples_from(record, FeatureSchema::kV7)) {
    KataRow& row = rows.emplace_back(kata_row_of(sample));
    const auto ply = static_cast<std::size_t>(sample.ply);
    const MoveRecord& move = record.moves[ply];
    auto& g = row.globals;
    const float half = 0.5F * move.root_no_result;
    std::ranges::copy(std::array{move.root_win - half, 1 - move.root_win - half,
                                 move.root_no_result, move.root_score},
                      g.begin() + kSearch);
    g[kVarianceTime] = times[ply];
    g[kSurprise] = move.policy_surprise;
    g[kFutureWeight] = 1;
    g[kScoringWeight] = record.rules.tax == Tax::kNone ? sample.score_weight : 0.F;
    put_hash(record.seed, &g[kGameHash]);
    g[kNetChanged] = record.nets.size() > 1 ? 1.F : 0.F;
    g[kHitCap] = record.end == GameEnd::kMoveCap ? 1.F : 0.F;
    g[kFirstRow] = static_cast<float>(record.opening_moves);
    g[kExtraBlack] = static_cast<float>(record.rules.handicap);
    g[kGameType] = is_fork(record.index) ? 2.F : record.rules.handicap > 0 ? 3.F : 0.F;
    g[kRawWinLoss] = 2 * move.raw_win - 1;
    g[kRawScore] = move.raw_score;
    g[kVisits] = static_cast<float>(move.visits);
    g[kFinished] = record.end == GameEnd::kMoveCap ? 0.F : 1.F;
    for (std::size_t k = 0; k < row.future.size(); ++k) {
      const std::size_t then = std::min(ply + kFuturePlies[k], boards.size() - 1);
      row.future[k] = stones_of(boards[then], movers[ply]);
    }
  }
  return rows;
}

void KataRows::append(const KataRow& row) {
  const Sample& s = row.sample;
  const BoardSize size = s.features.size;
  if (size.width > length || size.height > length) {
    throw Error("expected boards of at most " + std::to_string(length) + " x " +
                std::to_string(length) + " points, found " + to_text(size));
  }
  const auto bytes = static_cast<std::size_t>((area() + 7) / 8);
  for (const PointSet& plane : s.features.planes) {
    const std::size_t begin = planes.size();
    planes.resize(begin + bytes, 0);
    plane.for_each([&](int i) {
      const int place = i / size.width * length + i % size.width;
      planes[begin + static_cast<std::size_t>(place / 8)] |=
          static_cast<std::uint8_t>(128 >> place % 8);
    });
  }
  scalars.insert(scalars.end(), s.features.scalars.begin(), s.features.scalars.end());
  append_policy(policies, s.policy, size, length);
  append_policy(policies, s.opponent_policy, size, length);
  globals.insert(globals.end(), row.globals.begin(), row.globals.end());
  append_score(score_bins, row.globals[kFinalScore], area());
  const bool has_score = s.score_weight > 0;
  const auto& owners = has_score ? s.ownership : std::vector<std::int8_t>();
  append_plane(values, owners, size, length);
  append_plane(values, {}, size, length);  // seki
  for (const auto& board : row.future) append_plane(values, board, size, length);
  const bool has_scoring = row.globals[kScoringWeight] > 0;
  append_plane(values, has_scoring ? owners : std::vector<std::int8_t>(), size, length,
               static_cast<int>(kScoringUnit));
}

// --- from rows ---

namespace {

Features features_at(const KataRows& rows, std::size_t i) {
  const int area = rows.area(), bytes = (area + 7) / 8;
  const std::uint8_t* packed = rows.planes.data() + i * static_cast<std::size_t>(kPlanes * bytes);
  Features features;
  features.size = board_of(packed, rows.length);
  for (PointSet& plane : features.planes) {
    for (int place = 0; place < area; ++place) {
      if (!has_bit(packed, place)) continue;
      const int row = place / rows.length, column = place % rows.length;
      if (row >= features.size.height || column >= features.size.width) {
        throw Error("a plane has a point off the board");
      }
      plane.insert(row * features.size.width + column);
    }
    packed += bytes;
  }
  for (std::size_t k = 0; k < features.scalars.size(); ++k) {
    features.scalars[k] = rows.scalars[i * kScalars + k] + 0.F;  // never -0
    if (!std::isfinite(features.scalars[k])) throw Error("a scalar feature is not finite");
  }
  return features;
}

std::vector<float> policy_at(const KataRows& rows, std::size_t i, std::size_t turn,
                             BoardSize size) {
  const auto entries = static_cast<std::size_t>(rows.area() + 1);
  const std::int16_t* counts = rows.policies.data() + (2 * i + turn) * entries;
  std::vector<float> policy;
  double sum = 0;
  for (std::size_t place = 0; place < entries; ++place) {
    const auto row = static_cast<int>(place) / rows.length;
    const auto column = static_cast<int>(place) % rows.length;
    const bool is_pass = place + 1 == entries;
    const bool is_entry = is_pass || (row < size.height && column < size.width);
    if (counts[place] < 0 || (!is_entry && counts[place] != 0)) {
      throw Error("a policy has an entry below 0 or off the board");
    }
    sum += counts[place];
    if (is_entry) policy.push_back(counts[place]);
  }
  if (sum == 0) throw Error("a policy has no entry");
  for (float& p : policy) p = static_cast<float>(p / sum);
  return policy;
}

Sample sample_at(const KataRows& rows, std::size_t i) {
  const float* g = rows.globals.data() + i * kKataGlobals;
  if (!std::all_of(g, g + kKataGlobals, [](float v) { return std::isfinite(v); })) {
    throw Error("a target is not finite");
  }
  Sample s;
  s.features = features_at(rows, i);
  const BoardSize size = s.features.size;
  s.policy_weight = g[kPolicyWeight];
  s.opponent_policy_weight = g[kReplyWeight];
  if (s.policy_weight > 0) s.policy = policy_at(rows, i, 0, size);
  if (s.opponent_policy_weight > 0) s.opponent_policy = policy_at(rows, i, 1, size);
  s.win = g[kResult];
  s.loss = g[kResult + 1];
  s.no_result = g[kResult + 2];
  s.score = g[kFinalScore];
  for (std::size_t k = 0; k < s.short_term.size(); ++k) {
    const float* t = g + kShortTerm + 4 * k;
    s.short_term[k] = {t[0], t[1], t[2], t[3]};
  }
  const std::int8_t* owners =
      rows.values.data() + i * static_cast<std::size_t>(kValuePlanes * rows.area());
  for (int point = 0; point < size.area(); ++point) {
    s.ownership.push_back(owners[point / size.width * rows.length + point % size.width]);
    if (std::abs(s.ownership.back()) > 1) throw Error("expected an ownership of -1, 0 or 1");
  }
  s.weight = g[kRowWeight];
  s.score_weight = g[kScoreWeight];
  s.short_term_weight = 1 - g[kNoShortTerm];
  if (!(g[kPly] >= 0 && g[kPly] < 1e6F)) throw Error("expected a ply in column 51");
  s.game = hash_at(g + kGameHash + 3);
  s.ply = static_cast<int>(g[kPly]);
  return s;
}

}  // namespace

Sample KataRows::sample(std::size_t i) const {
  check(i < rows(), "the row is there");
  try {
    return sample_at(*this, i);
  } catch (const Error& error) {
    throw Error("row " + std::to_string(i) + ": " + error.what());
  }
}

// --- files ---

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
