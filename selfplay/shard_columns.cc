#include "selfplay/shard_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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
  weight.push_back(s.weight);
  root_win.push_back(s.root_win);
  root_score.push_back(s.root_score);
  visits.push_back(s.visits);
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
    if (i + 1 >= rows() || game[i + 1] != game[i]) throw Error("a row lacks its reply");
    s.opponent_policy = policy_of_row(*this, i + 1, points + 1);
  }
  s.win = result[3 * i];
  s.loss = result[3 * i + 1];
  s.no_result = result[3 * i + 2];
  s.score = score[i];
  const auto owners = ownership.begin() + static_cast<std::ptrdiff_t>(i) * area;
  s.ownership.assign(owners, owners + points);
  s.weight = weight[i];
  s.root_win = root_win[i];
  s.root_score = root_score[i];
  s.visits = visits[i];
  s.game = static_cast<std::uint64_t>(game[i]);
  s.ply = ply[i];
  require_finite({s.policy_weight, s.opponent_policy_weight, s.weight}, "a weight");
  require_finite({s.win, s.loss, s.no_result, s.score, s.root_win, s.root_score}, "a value");
  return s;
}

void GameColumns::append(const GameRecord& r, std::int32_t net_index,
                         std::int64_t first_row_of_game) {
  index.push_back(r.index);
  seed.push_back(r.seed);
  net.push_back(net_index);
  end.push_back(static_cast<std::uint8_t>(r.end));
  opening_moves.push_back(r.opening_moves);
  black_margin_half_points.push_back(r.score.black_margin_half_points());
  evaluations.push_back(r.evaluations);
  first_row.push_back(first_row_of_game);
  first_move.push_back(static_cast<std::int64_t>(moves.size()));
  move_count.push_back(static_cast<std::int32_t>(r.moves.size()));
  rules.push_back(to_text(r.rules));
  for (const MoveRecord& move : r.moves) {
    moves.push_back(static_cast<std::uint16_t>(policy_index(move.move, r.rules.size)));
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
  if (net[i] < 0 || static_cast<std::size_t>(net[i]) >= nets.size()) refuse("unknown net");
  r.net = nets[static_cast<std::size_t>(net[i])];
  if (end[i] >= kGameEnds) refuse("unknown end");
  const std::int64_t count = move_count[i];
  const auto move_total = static_cast<std::int64_t>(moves.size());
  const std::int64_t row_total = static_cast<std::int64_t>(rows.rows());
  if (count < 1 || first_move[i] < 0 || first_move[i] > move_total - count || r.opening_moves < 0 ||
      r.opening_moves > count || first_row[i] < 0 ||
      first_row[i] > row_total - (count - r.opening_moves)) {
    refuse("its moves or rows are not in the shard");
  }
  const BoardSize size = r.rules.size;
  if (r.rules.handicap != 0) refuse("expected an even game, without handicap");
  Position position(r.rules);
  for (std::int64_t ply = 0; ply < count; ++ply) {
    const int move = moves[static_cast<std::size_t>(first_move[i] + ply)];
    if (move > size.area() || position.is_over() || !position.is_legal(move_at(move, size))) {
      refuse("illegal move at ply " + std::to_string(ply));
    }
    MoveRecord played;
    played.move = move_at(move, size);
    if (ply >= r.opening_moves) {
      const auto row = static_cast<std::size_t>(first_row[i] + ply - r.opening_moves);
      if (rows.width[row] != size.width || rows.height[row] != size.height ||
          rows.game[row] != static_cast<std::int32_t>(i)) {
        refuse("its rows belong to another game");
      }
      if (rows.policy_weight[row] > 0) played.policy = policy_of_row(rows, row, size.area() + 1);
      played.root_win = rows.root_win[row];
      played.root_score = rows.root_score[row];
      played.visits = rows.visits[row];
    }
    r.moves.push_back(std::move(played));
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
