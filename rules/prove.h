#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rules/rng.h"
#include "rules/rules.h"

namespace tengen {

// Receives lines of text: progress and findings.
using Teller = std::function<void(const std::string& line)>;

struct Finding {
  bool holds = false;
  std::string figures;  // what was counted, and what was expected if that is another number
};

// A statement about the rules that takes too long for the tests: seconds or minutes, or with
// `is_long` up to an hour on one core.
struct Proof {
  std::string name;  // "reachable positions on 4x4"
  bool is_long = false;
  std::function<Finding(const Teller& progress)> run;
};

// Numbers of positions and games that were published, numbers of move sequences of our own
// (rules/prove_counts.h), and random games: what is kept up to date move by move equals what is
// found from scratch, and all rules commute with the symmetries of the board and of the colours.
std::vector<Proof> proofs();

struct ProveOptions {
  bool with_long = false;
  std::string only = {};  // those whose name has this in it
};

// Runs them one after the other and tells of each whether it holds, its figures and its time.
// Returns whether all hold. Throws UsageError if there are none to run.
bool prove(const ProveOptions& options, const Teller& tell);

// Any rules that make sense on a board, all fields drawn one by one; half of them without handicap
// and two in three without a cap.
Rules any_rules(BoardSize size, Rng& rng);

}  // namespace tengen
