#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "eval/player.h"
#include "rules/rules.h"

namespace tengen {

struct ArenaOptions {
  Rules rules;
  int pairs = 50;         // each opening is played twice with colours swapped
  int opening_moves = 4;  // uniformly random legal moves; or given openings, below
  std::vector<std::vector<Move>> openings;  // used in turn if not empty
  double move_cap = 2.5;                    // times the area
  std::uint64_t seed = 0;
  int parallel_pairs = 64;  // pairs in flight at once
};

struct ArenaGame {
  int pair = 0;
  bool a_is_black = true;
  std::vector<Move> moves;  // from the empty board, opening included
  double black_margin = 0;
  double a_points = 0;  // 1, 0.5 or 0
};

// Result for player A. Statistics are over pairs, whose two games share an opening.
struct MatchScore {
  int wins = 0, draws = 0, losses = 0;  // games
  std::array<int, 5> pairs{};           // pairs by A's points: 0, 0.5, 1, 1.5, 2
  int games() const { return wins + draws + losses; }
  double share() const;  // points / games, 0.5 for no games
};

// 95 % interval of the share, over pairs (Wilson with the pairs' variance; see eval/README.md).
struct Interval {
  double low, high;
};
Interval wilson_interval(const MatchScore& score);
Interval wilson_interval(double successes, double trials);
double elo_of_share(double share);  // -400 log10(1 / share - 1), clamped to +-1200

// Log-likelihood ratio of the generalised SPRT over pairs (pentanomial; facts/learning 4.3), elo1
// against elo0.
double sprt_llr(const MatchScore& score, double elo0, double elo1);

// Plays until `options.pairs` pairs are done or `stop(score so far)` says so; `stop` is asked after
// each finished pair, in order of pair number, so that the outcome does not depend on speed. A
// player's exception ends the match as an Error: a crash is not a win.
struct MatchResult {
  MatchScore score;
  std::vector<ArenaGame> games;
};
MatchResult play_match(Player& a, Player& b, const ArenaOptions& options,
                       const std::function<bool(const MatchScore&)>& stop = {});

}  // namespace tengen
