#pragma once

#include <set>
#include <string>

#include "oracle.h"

namespace tengen {

// Ladders once more, from their definition: every allowed play, one after the other, on a copy of
// the naive board. Shares no line with rules/ladder*.
struct OracleLadders {
  std::set<int> captured;  // stones, of both colours
  std::set<int> working;   // the attacker's first moves against chains of two liberties
  int given_up = 0;        // chains that took more than 25 000 plays and so count as safe
};
// Of the oracle's board with its ko; plays obey its rules, which must allow no suicide.
OracleLadders oracle_ladders(const Oracle& board, BoardSize size, char attacker);

}  // namespace tengen
