#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nn/features.h"
#include "selfplay/record.h"

namespace tengen {

// What the searches of this ply and the later ones said on average, with weights that fall by a
// factor with each ply, and the result of the game after the last: less of chance than the result,
// less of the net's bias than one search. KataGo's short-term values (trainingwrite.cpp,
// fillValueTDTargets). Rounded to 1/4096, the score to 1/32, which a shard stores in few bytes.
struct ShortTermTarget {
  float win = 0, loss = 0, no_result = 0;  // sum to 1
  float score = 0;                         // points
  friend bool operator==(const ShortTermTarget&, const ShortTermTarget&) = default;
};
// The weight of the first ply is 1 / (1 + factor * area): on 9x9 they look some 15, 5.5 and 2.3
// plies ahead.
inline constexpr std::array<double, 3> kShortTermFactors = {0.176, 0.056, 0.016};

// One training row. All for the side to move. Mirrors KataGo's training rows (columns in
// selfplay/README.md).
struct Sample {
  Features features;
  std::vector<float> policy;           // [area + 1] sums to 1; empty if policy_weight is 0
  std::vector<float> opponent_policy;  // [area + 1] the next ply's policy (the opponent's reply);
                                       // empty at the last ply
  float policy_weight = 1.F;
  float opponent_policy_weight = 1.F;
  float win = 0, loss = 0, no_result = 0;  // final result; a draw is half a win and half a loss
  float score = 0;                         // final margin in points, komi included
  std::vector<std::int8_t> ownership;      // [area] +1 own, -1 opponent's, 0 nobody's
  std::array<ShortTermTarget, kShortTermFactors.size()> short_term;
  float weight = 1.F;             // of the whole row; 0.1 where the game says little (sample.cc)
  float score_weight = 1.F;       // of score and ownership; 0 where something else ended the game
  float short_term_weight = 1.F;  // 0 where no search said anything: bootstrap games
  std::uint64_t game = 0;         // index of the game
  int ply = 0;
};

// The rows of a game, in order of play; opening moves give none.
std::vector<Sample> samples_from(const GameRecord& record,
                                 FeatureSchema features = FeatureSchema::kV7);

// Equal in all of their fields.
bool same_row(const Sample& a, const Sample& b);

// The same row seen through `symmetry`.
Sample transformed(const Sample& sample, Symmetry symmetry);

// A policy in 16 bits: entries proportional to it that sum to exactly kPolicyUnit. Rounded down,
// the missing units go to the largest remainders (the lower index first), so a zero stays a zero
// and no entry is off by a whole unit. Requires finite, non-negative entries with a positive sum.
inline constexpr int kPolicyUnit = 65535;
std::vector<std::uint16_t> quantised_policy(std::span<const float> policy);
std::vector<float> policy_from_quantised(std::span<const std::uint16_t> units);

// Held-out games are never trained on: a share of the games chosen by a hash of (seed, index); a
// fork, which has its parent's positions, with its parent.
bool is_holdout(std::uint64_t run_seed, std::uint64_t game_index, double share);

}  // namespace tengen
