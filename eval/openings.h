#pragma once

#include <cstdint>
#include <vector>

#include "rules/move.h"
#include "rules/rules.h"

namespace tengen {

// An opening with a komi at which it is even.
struct EvenOpening {
  std::vector<Move> moves;  // from the empty board, Black first
  Komi komi;                // in half points that allow no draw
};

struct EvenOpeningsOptions {
  Rules rules;             // its komi is ignored
  int count = 50;          // openings; all different, also up to symmetry
  int moves = 2;           // uniformly random legal moves
  int playouts = 100;      // of the judges per move
  int games = 24;          // between the judges, per opening
  int check_games = 10;    // between the judges at the komi found; 3 to 7 of 10 must be Black's
  double most_komi = 1e9;  // openings that are even only at more, to either side, are left out
  std::uint64_t seed = 0;
};

// Openings for fair matches. Two equal tree searches without a net (make_rollout_player) play each
// opening out again and again; after each game komi moves towards its winner's loss by a step that
// shrinks (Robbins and Monro, Ann. Math. Stat. 22, 1951), and ends where Black wins about half.
// Openings that turn out to be even at no komi (one side wins everything or nothing) are left out.
std::vector<EvenOpening> even_openings(const EvenOpeningsOptions& options);

}  // namespace tengen
