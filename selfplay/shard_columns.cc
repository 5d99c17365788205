#include "selfplay/shard_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "rules/rules_text.h"

namespace tengen {
namespace {

constexpr std::array<std::uint8_t, 256> kReversed = [] {
  std::array<std::uint8_t, 256> table{};
  for (int i = 0; i < 256; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      if ((i >> bit) & 1)
        table[static_cast<std::size_t>(i)] |= static_cast<std::uint8_t>(128 >> bit);
    }
  }
  return table;
}();

// Bit i of a set is bit 7 - i % 8 of byte i / 8: most significant first, as NumPy's unpackbits.
void append_packed(std::vector<std::uint8_t>& out, const PointSet& set, int bytes) {
  for (int k = 0; k < bytes; ++k) {
    const std::uint64_t word = set.words()[static_cast<std::size_t>(k / 8)];
    out.push_back(kReversed[(word >> (k % 8 * 8)) & 255]);
  }
}

PointSet unpacked(const std::uint8_t* packed, int bytes, int area) {
  PointSet set;
  for (int k = 0; k < bytes; ++k) {
    set.words()[static_cast<std::size_t>(k / 8)] |= std::uint64_t{kReversed[packed[k]]}
                                                    << (k % 8 * 8);
  }
  for (int i = area; i < bytes * 8; ++i) {
    if (set.contains(i)) throw Error("a plane has a point off the board");
  }
  return set;
}

template <class T>
void append_padded(std::vector<T>& out, const std::vector<T>& values, int length) {
  out.insert(out.end(), values.begin(), values.end());
  out.resize(out.size() + static_cast<std::size_t>(length) - values.size(), T{});
}

void require_finite(std::initializer_list<float> values, const char* what) {
  for (const float v : values) {
    if (!std::isfinite(v)) throw Error(std::string(what) + " is not finite");
  }
}

// Where a text stands, or is put, at the end.
std::int32_t place_among(std::vector<std::string>& texts, const std::string& text) {
  const auto found = std::ranges::find(texts, text);
  const auto place = static_cast<std::int32_t>(found - texts.begin());
  if (found == texts.end()) texts.push_back(text);
  return place;
}

std::vector<float> policy_of_row(const RowColumns& c, std::size_t row, int entries) {
  const std::span units(c.policy.data() + row * static_cast<std::size_t>(c.area + 1),
                        static_cast<std::size_t>(c.area + 1));
  if (std::accumulate(units.begin(), units.begin() + entries, 0) != kPolicyUnit) {
    throw Error("a policy does not sum to " + std::to_string(kPolicyUnit));
  }
  return policy_from_quantised(units.first(static_cast<std::size_t>(entries)));
}

Features features_of_row(const RowColumns& c, std::size_t i) {
  Features features;
  features.size = {static_cast<std::int8_t>(c.width[i]), static_cast<std::int8_t>(c.height[i])};
  if (c.width[i] > kMaxBoardSize || c.height[i] > kMaxBoardSize || !features.size.is_playable() ||
      features.size.area() > c.area) {
    throw Error("the board of a row does not fit the shard");
  }
  const int bytes = c.plane_bytes();
  const std::uint8_t* packed = c.planes.data() + i * static_cast<std::size_t>(kPlanes * bytes);
  for (PointSet& plane : features.planes) {
    plane = unpacked(packed, bytes, features.size.area());
    packed += bytes;
  }
  std::copy_n(c.scalars.begin() + static_cast<std::ptrdiff_t>(i * kScalars), kScalars,
              features.scalars.begin());
  for (const float s : features.scalars) require_finite({s}, "a scalar feature");
  return features;
}

}  // namespace

void RowColumns::append(const Sample& s, std::int32_t game_row) {
  const int points = s.features.size.area();
  for (const PointSet& plane : s.features.planes) append_packed(planes, plane, plane_bytes());
  scalars.insert(scalars.end(), s.features.scalars.begin(), s.features.scalars.end());
  width.push_back(static_cast<std::uint8_t>(s.features.size.width));
  height.push_back(static_cast<std::uint8_t>(s.features.size.height));
  const std::vector<std::uint16_t> none(static_cast<std::size_t>(points) + 1);
  append_padded(policy, s.policy.empty() ? none : quantised_policy(s.policy), area + 1);
  policy_weight.push_back(s.policy_weight);
  opponent_policy_weight.push_back(s.opponent_policy_weight);
  result.insert(result.end(), {s.win, s.loss, s.no_result});
  score.push_back(s.score);
  append_padded(ownership, s.ownership, area);
  for (const auto& [win, loss, no_result, points_ahead] : s.short_term) {
    short_term.insert(short_term.end(), {win, loss, no_result, points_ahead});
  }
  weight.push_back(s.weight);
  score_weight.push_back(s.score_weight);
  short_term_weight.push_back(s.short_term_weight);
  game.push_back(game_row);
  ply.push_back(s.ply);
}

Sample RowColumns::sample(std::size_t i) const {
  Sample s;
  s.features = features_of_row(*this, i);
  const int points = s.features.size.area();
  s.policy_weight = policy_weight[i];
  s.opponent_policy_weight = opponent_policy_weight[i];
  if (s.policy_weight > 0) s.policy = policy_of_row(*this, i, points + 1);
  if (s.opponent_policy_weight > 0) {
    if (i + 1 >= rows() || game[i + 1] != game[i] || ply[i + 1] != ply[i] + 1) {
      throw Error("a row lacks its reply");
    }
    s.opponent_policy = policy_of_row(*this, i + 1, points + 1);
  }
  s.win = result[3 * i];
  s.loss = result[3 * i + 1];
  s.no_result = result[3 * i + 2];
  s.score = score[i];
  const auto owners = ownership.begin() + static_cast<std::ptrdiff_t>(i) * area;
  s.ownership.assign(owners, owners + points);
  const float* target = short_term.data() + 4 * s.short_term.size() * i;
  for (ShortTermTarget& t : s.short_term) {
    t = {target[0], target[1], target[2], target[3]};
    require_finite({t.win, t.loss, t.no_result, t.score}, "a value");
    target += 4;
  }
  s.weight = weight[i];
  s.score_weight = score_weight[i];
  s.short_term_weight = short_term_weight[i];
  s.game = static_cast<std::uint64_t>(game[i]);
  s.ply = ply[i];
  require_finite(
      {s.policy_weight, s.opponent_policy_weight, s.weight, s.score_weight, s.short_term_weight},
      "a weight");
  require_finite({s.win, s.loss, s.no_result, s.score}, "a value");
  return s;
}

void MoveColumns::append(const MoveRecord& played, BoardSize size, std::int32_t net_index) {
  move.push_back(static_cast<std::uint16_t>(policy_index(played.move, size)));
  net.push_back(net_index);
  visits.push_back(played.visits);
  weight.push_back(played.weight);
  win.push_back(played.root_win);
  score.push_back(played.root_score);
  no_result.push_back(played.root_no_result);
  raw_win.push_back(played.raw_win);
  raw_score.push_back(played.raw_score);
  surprise.push_back(played.policy_surprise);
}

MoveRecord MoveColumns::record(std::size_t i, BoardSize size) const {
  MoveRecord played;
  played.move = move_at(move[i], size);
  played.visits = visits[i];
  played.weight = weight[i];
  played.root_win = win[i];
  played.root_score = score[i];
  played.root_no_result = no_result[i];
  played.raw_win = raw_win[i];
  played.raw_score = raw_score[i];
  played.policy_surprise = surprise[i];
  return played;
}

void GameColumns::append(const GameRecord& r, std::vector<std::string>& nets,
                         std::int64_t first_row_of_game) {
  index.push_back(r.index);
  seed.push_back(r.seed);
  end.push_back(static_cast<std::uint8_t>(r.end));
  opening_moves.push_back(r.opening_moves);
  black_margin_half_points.push_back(r.score.black_margin_half_points());
  evaluations.push_back(r.evaluations);
  first_row.push_back(first_row_of_game);
  first_move.push_back(static_cast<std::int64_t>(moves.moves()));
  move_count.push_back(static_cast<std::int32_t>(r.moves.size()));
  rules.push_back(to_text(r.rules));
  std::vector<std::int32_t> entries;
  for (const std::string& net : r.nets) entries.push_back(place_among(nets, net));
  for (const MoveRecord& move : r.moves) {
    moves.append(move, r.rules.size, entries[static_cast<std::size_t>(move.net)]);
  }
}

GameRecord GameColumns::record(std::size_t i, std::span<const std::string> nets,
                               const RowColumns& rows) const {
  const auto refuse = [&](const std::string& what) {
    throw Error("game " + std::to_string(index[i]) + ": " + what);
  };
  GameRecord r;
  r.index = index[i];
  r.seed = seed[i];
  r.rules = parse_rules(rules[i]);
  r.opening_moves = opening_moves[i];
  r.evaluations = evaluations[i];
  if (end[i] >= kGameEnds) refuse("unknown end");
  const std::int64_t count = move_count[i];
  if (count < 1 || first_move[i] < 0 || first_move[i] > std::ssize(moves.move) - count ||
      r.opening_moves < 0 || r.opening_moves > count || first_row[i] < 0) {
    refuse("its moves or rows are not in the shard");
  }
  const BoardSize size = r.rules.size;
  if (needs_set_up(r.rules)) refuse("expected no free handicap");
  Position position(r.rules);
  auto row = static_cast<std::size_t>(first_row[i]);
  for (std::int64_t ply = 0; ply < count; ++ply) {
    const auto at = static_cast<std::size_t>(first_move[i] + ply);
    const int move = moves.move[at];
    if (move > size.area() || position.is_over() || !position.is_legal(move_at(move, size))) {
      refuse("illegal move at ply " + std::to_string(ply));
    }
    r.moves.push_back(moves.record(at, size));
    if (moves.net[at] < 0 || std::cmp_greater_equal(moves.net[at], nets.size())) {
      refuse("unknown net");
    }
    r.moves.back().net = place_among(r.nets, nets[static_cast<std::size_t>(moves.net[at])]);
    if (gives_row(r, static_cast<std::size_t>(ply))) {
      if (row >= rows.rows()) refuse("its moves or rows are not in the shard");
      if (rows.width[row] != size.width || rows.height[row] != size.height ||
          rows.game[row] != static_cast<std::int32_t>(i)) {
        refuse("its rows belong to another game");
      }
      if (rows.policy_weight[row] > 0) {
        r.moves.back().policy = policy_of_row(rows, row, size.area() + 1);
      }
      ++row;
    }
    position.play(move_at(move, size));
  }
  const std::string complaint = end_complaint(position, static_cast<GameEnd>(end[i]));
  if (!complaint.empty()) refuse(complaint);
  finish(r, position, static_cast<GameEnd>(end[i]));
  if (r.score.black_margin_half_points() != black_margin_half_points[i]) {
    refuse("expected the margin of " + to_text(r.score) + ", found " +
           std::to_string(black_margin_half_points[i]) + " half points for Black");
  }
  return r;
}

}  // namespace tengen
