#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/position.h"
#include "selfplay/record.h"
#include "selfplay/selfplay_settings.h"

namespace tengen {

// The fork of a finished game, if chance gives it one: an early one, after
// floor(exponential(1) * fork_mean * area) moves, in fork_share of the games; else in
// late_fork_share after evenly many. Its record holds the parent's moves as opening moves, one less
// than it is to have: the last is to be chosen from fork_choices.
std::optional<GameRecord> begun_fork(const SelfplaySettings& settings, const GameRecord& parent,
                                     std::string net);

// The legal points among which the net chooses a fork's move, by score: 3 to 12 of an early one, 3
// to 36 of a late one (KataGo), or all there are. The parent's own move may be one of them.
std::vector<Move> fork_choices(const SelfplaySettings& settings, std::uint64_t index,
                               const Position& position);

// Whether the komi of a fork, or of a game from a start line, is set by the net's score.
bool drawn_balance(const SelfplaySettings& settings, std::uint64_t index);

}  // namespace tengen
