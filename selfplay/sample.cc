#include "selfplay/sample.h"

#include <algorithm>
#include <numeric>

#include "rules/rng.h"

namespace tengen {
namespace {

// Of rows whose score says little: the game was cut, or ended by a repetition.
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
  const bool is_poor = record.end == GameEnd::kMoveCap || is_unscored(record.end);
  sample.weight = is_poor ? kPoorRowWeight : 1.F;
  sample.root_win = move.root_win;
  sample.root_score = move.root_score;
  sample.visits = move.visits;
  sample.game = record.index;
  sample.ply = static_cast<int>(ply);
  return sample;
}

}  // namespace

std::vector<Sample> samples_from(const GameRecord& record, FeatureSchema features) {
  std::vector<Sample> samples;
  Position position(record.rules);
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    if (ply >= static_cast<std::size_t>(record.opening_moves)) {
      samples.push_back(sample_of(record, ply, position, features));
    }
    position.play(record.moves[ply].move);
  }
  return samples;
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
  const std::uint64_t hash = mix64(run_seed, kStream, game_index);
  return static_cast<double>(hash >> 11) * 0x1.0p-53 < share;
}

}  // namespace tengen
