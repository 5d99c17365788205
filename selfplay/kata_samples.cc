#include <algorithm>
#include <cmath>
#include <string>

#include "selfplay/kata_columns.h"
#include "selfplay/kata_rows.h"

namespace tengen {
namespace {

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

void require_range(const Sample& s) {
  for (const float weight :
       {s.weight, s.policy_weight, s.opponent_policy_weight, s.score_weight, s.short_term_weight}) {
    if (weight < 0) throw Error("expected a weight of 0 or more");
  }
  const auto require_result = [](float win, float loss, float no_result) {
    if (std::min({win, loss, no_result}) < 0 || std::abs(win + loss + no_result - 1) > 1e-3F) {
      throw Error("expected shares of win, loss and no result that are 1 together");
    }
  };
  require_result(s.win, s.loss, s.no_result);
  if (s.short_term_weight == 0) return;
  for (const auto& t : s.short_term) require_result(t.win, t.loss, t.no_result);
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
  require_range(s);
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

}  // namespace tengen
