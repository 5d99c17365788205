#pragma once

#include <array>
#include <optional>
#include <string>

#include "rules/color.h"
#include "rules/komi.h"
#include "rules/point_set.h"

namespace tengen {

// The count of a finished game under area scoring.
struct Score {
  PointSet black_area;  // Black's stones and points
  PointSet white_area;
  Komi komi;

  int black_margin_half_points() const {
    return 2 * (black_area.count() - white_area.count()) - komi.half_points();
  }
  double black_margin() const { return black_margin_half_points() / 2.0; }
  std::optional<Color> winner() const {  // nullopt is a draw
    const int m = black_margin_half_points();
    if (m == 0) return std::nullopt;
    return m > 0 ? Color::kBlack : Color::kWhite;
  }
};

std::string to_text(const Score& score);  // as in SGF's RE: "B+3.5", "W+12", "0"

}  // namespace tengen
