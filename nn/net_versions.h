#pragma once

#include "nn/net_model.h"

namespace tengen {

// The same network as another version of KataGo's model files has it, for engines that read no
// other: its policy, value, score, lead, variance time and ownership say the same. Throws Error
// naming the net and the reason where that version cannot say it.
//
// Down: what the version lacks is left out (the optimistic policy before 12, values of moves before
// 16, short-term errors in 8). Refused: activations other than ReLU before 11, a pass with a hidden
// layer before 15, scales of outputs before 13 that are not the usual ones, errors that mean
// something else in the version, an option that it does not have.
// Up: from 8 the errors become constants, a quarter of a win and three points; the optimistic
// policy is a copy of the policy. To 9, 15 and 16 nothing is converted up.
NetModel with_version(NetModel model, int version);

}  // namespace tengen
