#pragma once

#include <cstdint>

#include "rules/rng.h"
#include "selfplay/game_options.h"
#include "selfplay/record.h"
#include "selfplay/search.h"

namespace tengen {

// How the games of one stretch of self-play are played. Game `index` is a function of these, `seed`
// and the net.
struct SelfplaySettings {
  GameOptions games;
  SearchOptions search;
  std::uint64_t seed = 0;
  double komi_centre = 7.0;  // in force for games that start now (moves with komi_follows_score)
};

// Throws UsageError if no game can be drawn: no sizes, sizes off 2 to 19, weights that do not
// match.
void validate(const GameOptions& options);

// The rules that the options ask for on a board of one size, at the mean komi; and those that the
// games are played by, with no marks. Throw UsageError if the text makes no sense there.
Rules asked_rules(const GameOptions& options, BoardSize size);
Rules rules_of(const GameOptions& options, BoardSize size);

// What chance decides of a game before its first move, each from its own stream of (seed, index).
Rules drawn_rules(const SelfplaySettings& settings, std::uint64_t index);
// Whether the opening's moves are evenly random ones, not sampled from the raw policy.
bool drawn_random_opening(const SelfplaySettings& settings, std::uint64_t index);
// Opening plies: floor(exponential(1) * opening_mean * area), or, if random, evenly
// 0 ... 2 * random_opening_mean * area.
int drawn_opening_moves(const SelfplaySettings& settings, std::uint64_t index, BoardSize size);
// Whether the game ends as soon as everything is pass-alive.
bool drawn_pass_alive_end(const SelfplaySettings& settings, std::uint64_t index);

// Plies after which the game is cut.
int move_cap(const GameOptions& options, BoardSize size);

// The start of a record: index, seed, rules and planned opening moves.
GameRecord begun_record(const SelfplaySettings& settings, std::uint64_t index, std::string net);

// Seed of all chance at one ply: the search's, or the sampling of an opening move.
std::uint64_t ply_seed(std::uint64_t seed, std::uint64_t index, int ply);

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
