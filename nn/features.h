#pragma once

#include <array>
#include <cstdint>

#include "rules/point_set.h"
#include "rules/position.h"
#include "rules/symmetry.h"

namespace tengen {

// KataGo's input features V7: 22 binary planes and 19 scalars (nn/README.md has them one by one).
// "Own" is the side to move. The ladder planes 14-17 are zero in this version.
inline constexpr int kPlanes = 22;
inline constexpr int kScalars = 19;
// Names what the planes mean; written into shards and nets, and mixing two of them is an error.
inline constexpr int kFeaturesVersion = 1;  // V7 without ladders

// The planes that a position of area-scored Go can set; the others are always zero.
inline constexpr int kPlaneOnBoard = 0;
inline constexpr int kPlaneOwnStones = 1;
inline constexpr int kPlaneOpponentStones = 2;
inline constexpr int kPlaneLiberties1 = 3;  // 3, 4, 5: stones of chains with 1, 2, 3 liberties
inline constexpr int kPlaneKoBanned = 6;    // for the side to move: simple ko and superko
inline constexpr int kPlaneMove1 = 9;       // 9 ... 13: the move 1 ... 5 plies ago
inline constexpr int kPlaneOwnArea = 18;
inline constexpr int kPlaneOpponentArea = 19;

inline constexpr int kScalarPass1 = 0;  // 0 ... 4: the move 1 ... 5 plies ago was a pass
inline constexpr int kScalarSelfKomi = 5;
inline constexpr int kScalarSuperko = 6;
inline constexpr int kScalarSuperkoKind = 7;  // +0.5 positional, -0.5 situational
inline constexpr int kScalarMultiStoneSuicide = 8;
inline constexpr int kScalarPassEnds = 14;
inline constexpr int kScalarParityWave = 18;

inline constexpr int kHistoryPlies = Position::kRecent;

struct Features {
  BoardSize size;
  std::array<PointSet, kPlanes> planes;   // bit i: point i in the order of BoardSize::index
  std::array<float, kScalars> scalars{};  // never -0, so that equal features have equal bits
  friend bool operator==(const Features&, const Features&) = default;
};

Features features_of(const Position& position);

// The same position seen through `symmetry` (moves the planes' points; scalars do not change).
// Requires symmetry.index() < Symmetry::count(features.size).
Features transformed(const Features& features, Symmetry symmetry);

// Forgets all but the last `plies` of the moves shown: their planes and their passes. What follows
// from them (ko, area, whether a pass ends the game) stays. Requires 0 <= plies <= kHistoryPlies.
void hide_history(Features& features, int plies);

// Komi as the side to move receives it, clipped to +-(area + kKomiClipMargin): more decides any
// game.
inline constexpr int kKomiClipMargin = 20;  // KataGo's NNPos::KOMI_CLIP_RADIUS
double clipped_self_komi(Komi komi, Color to_move, int area);

// Where komi stands between the values that allow a draw, which have the parity of `area`: 0 there,
// +0.5 half a point above, 0 between two of them, -0.5 half a point below; linear in between.
double komi_parity_wave(double self_komi, int area);

}  // namespace tengen
