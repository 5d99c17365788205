#include "superko_solver.h"

#include <gtest/gtest.h>

#include "../selfplay/solver.h"
#include "rules/playout.h"
#include "rules/rng.h"

namespace tengen {
namespace {

Rules rules_of(BoardSize size, int threshold) {
  Rules rules;
  rules.size = size;
  rules.komi = Komi::from_half_points(2 * threshold - 1);
  return rules;
}

// Compares with plain alpha-beta over whole games, which keeps the whole history. Returns how many
// positions the plain one solved within its limit.
int compare(SuperkoSolver& solver, BoardSize size, int threshold, int board, std::int64_t limit) {
  int solved = 0;
  for (const Color to_move : {Color::kBlack, Color::kWhite}) {
    const Position position(rules_of(size, threshold), solver.board(board), to_move);
    const auto result = Solver(limit).result(position);
    if (!result) continue;
    ++solved;
    EXPECT_EQ(solver.black_wins(board, to_move), (*result > 0) == (to_move == Color::kBlack))
        << position.board().to_text() << "threshold " << threshold;
  }
  return solved;
}

TEST(SuperkoSolver, AgreesWithPlainSearchOnEveryTwoByTwoPosition) {
  const BoardSize size = BoardSize::square(2);
  int solved = 0;
  for (int threshold = -4; threshold <= 4; ++threshold) {
    SuperkoSolver solver(size, threshold);
    for (int board = 0; board < solver.board_count(); ++board) {
      if (solver.is_legal(board)) solved += compare(solver, size, threshold, board, 300000);
    }
  }
  EXPECT_EQ(solved, 9 * 57 * 2);  // 57 legal boards
}

TEST(SuperkoSolver, AgreesWithPlainSearchOnThreeByTwoAndThreeByThree) {
  for (const BoardSize size : {BoardSize{3, 2}, BoardSize::square(3)}) {
    Rng rng(5, 1);
    int solved = 0, black = 0;
    for (const int threshold : {-2, 0, 1, 3}) {
      SuperkoSolver solver(size, threshold);
      for (int i = 0; i < 400; ++i) {
        const auto board =
            static_cast<int>(rng.below(static_cast<std::uint32_t>(solver.board_count())));
        if (!solver.is_legal(board)) continue;
        solved += compare(solver, size, threshold, board, 3000);
        black += solver.black_wins(board, Color::kBlack) ? 1 : 0;
      }
    }
    EXPECT_GE(solved, 200) << to_text(size);
    EXPECT_GE(black, 100) << to_text(size);
  }
}

// A solver that has seen every other position, in any order, says the same as a fresh one: what it
// remembers is used only where it holds.
TEST(SuperkoSolver, RemembersNothingThatAnotherHistoryWouldChange) {
  const BoardSize size = BoardSize::square(3);
  Rng rng(6, 1);
  SuperkoSolver experienced(size, 1);
  for (int board = experienced.board_count(); board-- > 0;) {
    if (!experienced.is_legal(board)) continue;
    experienced.black_wins(board, Color::kWhite);
    experienced.black_wins(board, Color::kBlack);
  }
  for (int i = 0; i < 20;) {
    const auto board = static_cast<int>(rng.below(19683));
    if (!experienced.is_legal(board)) continue;
    ++i;
    SuperkoSolver fresh(size, 1);
    EXPECT_EQ(fresh.black_wins(board, Color::kBlack), experienced.black_wins(board, Color::kBlack));
    EXPECT_EQ(fresh.black_wins(board, Color::kWhite), experienced.black_wins(board, Color::kWhite));
  }
}

TEST(SuperkoSolver, KnowsThreeByThree) {
  const int empty = 0;
  SuperkoSolver all(BoardSize::square(3), 9);
  EXPECT_TRUE(all.black_wins(empty, Color::kBlack)) << "Black wins the whole board";
  for (int i = 0; i < 9; ++i) {
    Board board(BoardSize::square(3));
    board.play(BoardSize::square(3).point(i), Color::kBlack);
    const bool side = i == 1 || i == 3 || i == 5 || i == 7;
    SuperkoSolver wins(BoardSize::square(3), 1);
    const bool won = wins.black_wins(wins.number_of(board), Color::kWhite);
    if (i == 4) {
      EXPECT_TRUE(all.black_wins(all.number_of(board), Color::kWhite)) << "the centre";
    } else if (side) {
      EXPECT_TRUE(won) << "a side point wins, by less";
    } else {
      EXPECT_FALSE(won) << "a corner loses";
    }
  }
}

// Turned boards and swapped colours: Black wins by threshold t where White does not win by 1 - t.
TEST(SuperkoSolver, SeesEveryPositionAsItsMirrorImage) {
  SuperkoSolver black(BoardSize::square(3), 2), white(BoardSize::square(3), -1);
  int legal = 0;
  for (int number = 0; number < black.board_count(); ++number) {
    if (!black.is_legal(number)) continue;
    ++legal;
    int swapped = 0;
    for (int rest = number, place = 1; rest > 0; rest /= 3, place *= 3) {
      swapped += place * (rest % 3 == 0 ? 0 : 3 - rest % 3);
    }
    for (const Color c : {Color::kBlack, Color::kWhite}) {
      const Color other = c == Color::kBlack ? Color::kWhite : Color::kBlack;
      ASSERT_NE(black.black_wins(number, c), white.black_wins(swapped, other)) << number;
    }
  }
  EXPECT_EQ(legal, 12675);
}

}  // namespace
}  // namespace tengen
