#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/position.h"
#include "rules/score.h"

namespace tengen {

// How a game ended.
enum class GameEnd : std::uint8_t { kPasses, kAllPassAlive, kMoveCap };
std::string_view name_of(GameEnd end);

// One move of a self-play game. Values are for the side that moved.
struct MoveRecord {
  Move move = Move::pass();
  // Improved policy [area + 1]; empty for moves that are no training target (opening moves sampled
  // from the raw policy, random moves of bootstrap games).
  std::vector<float> policy;
  float root_win = 0.5F;
  float root_score = 0.F;
  int visits = 0;
};

// One finished game: enough to replay, audit and train on.
struct GameRecord {
  std::uint64_t index = 0;  // number in the run; with `seed` it determines the game
  std::uint64_t seed = 0;
  std::string net;  // id of the net that played, "random" for bootstrap games
  Rules rules;
  std::vector<MoveRecord> moves;  // from the empty board, Black first
  int opening_moves = 0;          // leading moves that are no training rows
  GameEnd end = GameEnd::kPasses;
  Score score;  // final; Score::black_area and white_area are the ownership targets
  std::int64_t evaluations = 0;
};

// Replays the record under its rules and throws Error that names game and ply unless every move was
// legal, every policy is finite, non-negative, sums to 1 and is zero on illegal moves, and score
// and end are right.
void verify(const GameRecord& record);

// The game as canonical text, for comparing two runs: every field, floats as hex.
std::string canonical_text(const GameRecord& record);

}  // namespace tengen
