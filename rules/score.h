#pragma once

#include <optional>
#include <string>

#include "rules/color.h"
#include "rules/komi.h"
#include "rules/point_set.h"

namespace tengen {

// The count of a game: who owns which point, and what is counted beside that.
struct Score {
  PointSet black_area;  // Black's living stones and points: what a network calls ownership
  PointSet white_area;
  Komi komi;
  // What the areas and komi do not say, for Black: prisoners, tax, button, handicap points, and
  // under territory scoring what stones count less.
  int black_extra_half_points = 0;

  int black_margin_half_points() const {
    return 2 * (black_area.count() - white_area.count()) - komi.half_points() +
           black_extra_half_points;
  }
  double black_margin() const { return black_margin_half_points() / 2.0; }
  std::optional<Color> winner() const {  // nullopt is a draw
    const int m = black_margin_half_points();
    if (m == 0) return std::nullopt;
    return m > 0 ? Color::kBlack : Color::kWhite;
  }
  friend bool operator==(const Score&, const Score&) = default;
};

std::string to_text(const Score& score);  // as in SGF's RE: "B+3.5", "W+12", "0"

}  // namespace tengen
