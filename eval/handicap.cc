#include "eval/handicap.h"

#include <algorithm>

#include "rules/check.h"

namespace tengen {

int max_fixed_handicap(BoardSize size) {
  const int smaller = std::min(size.width, size.height);
  if (smaller < 7) return 0;
  const bool has_middle = size.width % 2 == 1 && size.height % 2 == 1 && smaller >= 9;
  return has_middle ? 9 : 4;
}

std::vector<Point> fixed_handicap_points(BoardSize size, int stones) {
  check(stones >= 2 && stones <= max_fixed_handicap(size), "a handicap that fits the board");
  const auto edge = [](int length) { return length >= 13 ? 3 : 2; };
  const int left = edge(size.width), right = size.width - 1 - left, centre = size.width / 2;
  const int top = edge(size.height), bottom = size.height - 1 - top, middle = size.height / 2;
  std::vector<Point> points = {Point::at(bottom, left), Point::at(top, right)};
  if (stones >= 3) points.push_back(Point::at(top, left));
  if (stones >= 4) points.push_back(Point::at(bottom, right));
  if (stones >= 6) {
    points.push_back(Point::at(middle, left));
    points.push_back(Point::at(middle, right));
  }
  if (stones >= 8) {
    points.push_back(Point::at(bottom, centre));
    points.push_back(Point::at(top, centre));
  }
  if (stones >= 5 && stones % 2 == 1) points.push_back(Point::at(middle, centre));
  return points;
}

}  // namespace tengen
