#pragma once

#include <vector>

#include "rules/point.h"

namespace tengen {

// Most stones that fixed_handicap_points can place: 9 where both sides are odd and 9 or more, 4
// where both are 7 or more, else 0 (GTP draft 2, section 4.1.1).
int max_fixed_handicap(BoardSize size);

// Where a fixed handicap goes, by GTP draft 2: on the third line from the edge up to 12, on the
// fourth from 13 on. Requires 2 <= stones <= max_fixed_handicap(size).
std::vector<Point> fixed_handicap_points(BoardSize size, int stones);

}  // namespace tengen
