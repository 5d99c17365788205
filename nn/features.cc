#include "nn/features.h"

#include <algorithm>
#include <cmath>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr float kKomiScale = 20.F;

void add_rules(const Position& position, Features& f) {
  const Rules& rules = position.rules();
  const int area = f.size.area();
  const int white_half_points = rules.komi.half_points() + position.white_bonus_half_points();
  const double self_komi = clipped_self_komi(white_half_points, position.to_move(), area);
  f.scalars[kScalarSelfKomi] = static_cast<float>(self_komi) / kKomiScale;
  const bool counts_now = rules.scoring == Scoring::kArea || position.phase() == 2;
  if (counts_now) {
    f.scalars[kScalarParityWave] = static_cast<float>(komi_parity_wave(self_komi, area));
  }
  if (rules.ko != Ko::kSimple) {
    f.scalars[kScalarSuperko] = 1.F;
    f.scalars[kScalarSuperkoKind] = rules.ko == Ko::kPositional ? 0.5F : -0.5F;
  }
  f.scalars[kScalarMultiStoneSuicide] = rules.multi_stone_suicide ? 1.F : 0.F;
  f.scalars[kScalarTerritory] = rules.scoring == Scoring::kTerritory ? 1.F : 0.F;
  f.scalars[kScalarTax] = rules.tax != Tax::kNone ? 1.F : 0.F;
  f.scalars[kScalarTax + 1] = rules.tax == Tax::kAll ? 1.F : 0.F;
  f.scalars[kScalarPassEnds] = position.pass_would_end_phase() ? 1.F : 0.F;
  f.scalars[kScalarButton] = position.has_button() ? 1.F : 0.F;
  f.scalars[kScalarPhase] = position.phase() > 0 ? 1.F : 0.F;
  f.scalars[kScalarPhase + 1] = position.phase() == 2 ? 1.F : 0.F;
}

}  // namespace

std::optional<FeatureSchema> feature_schema(std::int64_t version) {
  for (const FeatureSchema schema : {FeatureSchema::kV7NoLadders, FeatureSchema::kV7}) {
    if (version == version_of(schema)) return schema;
  }
  return std::nullopt;
}

Features features_of(const Position& position, FeatureSchema schema) {
  Features f;
  f.size = position.size();
  f.planes =
      input_planes(position, schema == FeatureSchema::kV7 ? LadderPlanes::kYes : LadderPlanes::kNo);
  for (int back = 0; back < shown_moves(position); ++back) {
    if (position.recent(back).move.is_pass()) f.scalars[kScalarPass1 + back] = 1.F;
  }
  add_rules(position, f);
  return f;
}

void hide_history(Features& features, int plies) {
  check(plies >= 0 && plies <= kHistoryPlies, "plies of the history");
  for (int i = plies; i < kHistoryPlies; ++i) {
    features.planes[kPlaneMove1 + i] = PointSet();
    features.scalars[kScalarPass1 + i] = 0;
  }
  for (int i = plies; i < 2; ++i) {
    features.planes[kPlaneLadders + i + 1] = features.planes[kPlaneLadders + i];
  }
}

Features transformed(const Features& features, Symmetry symmetry) {
  check(symmetry.index() < Symmetry::count(features.size), "a symmetry of this board");
  if (symmetry == Symmetry()) return features;
  Features turned;
  turned.size = features.size;
  turned.scalars = features.scalars;
  for (int i = 0; i < kPlanes; ++i) {
    if (features.planes[i].is_empty()) continue;
    turned.planes[i] = symmetry.apply(features.planes[i], features.size);
  }
  return turned;
}

double clipped_self_komi(int white_half_points, Color to_move, int area) {
  const int half_points = to_move == Color::kWhite ? white_half_points : -white_half_points;
  const int limit = 2 * (area + kKomiClipMargin);
  return std::clamp(half_points, -limit, limit) / 2.0;
}

double komi_parity_wave(double self_komi, int area) {
  const int parity = area % 2;
  const double draw_below = 2 * std::floor((self_komi - parity) / 2) + parity;
  const double above = std::clamp(self_komi - draw_below, 0.0, 2.0);
  if (above < 0.5) return above;
  if (above < 1.5) return 1 - above;
  return above - 2;
}

}  // namespace tengen
