#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/board.h"
#include "rules/move.h"
#include "rules/rules.h"
#include "rules/score.h"

namespace tengen {

// A game in progress: board, side to move, rules and the history that superko and the network need.
// A value: a search copies it and plays on.
class Position {
 public:
  explicit Position(const Rules& rules);                     // empty board, Black to move
  Position(const Rules& rules, Board board, Color to_move);  // a set-up position, no history

  const Rules& rules() const;
  BoardSize size() const { return rules().size; }
  const Board& board() const;
  Color to_move() const;
  int ply() const;  // moves played, passes included, from the set-up position

  // All rules, superko included. A pass is always legal.
  bool is_legal(Move m) const;
  PointSet legal_points() const;
  // Empty points that only the ko rule forbids to the side to move: the simple-ko point and
  // superko.
  PointSet ko_banned() const;

  // Plays for the side to move. Requires is_legal(m).
  void play(Move m);
  // Makes `c` the side to move, for two moves in a row by one colour (GTP). History is kept.
  void set_to_move(Color c);

  // Two passes in a row.
  bool is_over() const;
  int passes_in_a_row() const;
  // Every point belongs to somebody's pass-alive stones or territory: nothing can change any more.
  bool is_all_pass_alive() const;

  // Scored as the board stands now, by rules().scoring. Correct also before the game's end.
  Score score() const;

  struct Played {
    Color color;
    Move move;
  };
  // The last moves, the latest first: recent(0) is the last one. Requires back < min(ply(), 5).
  Played recent(int back) const;

  // What superko compares, positional: the stones only.
  std::uint64_t hash() const { return board().hash(); }
};

}  // namespace tengen
