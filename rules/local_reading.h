#pragma once

#include <cstdint>

#include "rules/board.h"

namespace tengen {

// What becomes of a chain if play goes on in its neighbourhood alone.
enum class Reading : std::uint8_t {
  kSafe,       // it cannot be taken even if the opponent begins: alive, or in seki
  kUnsettled,  // whoever begins decides
  kCaptured,   // it is taken even if its owner begins
  kUnknown,    // too much to read
};

// Reads out the chain at `target` by a full search of plays on the points of `region`; stones
// beside the region stay as they are, and a chain with a liberty outside of it is beyond reach. The
// chain's owner may pass, the opponent may not: so what nobody can afford to begin, a seki, is
// safe.
//
// Kos are read as the Japanese rules confirm life and death (1989, article 7): who lost a ko
// stone may not take back. So a group that only a ko could save is taken, as the bent four in the
// corner; passes that lift such a ban are not read. Other repetitions are not allowed; that answers
// are kept by position makes this inexact where they matter (the graph-history problem).
//
// By the same article a chain of up to six stones is not taken if its capture only is a sacrifice:
// a larger chain that took it is taken in turn, or its owner lives where it stood.
//
// Reads at most `max_nodes` positions for each side to begin. Requires a stone on `target`.
Reading read_chain(const Board& board, const PointSet& region, Point target, int max_nodes);

}  // namespace tengen
