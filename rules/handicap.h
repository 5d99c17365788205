#pragma once

#include <vector>

#include "rules/point.h"
#include "rules/rules.h"

namespace tengen {

// Most stones for which the board has star points: 9 where both sides are odd and 9 or more, 4
// where both are 7 or more, else 0 (GTP draft 2, section 4.1.1).
int max_fixed_handicap(BoardSize size);

// The star points of a handicap in the order of their placement, on the third line from the edge up
// to 12, on the fourth from 13 on: the corners top right, bottom left, top left, bottom right; then
// the sides left, right, bottom, top, a facing pair at a time. The centre comes in for every odd
// number from five on (kCentre: GTP draft 2), or for nine alone (kSides). Requires
// 1 <= stones <= max_fixed_handicap(size) and one of these placements.
std::vector<Point> fixed_handicap_points(BoardSize size, int stones,
                                         HandicapPlacement placement = HandicapPlacement::kCentre);

}  // namespace tengen
