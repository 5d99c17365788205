#pragma once

#include "rules/move.h"
#include "rules/point.h"
#include "rules/point_set.h"

namespace tengen {

// One of the eight symmetries of the square, numbered as in KataGo: bit 0 flips rows (top-bottom),
// bit 1 flips columns, bit 2 transposes; applied in that order. Boards that are not square have the
// first four only.
class Symmetry {
 public:
  static constexpr int kCount = 8;
  constexpr Symmetry() = default;
  explicit constexpr Symmetry(int index) : index_(index) {}
  constexpr int index() const { return index_; }
  friend constexpr bool operator==(Symmetry, Symmetry) = default;

  static constexpr int count(BoardSize size) { return size.is_square() ? 8 : 4; }
  Symmetry inverse() const;

  // Where a point goes. Requires index() < count(size).
  Point apply(Point p, BoardSize size) const;
  Move apply(Move m, BoardSize size) const;
  PointSet apply(const PointSet& s, BoardSize size) const;
  // Entry i: the index to which point i goes; [area()] entries, valid for the program's life.
  const short* map(BoardSize size) const;

 private:
  int index_ = 0;
};

}  // namespace tengen
