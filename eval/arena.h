#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/match_score.h"
#include "eval/player.h"
#include "rules/check.h"
#include "rules/rules.h"

namespace tengen {

// A player failed or answered an illegal move.
class PlayerError : public Error {
 public:
  PlayerError(std::string name, const std::string& what)
      : Error("match: " + name + " " + what), player(std::move(name)) {}
  const std::string player;  // its name
};

struct ArenaOptions {
  Rules rules{};
  std::vector<BoardSize> sizes = {};  // of the pairs, in turn; empty: the rules' size
  int pairs = 50;                     // each opening is played twice with colours swapped
  int opening_moves = 4;              // uniformly random legal moves, drawn anew for each pair; or
  std::vector<std::vector<Move>> openings = {};  // given ones, used in turn if not empty
  std::vector<Komi> komis = {};                  // of the openings, in turn; empty: the rules' komi
  double move_cap = 2.5;                         // plies, times the area
  std::uint64_t seed = 0;
  int parallel_pairs = 64;  // pairs in flight at once; the result does not depend on it
};

enum class ArenaEnd { kPasses, kAllPassAlive, kMoveCap, kRepetition, kThreeKos, kResignation };
std::string_view name_of(ArenaEnd end);  // "passes", "all pass-alive", "move cap", ...

struct ArenaGame {
  int pair = 0;
  bool a_is_black = true;
  BoardSize size;
  Komi komi;
  std::vector<Move> moves;  // from the empty board, Black first, opening included
  ArenaEnd end = ArenaEnd::kPasses;
  double black_margin = 0;  // points as the board stood, komi included; also after a resignation
  Outcome outcome = {};     // for Black and White
  double a_points = 0;      // 1, 0.5 or 0
};

struct MatchResult {
  std::string a, b;  // the players' names
  MatchScore score;
  std::vector<ArenaGame> games;  // by pair; A's game as Black first
};

// Plays until `options.pairs` pairs are done or `stop(score so far)` says so; `stop` is asked after
// each finished pair, in order of pair number, and pairs beyond the last one asked about are
// dropped, so that the outcome does not depend on speed. A game ends at two passes, when everything
// is pass-alive (dead stones then count for the owner of the territory), at the cap, or by what
// else its rules know. Stones that players would mark as dead are played out; a game without result
// is half a win for both. Throws PlayerError if a player fails or answers an illegal move: a crash
// is not a win.
MatchResult play_match(Player& a, Player& b, const ArenaOptions& options,
                       const std::function<bool(const MatchScore&)>& stop = {});

// One game to be played from an opening, without a partner.
struct ArenaStart {
  Rules rules;
  std::vector<Move> opening;
  bool a_is_black = true;
  std::uint64_t seed = 0;
};

// Plays single games in lockstep, all at once; games[i] from starts[i], with pair = i.
std::vector<ArenaGame> play_games(Player& a, Player& b, std::span<const ArenaStart> starts,
                                  double move_cap = 2.5);

// Pairs of games by their margins, as in duplicate bridge: A wins a pair if its margins over both
// games add up to more than 0. Komi cancels out, and so does an opening that decides who wins.
struct PairMargins {
  int won = 0, even = 0, lost = 0;
  int pairs() const { return won + even + lost; }
  // Of the pairs that are not even; 0.5 if there are none.
  double share() const { return won + lost == 0 ? 0.5 : static_cast<double>(won) / (won + lost); }
};
// Requires whole pairs, as play_match gives them, at least one.
PairMargins pair_margins(std::span<const ArenaGame> games);

// How many of the games differ in their moves: copies prove nothing.
int distinct_games(std::span<const ArenaGame> games);

// The match as JSON (format in eval/README.md), ending in a newline.
std::string to_json(const MatchResult& match, const ArenaOptions& options);

}  // namespace tengen
