#include "nn/features.h"

#include <algorithm>
#include <cmath>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr float kKomiScale = 20.F;

void add_stones(const Board& board, Color own, Features& f) {
  f.planes[kPlaneOwnStones] = board.stones(own);
  f.planes[kPlaneOpponentStones] = board.stones(opponent(own));
  f.planes[kPlaneOnBoard] =
      board.empty() | f.planes[kPlaneOwnStones] | f.planes[kPlaneOpponentStones];
  const auto by_liberties = board.stones_by_liberties();
  std::copy(by_liberties.begin(), by_liberties.end(), f.planes.begin() + kPlaneLiberties1);
}

// The last plies as far as the movers alternate; after the game's end only the last one.
void add_history(const Position& position, Features& f) {
  const int plies = std::min(position.ply(), position.is_over() ? 1 : kHistoryPlies);
  Color expected = opponent(position.to_move());
  for (int back = 0; back < plies; ++back, expected = opponent(expected)) {
    const Position::Played played = position.recent(back);
    if (played.color != expected) break;
    if (played.move.is_pass()) {
      f.scalars[kScalarPass1 + back] = 1.F;
    } else {
      f.planes[kPlaneMove1 + back].insert(f.size.index(played.move.point()));
    }
  }
}

// KataGo's area whatever the game's own area scoring does with dead stones: a net sees one meaning,
// and an exported one sees it in KataGo too.
void add_area(const Position& position, Features& f) {
  const auto owned = area_pass_dead_removed(position.board(), position.rules().multi_stone_suicide);
  f.planes[kPlaneOwnArea] = owned[index_of(position.to_move())];
  f.planes[kPlaneOpponentArea] = owned[index_of(opponent(position.to_move()))];
}

void add_rules(const Position& position, Features& f) {
  const Rules& rules = position.rules();
  const int area = f.size.area();
  const double self_komi = clipped_self_komi(rules.komi, position.to_move(), area);
  f.scalars[kScalarSelfKomi] = static_cast<float>(self_komi) / kKomiScale;
  f.scalars[kScalarParityWave] = static_cast<float>(komi_parity_wave(self_komi, area));
  if (rules.ko != Ko::kSimple) {
    f.scalars[kScalarSuperko] = 1.F;
    f.scalars[kScalarSuperkoKind] = rules.ko == Ko::kPositional ? 0.5F : -0.5F;
  }
  f.scalars[kScalarMultiStoneSuicide] = rules.multi_stone_suicide ? 1.F : 0.F;
  f.scalars[kScalarPassEnds] = position.passes_in_a_row() >= 1 ? 1.F : 0.F;
}

}  // namespace

Features features_of(const Position& position) {
  Features f;
  f.size = position.size();
  add_stones(position.board(), position.to_move(), f);
  f.planes[kPlaneKoBanned] = position.ko_banned();
  add_history(position, f);
  add_area(position, f);
  add_rules(position, f);
  return f;
}

void hide_history(Features& features, int plies) {
  check(plies >= 0 && plies <= kHistoryPlies, "plies of the history");
  for (int i = plies; i < kHistoryPlies; ++i) {
    features.planes[kPlaneMove1 + i] = PointSet();
    features.scalars[kScalarPass1 + i] = 0;
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

double clipped_self_komi(Komi komi, Color to_move, int area) {
  const int half_points = to_move == Color::kWhite ? komi.half_points() : -komi.half_points();
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
