#include "rules/handicap.h"

#include <algorithm>

#include "rules/check.h"

namespace tengen {

int max_fixed_handicap(BoardSize size) {
  const int smaller = std::min(size.width, size.height);
  if (smaller < 7) return 0;
  const bool has_middle = size.width % 2 == 1 && size.height % 2 == 1 && smaller >= 9;
  return has_middle ? 9 : 4;
}

std::vector<Point> fixed_handicap_points(BoardSize size, int stones, HandicapPlacement placement) {
  check(stones >= 1 && stones <= max_fixed_handicap(size), "a handicap that fits the board");
  check(placement != HandicapPlacement::kFree, "a placement by a table");
  const auto edge = [](int length) { return length >= 13 ? 3 : 2; };
  const int left = edge(size.width), right = size.width - 1 - left, centre = size.width / 2;
  const int top = edge(size.height), bottom = size.height - 1 - top, middle = size.height / 2;
  std::vector<Point> points = {Point::at(top, right),     Point::at(bottom, left),
                               Point::at(top, left),      Point::at(bottom, right),
                               Point::at(middle, left),   Point::at(middle, right),
                               Point::at(bottom, centre), Point::at(top, centre)};
  const bool has_centre =
      stones == 9 || (placement == HandicapPlacement::kCentre && stones >= 5 && stones % 2 == 1);
  points.resize(static_cast<std::size_t>(has_centre ? stones - 1 : stones),
                Point::at(middle, centre));
  if (has_centre) points.push_back(Point::at(middle, centre));
  return points;
}

}  // namespace tengen
