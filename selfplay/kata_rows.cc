#include "selfplay/kata_rows.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "selfplay/kata_columns.h"

namespace tengen {
namespace {

void put_hash(std::uint64_t hash, float* columns) {
  for (const int bits : kHashBits) {
    *columns++ = static_cast<float>(hash & ((1ULL << bits) - 1));
    hash >>= bits;
  }
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

}  // namespace

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

}  // namespace tengen
