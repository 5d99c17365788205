#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/position.h"
#include "rules/score.h"

namespace tengen {

// How a game ended.
enum class GameEnd : std::uint8_t {
  kPasses,
  kAllPassAlive,
  kMoveCap,
  kRepetition,
  kThreeKos,
  kResignation,  // of the side to move at the end
};
inline constexpr int kGameEnds = 6;
std::string_view name_of(GameEnd end);
GameEnd end_of(PlayEnding ending);
// Ends that the score has no part in: by a repetition, by three kos, by resignation.
inline bool is_unscored(GameEnd end) {
  return end == GameEnd::kRepetition || end == GameEnd::kThreeKos || end == GameEnd::kResignation;
}

// One move of a self-play game. Values are for the side that moved. A move without policy carries
// an opinion only if it gives no row (a cheap search); else root_win 0.5, root_score 0, visits 0.
struct MoveRecord {
  Move move = Move::pass();
  // Improved policy [area + 1]; empty for moves that are no training target (opening moves sampled
  // from the raw policy, random moves of bootstrap games).
  std::vector<float> policy = {};
  float root_win = 0.5F;   // win probability after search, a draw is half
  float root_score = 0.F;  // expected margin in points after search
  int visits = 0;          // simulations of the search
  float weight = 1.F;      // of its training row; 0: it gives none (opening moves, cheap searches)
  float root_no_result = 0.F;  // probability after search
  float raw_win = 0.5F;        // the network's own opinion of the position, before search
  float raw_score = 0.F;
  float policy_surprise = 0.F;  // KL(policy || the network's prior), nats
  int net = 0;                  // who moved: entry of GameRecord::nets
};

// The net that "played" bootstrap games.
inline constexpr std::string_view kRandomNet = "random";

// A fork is a second game from a position of a finished one, its parent, with a move that chance
// and the net choose and, mostly, komi that makes the new position even (KataGo,
// cpp/program/play.cpp). It takes its parent's slot at once, under the parent's index with this bit
// set; so it is a function of what its parent is a function of, and needs no queue. A fork has
// none.
inline constexpr std::uint64_t kForkBit = 1ULL << 48;
inline bool is_fork(std::uint64_t index) {
  return (index & kForkBit) != 0;
}

// One finished game: enough to replay, audit and train on.
struct GameRecord {
  std::uint64_t index = 0;  // number in the run; with `seed` it determines the game
  std::uint64_t seed = 0;
  // Ids of the nets that played, in the order of their first moves; the first began the game.
  // kRandomNet alone for bootstrap games.
  std::vector<std::string> nets;
  Rules rules;
  std::vector<MoveRecord> moves;  // from the empty board, Black first
  int opening_moves = 0;          // leading moves that are no training rows, at most moves.size()
  GameEnd end = GameEnd::kPasses;
  Score score;      // final; Score::black_area and white_area are the ownership targets, unless the
                    // game was resigned: then both say how it stood, and are no targets
  Outcome outcome;  // by the score, unless a repetition, three kos or resignation ended the game
  std::int64_t evaluations = 0;

  // While the game is under way, and kept with it when it is parked; a finished one has neither.
  std::optional<Color> opponent;  // the side that nets[1], an earlier net, plays
  bool must_balance = false;      // komi is still to be set by the net's score
};

// Whether games begin with stones that someone places: these are no self-play.
inline bool needs_set_up(const Rules& rules) {
  return rules.handicap > 0 && rules.handicap_placement == HandicapPlacement::kFree;
}

// Whether a move gives a training row: after the opening, if its weight is not 0.
bool gives_row(const GameRecord& record, std::size_t ply);
// Training rows that the game gives.
std::int64_t row_count(const GameRecord& record);

// The score of a game that ended so: Position::settled_score if it ended because all is pass-alive
// (Error if it is not), else by the rules' own scoring.
Score final_score(const Position& position, GameEnd end);

// Who won, by that score or by what else ended the game.
Outcome final_outcome(const Position& position, GameEnd end, const Score& score);
// Why a game in this position cannot have ended so, "" if it can. Whether a cut game had reached
// its cap is not known.
std::string end_complaint(const Position& position, GameEnd end);
// Fills in end, score and outcome of a game that ended so. Requires that it can.
void finish(GameRecord& record, const Position& position, GameEnd end);

// Replays the record under its rules and throws Error that names game and ply unless every move was
// legal, every policy is finite, non-negative, sums to 1 (+-0.001) and is zero on illegal moves,
// and score and end are right. Whether a cut game reached its cap is not known to the record.
void verify(const GameRecord& record);

}  // namespace tengen
