#pragma once

#include <string>

namespace tengen {

// The search signature: 8 hexadecimal digits of a hash over games of a fixed seed, played by the
// hash evaluator with its priors rounded to quarters, with every option of games in use. Moves,
// visits, ends and scores count in full, values and policies to a few bits, so that it is the same
// on every processor and for every compiler. It moves exactly when play does: a change that moves
// it says so. `slots` are of the pool, and change nothing.
std::string search_signature(int slots = 16);

}  // namespace tengen
