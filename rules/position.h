#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rules/board.h"
#include "rules/check.h"
#include "rules/history.h"
#include "rules/move.h"
#include "rules/rules.h"
#include "rules/score.h"

namespace tengen {

// A game in progress: board, side to move, rules and the history that superko and the network need.
// A value: a search copies it and plays on. A copy costs a Board's and some 0.5 KB of history.
class Position {
 public:
  explicit Position(const Rules& rules);  // empty board, Black to move
  // A set-up position, no history. Requires board.size() == rules.size.
  Position(const Rules& rules, const Board& board, Color to_move);

  const Rules& rules() const { return rules_; }
  BoardSize size() const { return rules_.size; }
  const Board& board() const { return board_; }
  Color to_move() const { return to_move_; }
  int ply() const { return ply_; }  // moves played, passes included, from the set-up position

  // All rules, superko included. A pass is always legal.
  bool is_legal(Move m) const;
  PointSet legal_points() const;
  // Empty points that only the ko rule forbids to the side to move: the simple-ko point and
  // superko.
  PointSet ko_banned() const;

  // Plays for the side to move. Requires is_legal(m); of this only an empty point is checked.
  void play(Move m);
  // Makes `c` the side to move, for two moves in a row by one colour (GTP). History is kept.
  void set_to_move(Color c);

  // Two passes in a row.
  bool is_over() const { return passes_ >= 2; }
  int passes_in_a_row() const { return passes_; }

  // Scored as the board stands now, by rules().scoring. Correct also before the game's end.
  Score score() const;
  // The score once nothing can change any more, as every point belongs to somebody's pass-alive
  // stones or territory: dead stones there count for its owner, as they would after being taken
  // off, whatever rules().scoring says. nullopt before that.
  std::optional<Score> settled_score() const;
  bool is_all_pass_alive() const { return settled_score().has_value(); }

  struct Played {
    Color color;
    Move move;
    friend bool operator==(const Played&, const Played&) = default;
  };
  // The last moves, the latest first: recent(0) is the last one. Requires back < ply() and
  // back < kRecent.
  Played recent(int back) const;
  static constexpr int kRecent = 5;

  // What superko compares, positional: the stones only.
  std::uint64_t hash() const { return board_.hash(); }

 private:
  friend struct RandomGame;  // playout.cc
  static constexpr Played kNone = {Color::kBlack, Move::pass()};

  Rules rules_;
  Color to_move_;
  int ply_ = 0;
  int passes_ = 0;
  std::array<Played, kRecent> recent_ = {kNone, kNone, kNone, kNone,
                                         kNone};  // move n at n % kRecent
  Board board_;
  History history_;  // state keys; not kept under simple ko
};

}  // namespace tengen
