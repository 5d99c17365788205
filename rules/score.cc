#include "rules/score.h"

#include <cstdlib>

namespace tengen {

std::string to_text(const Score& score) {
  const int margin = score.black_margin_half_points();
  if (margin == 0) return "0";
  const int half = std::abs(margin);
  return std::string(margin > 0 ? "B+" : "W+") + std::to_string(half / 2) +
         (half % 2 != 0 ? ".5" : "");
}

}  // namespace tengen
