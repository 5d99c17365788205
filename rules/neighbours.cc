#include "rules/neighbours.h"

#include <vector>

namespace tengen {

PointSet connected(BoardSize size, Point start, const PointSet& within) {
  PointSet found = PointSet::of(size, start);
  std::vector<Point> open = {start};
  while (!open.empty()) {
    const Point p = open.back();
    open.pop_back();
    for_each_neighbour(size, p, [&](Point q) {
      const int i = size.index(q);
      if (!within.contains(i) || found.contains(i)) return;
      found.insert(i);
      open.push_back(q);
    });
  }
  return found;
}

PointSet border(BoardSize size, const PointSet& set) {
  PointSet beside;
  set.for_each([&](int i) {
    for_each_neighbour(size, size.point(i), [&](Point q) { beside.insert(size.index(q)); });
  });
  return beside - set;
}

}  // namespace tengen
