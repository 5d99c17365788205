#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/position.h"
#include "rules/score.h"

namespace tengen {

// How a game ended.
enum class GameEnd : std::uint8_t { kPasses, kAllPassAlive, kMoveCap, kRepetition, kThreeKos };
inline constexpr int kGameEnds = 5;
std::string_view name_of(GameEnd end);
GameEnd end_of(PlayEnding ending);
// Ends that the score has no part in: by a repetition, by three kos.
inline bool is_unscored(GameEnd end) {
  return end == GameEnd::kRepetition || end == GameEnd::kThreeKos;
}

// One move of a self-play game. Values are for the side that moved. A move without policy carries
// no opinion either: root_win 0.5, root_score 0, visits 0.
struct MoveRecord {
  Move move = Move::pass();
  // Improved policy [area + 1]; empty for moves that are no training target (opening moves sampled
  // from the raw policy, random moves of bootstrap games).
  std::vector<float> policy = {};
  float root_win = 0.5F;   // win probability after search, a draw is half
  float root_score = 0.F;  // expected margin in points after search
  int visits = 0;          // simulations of the search
};

// The net that "played" bootstrap games.
inline constexpr std::string_view kRandomNet = "random";

// One finished game: enough to replay, audit and train on.
struct GameRecord {
  std::uint64_t index = 0;  // number in the run; with `seed` it determines the game
  std::uint64_t seed = 0;
  std::string net;  // id of the net that played, "random" for bootstrap games
  Rules rules;
  std::vector<MoveRecord> moves;  // from the empty board, Black first
  int opening_moves = 0;          // leading moves that are no training rows, at most moves.size()
  GameEnd end = GameEnd::kPasses;
  Score score;      // final; Score::black_area and white_area are the ownership targets
  Outcome outcome;  // by the score, unless a repetition or three kos ended the game
  std::int64_t evaluations = 0;
};

// Training rows that the game gives.
inline std::int64_t row_count(const GameRecord& record) {
  return static_cast<std::int64_t>(record.moves.size()) - record.opening_moves;
}

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
