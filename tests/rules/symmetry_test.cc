#include "rules/symmetry.h"

#include <gtest/gtest.h>

#include <set>

namespace tengen {
namespace {

TEST(Symmetry, FlipsRowsThenColumnsThenTransposes) {
  const BoardSize size = BoardSize::square(5);
  const Point p = Point::at(0, 1);
  const Point expected[] = {Point::at(0, 1), Point::at(4, 1), Point::at(0, 3), Point::at(4, 3),
                            Point::at(1, 0), Point::at(1, 4), Point::at(3, 0), Point::at(3, 4)};
  for (int s = 0; s < Symmetry::kCount; ++s) EXPECT_EQ(Symmetry(s).apply(p, size), expected[s]);
}

TEST(Symmetry, TheInverseUndoesIt) {
  for (const BoardSize size : {BoardSize::square(6), BoardSize{3, 7}, BoardSize{19, 2}}) {
    for (int s = 0; s < Symmetry::count(size); ++s) {
      const Symmetry symmetry(s);
      for (int i = 0; i < size.area(); ++i) {
        const Point p = size.point(i);
        EXPECT_EQ(symmetry.inverse().apply(symmetry.apply(p, size), size), p);
      }
    }
  }
}

TEST(Symmetry, MapsSetsAndPointsAgree) {
  for (const BoardSize size : {BoardSize::square(19), BoardSize{4, 9}}) {
    std::set<std::vector<short>> maps;
    for (int s = 0; s < Symmetry::count(size); ++s) {
      const Symmetry symmetry(s);
      const short* map = symmetry.map(size);
      PointSet set;
      PointSet image;
      for (int i = 0; i < size.area(); ++i) {
        EXPECT_EQ(map[i], size.index(symmetry.apply(size.point(i), size)));
        if (i % 3 == 0) {
          set.insert(i);
          image.insert(map[i]);
        }
      }
      EXPECT_EQ(symmetry.apply(set, size), image);
      maps.emplace(map, map + size.area());
    }
    EXPECT_EQ(static_cast<int>(maps.size()), Symmetry::count(size)) << "all differ";
  }
}

// A single row goes onto itself by half of them.
TEST(Symmetry, KnowsBoardsOfOneRow) {
  const BoardSize size{4, 1};
  for (int s = 0; s < Symmetry::count(size); ++s) {
    const short* map = Symmetry(s).map(size);
    for (int i = 0; i < size.area(); ++i) EXPECT_EQ(map[i], (s & 2) != 0 ? 3 - i : i);
  }
}

TEST(Symmetry, APassStaysAPass) {
  EXPECT_TRUE(Symmetry(7).apply(Move::pass(), BoardSize::square(9)).is_pass());
}

}  // namespace
}  // namespace tengen
