#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rules/planes.h"
#include "rules/position.h"
#include "rules/symmetry.h"

namespace tengen {

// KataGo's input features V7: 22 binary planes (rules/planes.h) and 19 scalars; nn/README.md has
// them one by one. For the side to move.
inline constexpr int kScalars = 19;

// What the planes mean. Its number is the features version in shards and nets, and mixing two of
// them is an error.
enum class FeatureSchema : std::uint8_t {
  kV7NoLadders = 1,  // V7 with planes 14-17 empty
  kV7 = 2,           // all of V7
};
constexpr int version_of(FeatureSchema schema) {
  return static_cast<int>(schema);
}
std::optional<FeatureSchema> feature_schema(std::int64_t version);

inline constexpr int kScalarPass1 = 0;  // 0 ... 4: the move 1 ... 5 plies ago was a pass
inline constexpr int kScalarSelfKomi = 5;
inline constexpr int kScalarSuperko = 6;
inline constexpr int kScalarSuperkoKind = 7;  // +0.5 positional, -0.5 situational
inline constexpr int kScalarMultiStoneSuicide = 8;
inline constexpr int kScalarTerritory = 9;
inline constexpr int kScalarTax = 10;    // 10: seki or all, 11: all
inline constexpr int kScalarPhase = 12;  // 12: clean-up phase 1 or 2, 13: phase 2
inline constexpr int kScalarPassEnds = 14;
inline constexpr int kScalarButton = 17;
inline constexpr int kScalarParityWave = 18;

inline constexpr int kHistoryPlies = Position::kRecent;

struct Features {
  BoardSize size;
  Planes planes;                          // bit i: point i in the order of BoardSize::index
  std::array<float, kScalars> scalars{};  // never -0, so that equal features have equal bits
  friend bool operator==(const Features&, const Features&) = default;
};

Features features_of(const Position& position, FeatureSchema schema = FeatureSchema::kV7);

// The same position seen through `symmetry` (moves the planes' points; scalars do not change).
// Requires symmetry.index() < Symmetry::count(features.size).
Features transformed(const Features& features, Symmetry symmetry);

// Forgets all but the last `plies` of the moves shown: their planes, their passes and the ladders
// before them. What follows from them (ko, area, whether a pass ends the game) stays. Requires
// 0 <= plies <= kHistoryPlies.
void hide_history(Features& features, int plies);

// What the side to move receives of `white_half_points` (komi and bonus), in points, clipped to
// +-(area + kKomiClipMargin): more decides any game.
inline constexpr int kKomiClipMargin = 20;  // KataGo's NNPos::KOMI_CLIP_RADIUS
double clipped_self_komi(int white_half_points, Color to_move, int area);

// Where komi stands between the values that allow a draw, which have the parity of `area`: 0 there,
// +0.5 half a point above, 0 between two of them, -0.5 half a point below; linear in between.
double komi_parity_wave(double self_komi, int area);

}  // namespace tengen
