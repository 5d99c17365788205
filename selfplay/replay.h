#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "selfplay/record.h"
#include "selfplay/selfplay_settings.h"

namespace tengen {

// What came of playing a recorded game again.
struct ReplayReport {
  int plies = 0;
  int searched = 0;  // by a search under the recorded budget
  int given = 0;     // taken as recorded: moves from a start line, or before a fork and its choice
  std::vector<std::string>
      differences;  // "ply 12: expected the move D4, found E5"; empty: the same
};

// Plays every move of a recorded game again and compares moves, policies and values bit for bit.
// Each ply begins from the recorded moves before it, so that one difference does not hide others.
// `settings` are the config's; seed, rules, budgets and who moved are the record's, so that what
// moved during a run (komi, visits, nets) need not be known. A policy that went through a shard is
// compared in its units. `evaluator_of` is asked for each net that moved and must not answer null.
// The record must verify. Precision and batch of the evaluators must be those of the game.
using ReplayNet = std::function<std::shared_ptr<Evaluator>(const std::string& net)>;
ReplayReport replay(const GameRecord& record, SelfplaySettings settings,
                    const ReplayNet& evaluator_of);

}  // namespace tengen
