#pragma once

#include "rules/board.h"
#include "rules/history.h"
#include "rules/rules.h"

// What board, rules and history together allow: between Board, which knows no history, and
// Position, which keeps one. `history` holds the state keys of all earlier positions; it is not
// asked under simple ko.
namespace tengen {

// What superko compares: the stones and, under situational superko, the side to move.
std::uint64_t state_key(std::uint64_t board_hash, Color to_move, Ko ko);
std::uint64_t white_to_move_key(Ko ko);  // by which keys differ that differ in the side to move
// `history` as the board's code asks it; empty under simple ko.
Past superko_past(const Rules& rules, const History& history);

// A play of `c`, by all rules.
bool is_legal(const Board& board, Point p, Color c, const Rules& rules, const History& history);
PointSet legal_points(const Board& board, Color c, const Rules& rules, const History& history);
// Empty points that only the ko rule forbids to `c`: the simple-ko point and superko.
PointSet ko_banned(const Board& board, Color c, const Rules& rules, const History& history);

}  // namespace tengen
