#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/board.h"
#include "rules/color.h"

namespace tengen {

// Exact play on boards of up to nine points under positional superko, area scoring as the board
// stands and no suicide, for tests: who wins from any position whose history is empty. Built on
// rules/board.h for moves and area; the search is its own.
//
// Under superko the result of a position depends on how it was reached, so a result is remembered
// with what its proof rests on (Kishimoto and Mueller, "A general solution to the graph history
// interaction problem", AAAI 2004, name the trap): the boards that the winner makes, none of which
// may have been there before, and the boards that were closed to the loser, all of which must have
// been. Where both hold the same proof stands, and only there is it used again. Alive stones
// (Benson) and eyes among them are counted early: who owns enough of them wins by passing.
class SuperkoSolver {
 public:
  // Black wins with at least `threshold` points more than White, else White does: komi
  // threshold - 0.5. Requires an area of at most nine.
  SuperkoSolver(BoardSize size, int threshold);

  // Boards are numbers: the sum over points i of 3^i times 0 (empty), 1 (Black) or 2 (White).
  int board_count() const { return static_cast<int>(boards_.size()); }
  bool is_legal(int board) const { return boards_[static_cast<std::size_t>(board)].is_legal; }
  Board board(int number) const;  // requires is_legal
  int number_of(const Board& board) const;

  // Does Black win from here, with this colour to move, no pass before and no history?
  bool black_wins(int board, Color to_move);
  std::int64_t nodes() const { return nodes_; }  // searched so far

 private:
  struct Entry {
    bool is_legal = false;
    std::int8_t margin = 0;                              // Black's, as it stands
    std::int8_t decided = 0;                             // 1 Black wins by passing, -1 White
    std::array<std::vector<std::uint16_t>, 2> children;  // by colour: boards that a stone makes
  };
  // A proved result and what it rests on.
  struct Proof {
    bool black_wins = false;
    std::vector<std::uint16_t> made;    // boards that the winner makes, sorted
    std::vector<std::uint16_t> closed;  // earlier boards that the loser may not make again, sorted
  };
  struct State {
    int board;
    int color;
    int passes;
  };

  void prepare(int number);
  void order_children();
  std::size_t index(const State& s) const {
    return static_cast<std::size_t>((s.board * 2 + s.color) * 2 + s.passes);
  }
  bool stands(const Proof& proof) const;
  Proof solve(const State& state);
  Proof search(const State& state);
  Proof after_stone(const State& state, int child);
  Proof after_pass(const State& state);

  BoardSize size_;
  int threshold_;
  std::vector<Entry> boards_;
  std::vector<char> on_path_;  // by board: it has been there
  std::vector<std::vector<Proof>> known_;
  std::int64_t nodes_ = 0;
};

}  // namespace tengen
