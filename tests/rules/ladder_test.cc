#include "rules/ladder.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <string>

#include "counted_new.h"
#include "oracle_ladder.h"
#include "rules/planes.h"
#include "rules/playout.h"
#include "rules/position.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

std::string points(const PointSet& set, BoardSize size) {
  std::string text;
  set.for_each([&](int i) { text += (text.empty() ? "" : " ") + to_text(size.point(i), size); });
  return text;
}
// The captured stones, and White's working moves behind a bar.
std::string ladders(const Board& board, Color attacker = Color::kWhite) {
  const Ladders found = read_ladders(board, attacker);
  return points(found.captured[0], board.size()) + " | " + points(found.working, board.size());
}

bool is_captured(const Board& board, std::string_view stone) {
  const Point p = *parse_point(stone, board.size());
  return read_ladders(board, Color::kWhite).captured[0].contains(board.size().index(p));
}

TEST(Ladder, RunsToTheEdge) {
  const Board board = board_from_text(R"(
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . O O . . .
      . O X . . . .
      . . . . . . .
      . . . . . . .)");
  EXPECT_EQ(ladders(board), "C3 | C2");
  EXPECT_EQ(ladders(board, Color::kBlack), "C3 | ");
}

TEST(Ladder, FailsWhereABreakerStands) {
  const Board board = board_from_text(R"(
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . O O . . .
      . O X . . . .
      . . . . X . .
      . . . . . . .)");
  EXPECT_EQ(ladders(board), " | ");
}

TEST(Ladder, TakesAChainInAtariThatCannotRun) {
  const Board board = board_from_text(R"(
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . O O . . .
      . O X . . . .
      . . O . . . .
      . . . . . . .)");
  EXPECT_EQ(ladders(board), "C3 | ");
}

TEST(Ladder, FailsWhereTheRunnerTakesAttackers) {
  const Board board = board_from_text(R"(
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . X O O . . .
      . O X . . . .
      . X O . . . .
      . . . . . . .)");
  EXPECT_EQ(ladders(board), " | ");
}

TEST(Ladder, FailsWhereTheRunnerGivesAtariOnTheWay) {
  const Board board = board_from_text(R"(
      . . . . . . .
      . . . . . . .
      . . X X . . .
      . X O O . . .
      . O X . . . .
      . . . . . . .
      . . . . . . .)");
  EXPECT_FALSE(is_captured(board, "C3"));
}

TEST(Ladder, TakesAChainUnderTheSecondLine) {
  const Board board = board_from_text(R"(
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . O O O . . .
      . O X . . . .)");
  EXPECT_EQ(ladders(board), "C1 | ");
}

TEST(Ladder, FillingTheOnlyEyeIsNoWayOut) {
  const Board board = board_from_text(R"(
      . . . . . . .
      . . O O . . .
      . O X X O . .
      . O X . O . .
      . O O O . . .
      . . . . . . .)");
  EXPECT_EQ(ladders(board), "C4 D4 C3 | ");
}

// Black can take B6 only by kos around A6.
TEST(Ladder, AKoLeftOnTheWayIsAnEscape) {
  const Board with_ko = board_from_text(R"(
      X O . . . .
      . . . . . .
      X . . . . .
      . . . . . .
      . . . . . .
      . . . . . .)");
  EXPECT_EQ(ladders(with_ko, Color::kBlack), " | ");
  const Board without_ko = board_from_text(R"(
      X O . . . .
      X . . . . .
      X . . . . .
      . . . . . .
      . . . . . .
      . . . . . .)");
  EXPECT_EQ(ladders(without_ko, Color::kBlack), "B6 | B5");
}

TEST(Ladder, TwoKosThatConnectToNothingAreDeath) {
  const Board board = board_from_text(R"(
      O . O . . .
      X O . . . X
      . . . . . .
      . . . . . .
      . . O X . .)");
  EXPECT_TRUE(is_captured(board, "A4"));
}

// White has just taken B1 by a ko. Black may not begin against A1 by retaking.
TEST(Ladder, TheKoOnTheBoardIsClosedToTheFirstMove) {
  Board board = board_from_text(R"(
      X X . . .
      X X O . .
      O X O . .
      . O X X O
      O X . X O)");
  ASSERT_EQ(board.play(*parse_point("C1", board.size()), Color::kWhite), 1);
  ASSERT_EQ(board.ko_point(), parse_point("B1", board.size()));
  EXPECT_EQ(ladders(board, Color::kBlack), "A1 | A2");
  board.pass();
  EXPECT_EQ(ladders(board, Color::kBlack), "A1 | A2 B1");
}

Rules plain_rules(BoardSize size) {
  Rules rules;
  rules.size = size;
  rules.ko = Ko::kSimple;
  rules.multi_stone_suicide = rules.single_stone_suicide = false;
  return rules;
}

std::string set_of(const std::set<int>& some, BoardSize size) {
  PointSet set;
  for (const int i : some) set.insert(i);
  return points(set, size);
}

struct Compared {
  int boards = 0, captured = 0, moves = 0, given_up = 0;
};
// Plays a game of random moves and compares every `stride`-th board with the naive reader's.
void compare_game(BoardSize size, std::uint64_t seed, int stride, Compared& compared) {
  Position position(plain_rules(size));
  Oracle oracle(plain_rules(size));
  Rng rng(5, seed);
  for (int ply = 0; !position.is_over() && ply < 3 * size.area(); ++ply) {
    const Move move = random_move(position, rng);
    position.play(move);
    oracle.play(move.is_pass() ? std::nullopt : std::optional(size.index(move.point())));
    if (ply % stride != 0) continue;
    for (const Color attacker : {Color::kBlack, Color::kWhite}) {
      const OracleLadders naive =
          oracle_ladders(oracle, size, attacker == Color::kBlack ? 'X' : 'O');
      ++compared.boards;
      compared.given_up += naive.given_up;
      if (naive.given_up > 0) continue;
      const Ladders found = read_ladders(position.board(), attacker);
      ASSERT_EQ(points(found.captured[0], size), set_of(naive.captured, size))
          << position.board().to_text();
      ASSERT_EQ(points(found.working, size), set_of(naive.working, size))
          << position.board().to_text();
      compared.captured += static_cast<int>(naive.captured.size());
      compared.moves += static_cast<int>(naive.working.size());
    }
  }
}

TEST(Ladder, EqualsANaiveReadingOfRandomGames) {
  Compared compared;
  std::uint64_t seed = 0;
  for (const BoardSize size : {BoardSize{2, 2}, {2, 5}, {3, 3}, {4, 3}, {5, 5}, {6, 4}, {7, 7}}) {
    for (int game = 0; game < 30; ++game) compare_game(size, ++seed, 1, compared);
  }
  for (const BoardSize size : {BoardSize{9, 9}, {9, 4}, {12, 10}, {13, 13}}) {
    for (int game = 0; game < 2; ++game) compare_game(size, ++seed, 11, compared);
  }
  for (const BoardSize size : {BoardSize{15, 17}, {19, 19}}) {
    compare_game(size, ++seed, 61, compared);
  }
  std::printf("%d boards, %d captured stones, %d working moves; %d chains given up\n",
              compared.boards, compared.captured, compared.moves, compared.given_up);
  EXPECT_GE(compared.captured, 20000);
  EXPECT_GE(compared.moves, 5000);
}

// What read_ladders carries over from board to board is what each board gives by itself.
TEST(Ladder, OfEarlierBoardsIsWhatTheyGaveThemselves) {
  int differing = 0;
  for (int game = 0; game < 40; ++game) {
    Rules rules = plain_rules(std::array{BoardSize{9, 9}, BoardSize{19, 19}, BoardSize{5, 4},
                                         BoardSize{13, 11}}[game % 4]);
    rules.multi_stone_suicide = game % 3 == 0;
    rules.single_stone_suicide = game % 5 == 0;
    Position position(rules);
    Rng rng(6, game);
    std::vector<Ladders> fresh = {read_ladders(position.board(), Color::kBlack)};
    for (int ply = 0; !position.is_over() && ply < 3 * rules.size.area(); ++ply) {
      position.play(rng.below(30) == 0 ? Move::pass() : random_move(position, rng));
      fresh.push_back(read_ladders(position.board(), position.to_move()));
      const auto past = position.past_boards();
      for (int earlier = 0; earlier <= std::min(ply + 1, 2); ++earlier) {
        const Ladders found =
            read_ladders(position.board(), position.to_move(), std::span(past).first(earlier));
        ASSERT_EQ(found.working, fresh.back().working);
        for (int i = 0; i < 3; ++i) {
          const Ladders& then = fresh[fresh.size() - 1 - std::min(i, earlier)];
          ASSERT_EQ(found.captured[i], then.captured[0])
              << "game " << game << " ply " << ply << " board " << i << "\n"
              << position.board().to_text();
          if (!(found.captured[i] == found.captured[0])) ++differing;
        }
      }
    }
  }
  EXPECT_GE(differing, 1000);
}

// Also after games that were played by the fast path for whole games.
TEST(Ladder, PastBoardsAreThoseBeforeTheLastMoves) {
  for (int game = 0; game < 60; ++game) {
    const Rules rules = plain_rules(game % 2 == 0 ? BoardSize{9, 9} : BoardSize{19, 19});
    Position fast(rules);
    Rng rng(7, game);
    play_random_game(fast, rng, 1 + game * 3);
    Position slow(rules);
    Rng again(7, game);
    for (int ply = 0; ply < fast.ply(); ++ply) slow.play(random_move(slow, again));
    ASSERT_EQ(fast.hash(), slow.hash());
    for (int i = 0; i < std::min(2, fast.ply()); ++i) {
      EXPECT_EQ(fast.past_boards()[i].stones, slow.past_boards()[i].stones);
      EXPECT_EQ(fast.past_boards()[i].ko, slow.past_boards()[i].ko);
    }
  }
}

TEST(Ladder, CommutesWithSymmetriesAndColours) {
  for (int game = 0; game < 24; ++game) {
    const BoardSize size = game % 2 == 0 ? BoardSize{9, 9} : BoardSize{13, 19};
    Position position(plain_rules(size));
    std::vector<Board> turned(Symmetry::count(size), Board(size));
    Board swapped(size);
    Rng rng(8, game);
    for (int ply = 0; !position.is_over() && ply < size.area(); ++ply) {
      const Move move = random_move(position, rng);
      const Color mover = position.to_move();
      position.play(move);
      for (int s = 0; s < Symmetry::count(size); ++s) {
        move.is_pass() ? turned[s].pass()
                       : void(turned[s].play(Symmetry(s).apply(move.point(), size), mover));
      }
      move.is_pass() ? swapped.pass() : void(swapped.play(move.point(), opponent(mover)));
      if (ply % 5 != 0) continue;
      const Ladders found = read_ladders(position.board(), mover);
      const Ladders of_swapped = read_ladders(swapped, opponent(mover));
      ASSERT_EQ(found.captured[0], of_swapped.captured[0]);
      ASSERT_EQ(found.working, of_swapped.working);
      for (int s = 0; s < Symmetry::count(size); ++s) {
        const Ladders there = read_ladders(turned[s], mover);
        ASSERT_EQ(Symmetry(s).apply(found.captured[0], size), there.captured[0]);
        ASSERT_EQ(Symmetry(s).apply(found.working, size), there.working);
      }
    }
  }
}

TEST(Ladder, AllocatesNothing) {
  Position position(plain_rules({19, 19}));
  Rng rng(9, 0);
  play_random_game(position, rng, 250);
  const auto past = position.past_boards();
  const int before = allocations();
  const Ladders found = read_ladders(position.board(), position.to_move(), past);
  EXPECT_EQ(allocations(), before);
  EXPECT_FALSE(found.captured[0].is_empty());
}

}  // namespace
}  // namespace tengen
