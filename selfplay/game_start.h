#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/rng.h"
#include "selfplay/game_chance.h"
#include "selfplay/game_rules.h"
#include "selfplay/record.h"
#include "selfplay/selfplay_settings.h"

namespace tengen {

// What chance decides of a game before its first move, each from its own stream of (seed, index);
// its rules: game_rules.h.

// Whether the opening's moves are evenly random ones, not sampled from the raw policy.
bool drawn_random_opening(const SelfplaySettings& settings, std::uint64_t index);
// Opening plies: floor(exponential(1) * opening_mean * area), or, if random, evenly
// 0 ... 2 * random_opening_mean * area.
int drawn_opening_moves(const SelfplaySettings& settings, std::uint64_t index, BoardSize size);
// Moves from a start line that the game begins with, through a random symmetry, as far as they are
// legal and end nothing; empty for a usual game.
std::vector<Move> drawn_start(const SelfplaySettings& settings, std::uint64_t index,
                              const Rules& rules);
// The side that an earlier net plays, if there is one to play it; nullopt for a usual game.
std::optional<Color> drawn_opponent(const SelfplaySettings& settings, std::uint64_t index);
// Whether the game ends as soon as everything is pass-alive.
bool drawn_pass_alive_end(const SelfplaySettings& settings, std::uint64_t index);

// Plies after which the game is cut.
int move_cap(const GameOptions& options, BoardSize size);

// The start of a record: index, seed, rules, and planned opening moves or those of a start line.
GameRecord begun_record(const SelfplaySettings& settings, std::uint64_t index, std::string net);

// A legal move sampled from logits [area + 1] at temperature 1; a pass only if nothing else is
// legal, so that openings lead somewhere. Throws Error if a logit is not finite.
Move sampled_move(const Position& position, const float* policy_logits, Rng& rng);

// An evenly random legal move of a random opening; no pass after a pass unless nothing else is
// left.
Move evenly_random_move(const Position& position, Rng& rng);

// One uniformly random game for bootstrap rows: every move is recorded without policy. It ends by
// its rules or at the cap.
GameRecord random_game(const SelfplaySettings& settings, std::uint64_t index);

}  // namespace tengen
