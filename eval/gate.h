#pragma once

#include <string>
#include <string_view>

#include "configs/option.h"
#include "eval/arena.h"

namespace tengen {

inline constexpr std::string_view kGateChoices[] = {"off", "match", "sprt"};

struct GateOptions {
  std::string kind = "match";
  int pairs = 50;
  double threshold = 0.55;
  double elo0 = 0, elo1 = 35, alpha = 0.05, beta = 0.05;
  int max_pairs = 200;
  int visits = 32;
};

template <class Visit>
void for_each_option(GateOptions& o, Visit visit) {
  visit("kind", o.kind,
        {"how a candidate becomes champion: off publishes every net", 0, 0, kGateChoices});
  visit("pairs", o.pairs, {"match: pairs of games with colours swapped", 1, 100000});
  visit("threshold", o.threshold, {"match: share of the points that promotes", 0, 1});
  visit("elo0", o.elo0, {"sprt: Elo of the hypothesis 'no better'", -1000, 1000});
  visit("elo1", o.elo1, {"sprt: Elo of the hypothesis 'better'", -1000, 1000});
  visit("alpha", o.alpha, {"sprt: chance of promoting a net that is no better", 0.0001, 0.5});
  visit("beta", o.beta, {"sprt: chance of rejecting a better one", 0.0001, 0.5});
  visit("max_pairs", o.max_pairs, {"sprt: pairs after which the sign decides", 1, 100000});
  visit("visits", o.visits, {"visits per move in gate and check matches", 1, 100000});
}

// Throws UsageError for an unknown kind or elo1 <= elo0.
void validate(const GateOptions& options);

// What the games so far say of a candidate.
enum class GateState { kOpen, kPromoted, kRejected };

// The rule of the gate, as a function of the score alone. Both kinds are over when all their pairs
// are played. A `match` is decided earlier once the remaining games cannot change it; an `sprt`
// once the log-likelihood ratio leaves (ln(beta / (1 - alpha)), ln((1 - beta) / alpha)); at its cap
// the ratio's sign decides, zero rejects. `off` promotes at once.
GateState gate_state(const GateOptions& options, const MatchScore& score);
// Most pairs the gate plays: 0 for `off`.
int gate_pairs(const GateOptions& options);

struct Verdict {
  std::string kind;  // of the gate
  bool promoted = false;
  std::string reason;  // one sentence with the figures
  MatchScore score;    // the candidate's, empty for `off`
  double llr = 0;      // sprt only
  MatchResult match;   // the games, none for `off`
};

// Plays the candidate against the champion and decides. Of `arena`, `pairs` is ignored. Requires
// valid options; throws Error if a player fails.
Verdict judge(Player& candidate, Player& champion, const GateOptions& options,
              const ArenaOptions& arena);

// The verdict as JSON (format in eval/README.md), ending in a newline; names are the nets' ids.
std::string to_json(const Verdict& verdict, const std::string& candidate,
                    const std::string& champion);

}  // namespace tengen
