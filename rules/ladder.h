#pragma once

#include <array>
#include <span>

#include "rules/board.h"
#include "rules/past_board.h"
#include "rules/point_set.h"

namespace tengen {

// Which chains are taken in a ladder, as KataGo's input planes have it (cpp/game/board.cpp,
// searchIsLadderCaptured; cpp/neuralnet/nninputs.cpp, iterLadders). Only chains of one or two
// liberties are asked for. One with one liberty is captured if that holds though its owner moves,
// one with two if its opponent moves and can fill one of them so that it holds.
//
// The owner plays on the chain's liberty or takes attackers in atari that touch the chain, and is
// out with two liberties on his turn or three on the attacker's. The attacker plays on the chain's
// two liberties, and has taken it when it has one on his turn. Nobody plays suicide. A simple ko
// that a play of the attacker leaves is an escape, but one on the board when the chain in atari
// begins is not, nor one that the first of the attacker's plays leaves. With a ko at either
// liberty, no third to be had from connecting and no attacker in atari the chain is taken
// (double-ko death). So it is, too, once a sequence is as long as one and a half boards; beyond 25
// 000 plays it is not.
struct Ladders {
  // Stones of captured chains of either colour: now, one ply ago, two plies ago.
  std::array<PointSet, 3> captured;
  // First moves of `attacker` that capture its opponent's chains of two liberties, now.
  PointSet working;
};

// `earlier` holds the boards of the same game one and two plies ago, as many as are to be shown, at
// most two; for those that are not there the last one stands again. Allocates nothing. On 19x19
// boards it needs some 20 KB of stack, and in a ladder of n plies 1.5 n KB more, n at most 541.
Ladders read_ladders(const Board& board, Color attacker, std::span<const PastBoard> earlier = {});

}  // namespace tengen
