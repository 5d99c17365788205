// Numbers of legal positions (Tromp and Farnebäck, "Combinatorics of Go", 2006; OEIS A094777).

#include <gtest/gtest.h>

#include <unordered_set>
#include <vector>

#include "rules/board.h"
#include "rules/rng.h"

namespace tengen {
namespace {

struct Count {
  int width, height, positions;
};
constexpr Count kCounts[] = {{2, 2, 57},   {2, 3, 489},   {3, 2, 489},
                             {2, 4, 4125}, {3, 3, 12675}, {5, 2, 35117}};

BoardSize size_of(const Count& count) {
  return {static_cast<std::int8_t>(count.width), static_cast<std::int8_t>(count.height)};
}

// All colourings in which every chain has a liberty, found by setting each of them up.
int count_legal(BoardSize size) {
  int colourings = 1;
  for (int i = 0; i < size.area(); ++i) colourings *= 3;
  int legal = 0;
  for (int code = 0; code < colourings; ++code) {
    PointSet stones[3];
    int rest = code;
    for (int i = 0; i < size.area(); ++i, rest /= 3) stones[rest % 3].insert(i);
    legal += Board::from_stones(size, stones[1], stones[2]).has_value() ? 1 : 0;
  }
  return legal;
}

// All boards that play reaches from the empty one, either colour moving at any time.
int count_reachable(BoardSize size, bool suicide) {
  std::unordered_set<std::uint64_t> seen;
  std::vector<Board> open = {Board(size)};
  seen.insert(open.back().hash());
  while (!open.empty()) {
    Board board = open.back();
    open.pop_back();
    board.pass();
    for (const Color c : {Color::kBlack, Color::kWhite}) {
      board.legal(c, suicide, suicide).for_each([&](int i) {
        const Point p = size.point(i);
        if (!seen.insert(board.hash_after(p, c)).second) return;
        open.push_back(board);
        open.back().play(p, c);
      });
    }
  }
  return static_cast<int>(seen.size());
}

TEST(Counts, LegalPositionsUpTo3x3AndTheReachableOnesAreThePublishedNumbers) {
  for (const Count& count : kCounts) {
    EXPECT_EQ(count_legal(size_of(count)), count.positions) << to_text(size_of(count));
    EXPECT_EQ(count_reachable(size_of(count), false), count.positions);
    EXPECT_EQ(count_reachable(size_of(count), true), count.positions);
  }
}

TEST(Counts, LegalPositionsOn3x4AreThePublishedNumber) {
  EXPECT_EQ(count_legal({3, 4}), 321689);
}

}  // namespace
}  // namespace tengen
