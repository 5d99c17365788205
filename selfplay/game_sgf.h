#pragma once

#include "rules/sgf.h"
#include "selfplay/record.h"

namespace tengen {

// A finished game as SGF: its rules, result and who played, and in a comment to each move what the
// search said before it, for the side that moved: win probability, score, visits, the network's own
// opinion, the likeliest moves of the improved policy. The game's name says which it is, its root's
// comment how it ended.
SgfTree sgf_of(const GameRecord& record);

}  // namespace tengen
