#pragma once

#include <optional>

#include "rules/board.h"

namespace tengen {

// The single stone that `c` would take by playing a single stone at `p` that could then be retaken:
// p is empty, all beside it are the opponent's stones, and exactly one of these is in atari and
// stands alone. What the history says is not asked.
std::optional<Point> ko_capture(const Board& board, Point p, Color c);

// All points where `c` could take such a stone.
PointSet ko_captures(const Board& board, Color c);

}  // namespace tengen
