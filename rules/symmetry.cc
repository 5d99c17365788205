#include "rules/symmetry.h"

#include <utility>
#include <vector>

namespace tengen {
namespace {

using Map = std::vector<short>;

Map make_map(Symmetry symmetry, BoardSize size) {
  Map map;
  for (int i = 0; i < size.area(); ++i) {
    const Point to = symmetry.apply(size.point(i), size);
    map.push_back(static_cast<short>(size.index(to)));
  }
  return map;
}

constexpr int kSizes = kMaxBoardSize;  // 1 to 19, as BoardSize::is_valid

int slot(BoardSize size, int symmetry) {
  const int shape = (size.width - 1) * kSizes + size.height - 1;
  return shape * Symmetry::kCount + symmetry;
}

std::vector<Map> make_all_maps() {
  std::vector<Map> maps(kSizes * kSizes * Symmetry::kCount);
  for (int width = 1; width <= kMaxBoardSize; ++width) {
    for (int height = 1; height <= kMaxBoardSize; ++height) {
      const BoardSize size{static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
      for (int s = 0; s < Symmetry::count(size); ++s) {
        maps[slot(size, s)] = make_map(Symmetry(s), size);
      }
    }
  }
  return maps;
}

}  // namespace

Symmetry Symmetry::inverse() const {
  // After a transposition the flips change places.
  const bool swaps = index_ == 5 || index_ == 6;
  return Symmetry(swaps ? 11 - index_ : index_);
}

Point Symmetry::apply(Point p, BoardSize size) const {
  const int row = (index_ & 1) != 0 ? size.height - 1 - p.row() : p.row();
  const int column = (index_ & 2) != 0 ? size.width - 1 - p.column() : p.column();
  return (index_ & 4) != 0 ? Point::at(column, row) : Point::at(row, column);
}

Move Symmetry::apply(Move m, BoardSize size) const {
  return m.is_pass() ? m : Move(apply(m.point(), size));
}

PointSet Symmetry::apply(const PointSet& s, BoardSize size) const {
  if (index_ == 0) return s;
  const short* to = map(size);
  PointSet result;
  s.for_each([&](int i) { result.insert(to[i]); });
  return result;
}

const short* Symmetry::map(BoardSize size) const {
  check(size.is_valid() && index_ >= 0 && index_ < count(size), "a symmetry of this board");
  static const std::vector<Map> maps = make_all_maps();
  return maps[slot(size, index_)].data();
}

}  // namespace tengen
