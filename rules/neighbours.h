#pragma once

#include <array>
#include <bit>

#include "rules/point.h"
#include "rules/point_set.h"

// Neighbourhood on PointSets, for questions that are asked once a game rather than once a move
// (Board has its own layouts for those).
namespace tengen {

// Calls visit(q) for the two to four neighbours of p on the board.
template <class Visit>
void for_each_neighbour(BoardSize size, Point p, Visit visit) {
  constexpr std::array<std::array<int, 2>, 4> kSteps = {{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}};
  for (const auto& [row, column] : kSteps) {
    const Point q = Point::at(p.row() + row, p.column() + column);
    if (size.contains(q)) visit(q);
  }
}

// The first point of a set that is not empty.
inline Point first_point(const PointSet& set, BoardSize size) {
  int i = 0;
  while (set.words()[i] == 0) ++i;
  return size.point(i * 64 + std::countr_zero(set.words()[i]));
}

// The points of `within` that connect to `start` through `within`; `start` is one of them.
PointSet connected(BoardSize size, Point start, const PointSet& within);
// Calls visit(part) for each connected part of `set`.
template <class Visit>
void for_each_part(BoardSize size, PointSet set, Visit visit) {
  while (!set.is_empty()) {
    const PointSet part = connected(size, first_point(set, size), set);
    set -= part;
    visit(part);
  }
}
// The points beside `set` that are not in it.
PointSet border(BoardSize size, const PointSet& set);

}  // namespace tengen
