#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/rules.h"
#include "selfplay/selfplay_settings.h"

namespace tengen {

// Throws UsageError if no game can be drawn: no sizes, sizes off 2 to 19, weights that do not
// match, rules that make no sense on one of the boards.
void validate(const GameOptions& options);

// The rule sets that games.rules names, between '|'.
std::vector<std::string> rule_texts(const GameOptions& options);

// The first rule set that the options ask for on a board of one size, at the mean komi; and the one
// that games are then played by, with no marks. What judges nets plays under these. Throw
// UsageError if the text makes no sense there.
Rules asked_rules(const GameOptions& options, BoardSize size);
Rules rules_of(const GameOptions& options, BoardSize size);
// The same of any rule set that games.rules names, by its place.
Rules rules_named(const GameOptions& options, std::size_t place, BoardSize size);

// Komi in half points, at most area + 20 to either side (what the network's input takes).
Komi rounded_komi(double points, BoardSize size);

// Komi, in points and not rounded, that makes a handicap of n >= 2 stones even: the centre, and for
// each stone after the first twice games.komi_mean, without what the rules give White for them. By
// fair komi a first move is worth k; a second one in a row adds the move and what White's would
// have taken, 2 k.
double balanced_komi(const SelfplaySettings& settings, const Rules& rules);

// Rules of game `index`: board, rule set, handicap and komi, each drawn from a stream of its own.
Rules drawn_rules(const SelfplaySettings& settings, std::uint64_t index);

}  // namespace tengen
