#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/board.h"
#include "rules/komi.h"
#include "rules/position.h"
#include "rules/sgf.h"

namespace tengen {

// A game as a line of an SGF tree tells it: a set-up position and the moves from there. Texts are
// as in the file, on one line, in the charset that `charset` names; empty means: not said.
struct SgfGame {
  Board setup{BoardSize{}};       // before the first move; it also has the board's size
  Color to_move = Color::kBlack;  // at `setup`
  // Each with its colour: two in a row by one side are kept. No move is on an occupied point; ko,
  // suicide and repetition are not looked at, for that is the affair of the rules.
  std::vector<Position::Played> moves;

  std::optional<Komi> komi;
  int handicap = 0;      // HA, 0 to kMaxArea; its stones are in `setup`
  std::string rules;     // RU: "Chinese", "japanese", or any other text
  std::string result;    // RE: "B+3.5", "W+R", "0", "Void"; to_text(Score) gives such
  std::string time;      // TM: main time of each side, in seconds
  std::string overtime;  // OT
  std::string black_name;
  std::string white_name;
  std::string black_rank;
  std::string white_rank;
  std::string date;         // DT: "2024-05-31"
  std::string event;        // EV
  std::string round;        // RO
  std::string place;        // PC
  std::string game_name;    // GN
  std::string application;  // AP: who wrote the file, "GNU Go:3.8"
  std::string charset;      // CA; FF[4] takes ISO-8859-1 where it is missing

  BoardSize size() const { return setup.size(); }
  friend bool operator==(const SgfGame&, const SgfGame&) = default;
};

// The game from the root to node `last`, or to the end of the main line. What the game does not
// hold (comments, marks, clocks, variations) stays behind in the tree.
//
// Set-up stones (AB, AW, AE) may come until the first move, in one node or several; in one node
// they come before its moves, and of two stones on a point the later one stays. The side to move is
// PL's before the first move, else that of the first move; without both it is White's turn if there
// are black stones and no white ones, as after a handicap, else Black's.
//
// Throws Error "line 3, column 14: expected ..., found ..." for a game that is not Go, a size other
// than 2 to 19, a point off the board, komi that Komi cannot hold, set-up stones after a move, a
// set-up chain without liberties and a move on an occupied point.
SgfGame game_of(const SgfTree& tree, int last);
SgfGame game_of(const SgfTree& tree);

// A tree of one line in FF[4]: the root has the game's data and its set-up, node i the i-th move
// (from 1), so that a caller knows where to add comments. game_of reads it back to the same game if
// no text has white space other than blanks. Passes are B[] and W[].
SgfTree tree_of(const SgfGame& game);

}  // namespace tengen
