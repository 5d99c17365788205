#pragma once

#include <array>
#include <cstdint>

#include "rules/point_set.h"
#include "rules/position.h"
#include "rules/symmetry.h"

namespace tengen {

// KataGo's input features V7: 22 binary planes and 19 scalars (facts in nn/README.md, plane by
// plane). "Own" is the side to move. The ladder planes 14-17 are zero in this version.
inline constexpr int kPlanes = 22;
inline constexpr int kScalars = 19;
// Names what the planes mean; written into shards and nets, and mixing two of them is an error.
inline constexpr int kFeaturesVersion = 1;  // V7 without ladders

struct Features {
  BoardSize size;
  std::array<PointSet, kPlanes> planes;   // bit i: point i in the order of BoardSize::index
  std::array<float, kScalars> scalars{};  // self komi / 20 and so on
};

Features features_of(const Position& position);

// The same position seen through `symmetry` (moves the planes' points; scalars do not change).
Features transformed(const Features& features, Symmetry symmetry);

}  // namespace tengen
