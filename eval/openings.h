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
  int count = 50;          // openings at most; all different, also up to symmetry
  double most_komi = 1e9;  // openings that are even only at more, to either side, are left out
  std::uint64_t seed = 0;
};

// Openings for fair matches: two uniformly random legal moves. Two equal tree searches of 100
// playouts without a net (make_rollout_player) play each opening out 24 times; after each game komi
// moves towards its winner's loss by a step that shrinks (Robbins and Monro, Ann. Math. Stat. 22,
// 1951), and ends where Black wins about half. Openings of which Black then does not win 3 to 7 of
// 10 more games (one side wins everything or nothing) are left out. On small boards fewer than
// `count` may be left.
std::vector<EvenOpening> even_openings(const EvenOpeningsOptions& options);

}  // namespace tengen
