#include "selfplay/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rules/rng.h"

namespace tengen {
namespace {

// Of rows whose game says little: it was cut, or ended by a repetition.
constexpr float kPoorRowWeight = 0.1F;

// Entry i of a row in the frame of a symmetry; a policy's pass entry stays where it is.
template <class T>
std::vector<T> moved(const std::vector<T>& values, const short* map, int area) {
  std::vector<T> result = values;
  if (values.empty()) return result;
  for (int i = 0; i < area; ++i) {
    result[static_cast<std::size_t>(map[i])] = values[static_cast<std::size_t>(i)];
  }
  return result;
}

void set_result(Sample& sample, const GameRecord& record, Color to_move, BoardSize size) {
  const Score& score = record.score;
  const Outcome& outcome = record.outcome;
  const bool is_black = to_move == Color::kBlack;
  const double margin = is_black ? score.black_margin() : -score.black_margin();
  sample.score = is_unscored(record.end) ? 0.F : static_cast<float>(margin);
  sample.no_result = outcome.is_no_result ? 1.F : 0.F;
  sample.win =
      !outcome.winner ? 0.5F * (1.F - sample.no_result) : (*outcome.winner == to_move ? 1.F : 0.F);
  sample.loss = 1.F - sample.win - sample.no_result;
  const PointSet& own = is_black ? score.black_area : score.white_area;
  const PointSet& theirs = is_black ? score.white_area : score.black_area;
  sample.ownership.assign(static_cast<std::size_t>(size.area()), 0);
  own.for_each([&](int i) { sample.ownership[static_cast<std::size_t>(i)] = 1; });
  theirs.for_each([&](int i) { sample.ownership[static_cast<std::size_t>(i)] = -1; });
}

// An opinion or a result, for Black.
struct BlackValue {
  double win = 0, loss = 0, no_result = 0, score = 0;
};

BlackValue mix(double weight, const BlackValue& a, const BlackValue& b) {
  const auto of = [&](double x, double y) { return y + weight * (x - y); };
  return {of(a.win, b.win), of(a.loss, b.loss), of(a.no_result, b.no_result), of(a.score, b.score)};
}

BlackValue turned(const BlackValue& v) {
  return {v.loss, v.win, v.no_result, -v.score};
}

BlackValue opinion_of(const MoveRecord& move) {  // of the side that moved
  const double half = 0.5 * move.root_no_result;
  return {move.root_win - half, 1 - move.root_win - half, move.root_no_result, move.root_score};
}

BlackValue result_of(const GameRecord& record) {
  const Outcome& outcome = record.outcome;
  BlackValue value{.score = record.score.black_margin()};
  if (outcome.is_no_result) {
    value.no_result = 1;
  } else if (!outcome.winner) {
    value.win = value.loss = 0.5;
  } else {
    (*outcome.winner == Color::kBlack ? value.win : value.loss) = 1;
  }
  return value;
}

ShortTermTarget rounded(const BlackValue& v) {
  const auto near = [](double x, double unit) {
    return static_cast<float>(std::round(x * unit) / unit);
  };
  ShortTermTarget target{.no_result = near(v.no_result, 4096), .score = near(v.score, 32)};
  target.win = std::min(near(v.win, 4096), 1 - target.no_result);
  target.loss = 1 - target.no_result - target.win;
  return target;
}

struct ShortTerm {
  std::array<ShortTermTarget, kShortTermFactors.size()> targets;
  float weight = 0;
};

// The short-term values at every ply, from the end of the game backwards, for the side to move; a
// ply without search adds nothing. Whose score is none of the rules', begins with the last
// search's.
std::vector<ShortTerm> short_term_values(const GameRecord& record) {
  const std::size_t plies = record.moves.size();
  std::vector<ShortTerm> values(plies);
  std::array<BlackValue, kShortTermFactors.size()> trail;
  trail.fill(result_of(record));
  bool has_score = !is_unscored(record.end), has_opinion = false;
  const bool white_begins = record.rules.handicap > 0;
  for (std::size_t ply = plies; ply-- > 0;) {
    const MoveRecord& move = record.moves[ply];
    const bool is_black = (ply % 2 == 0) != white_begins;
    if (move.visits > 0) {
      const BlackValue mine = opinion_of(move), now = is_black ? mine : turned(mine);
      for (std::size_t k = 0; k < trail.size(); ++k) {
        if (!has_score) trail[k].score = now.score;
        trail[k] = mix(1 / (1 + kShortTermFactors[k] * record.rules.size.area()), now, trail[k]);
      }
      has_score = has_opinion = true;
    }
    for (std::size_t k = 0; k < trail.size(); ++k) {
      values[ply].targets[k] = rounded(is_black ? trail[k] : turned(trail[k]));
    }
    values[ply].weight = has_opinion ? 1.F : 0.F;
  }
  return values;
}

Sample sample_of(const GameRecord& record, std::size_t ply, const Position& position,
                 FeatureSchema features) {
  const MoveRecord& move = record.moves[ply];
  Sample sample;
  sample.features = features_of(position, features);
  sample.policy = move.policy;
  if (ply + 1 < record.moves.size()) sample.opponent_policy = record.moves[ply + 1].policy;
  sample.policy_weight = sample.policy.empty() ? 0.F : 1.F;
  sample.opponent_policy_weight = sample.opponent_policy.empty() ? 0.F : 1.F;
  set_result(sample, record, position.to_move(), position.size());
  const bool is_poor = record.end == GameEnd::kMoveCap || record.end == GameEnd::kRepetition ||
                       record.end == GameEnd::kThreeKos;
  sample.weight = move.weight * (is_poor ? kPoorRowWeight : 1.F);
  sample.score_weight = is_unscored(record.end) ? 0.F : 1.F;
  sample.game = record.index;
  sample.ply = static_cast<int>(ply);
  return sample;
}

}  // namespace

std::vector<Sample> samples_from(const GameRecord& record, FeatureSchema features) {
  std::vector<Sample> samples;
  const auto short_term = short_term_values(record);
  Position position(record.rules);
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    if (gives_row(record, ply)) {
      samples.push_back(sample_of(record, ply, position, features));
      samples.back().short_term = short_term[ply].targets;
      samples.back().short_term_weight = short_term[ply].weight;
    }
    position.play(record.moves[ply].move);
  }
  return samples;
}

bool same_row(const Sample& a, const Sample& b) {
  return a.features.size == b.features.size && a.features.planes == b.features.planes &&
         a.features.scalars == b.features.scalars && a.policy == b.policy &&
         a.opponent_policy == b.opponent_policy && a.policy_weight == b.policy_weight &&
         a.opponent_policy_weight == b.opponent_policy_weight && a.win == b.win &&
         a.loss == b.loss && a.no_result == b.no_result && a.score == b.score &&
         a.ownership == b.ownership && a.short_term == b.short_term && a.weight == b.weight &&
         a.score_weight == b.score_weight && a.short_term_weight == b.short_term_weight &&
         a.game == b.game && a.ply == b.ply;
}

Sample transformed(const Sample& sample, Symmetry symmetry) {
  const BoardSize size = sample.features.size;
  const short* map = symmetry.map(size);
  Sample result = sample;
  result.features = transformed(sample.features, symmetry);
  result.policy = moved(sample.policy, map, size.area());
  result.opponent_policy = moved(sample.opponent_policy, map, size.area());
  result.ownership = moved(sample.ownership, map, size.area());
  return result;
}

std::vector<std::uint16_t> quantised_policy(std::span<const float> policy) {
  const double sum = std::accumulate(policy.begin(), policy.end(), 0.0);
  check(sum > 0, "a policy has a positive sum");
  std::vector<std::uint16_t> units(policy.size());
  std::vector<std::pair<double, std::size_t>> remainders;
  int missing = kPolicyUnit;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (policy[i] <= 0) continue;
    const double exact = policy[i] / sum * kPolicyUnit;
    units[i] = static_cast<std::uint16_t>(exact);
    missing -= units[i];
    remainders.emplace_back(units[i] - exact, i);  // negative: the largest remainder sorts first
  }
  check(missing >= 0 && static_cast<std::size_t>(missing) <= remainders.size(),
        "less than one unit is missing per entry");
  std::ranges::sort(remainders);
  for (int k = 0; k < missing; ++k) ++units[remainders[static_cast<std::size_t>(k)].second];
  return units;
}

std::vector<float> policy_from_quantised(std::span<const std::uint16_t> units) {
  std::vector<float> policy(units.size());
  std::ranges::transform(units, policy.begin(), [](std::uint16_t u) {
    return static_cast<float>(u) / static_cast<float>(kPolicyUnit);
  });
  return policy;
}

bool is_holdout(std::uint64_t run_seed, std::uint64_t game_index, double share) {
  constexpr std::uint64_t kStream = 0x686F6C646F7574;  // "holdout"
  const std::uint64_t hash = mix64(run_seed, kStream, game_index & ~kForkBit);
  return static_cast<double>(hash >> 11) * 0x1.0p-53 < share;
}

}  // namespace tengen
