#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selfplay/sample.h"

namespace tengen {

// The columns of a shard in memory, as they lie in the file (selfplay/README.md says what each
// means), and how samples and records go in and out of them. No file is touched here.

// Rows of a shard or of a block of one. Boards are padded to `area` points.
struct RowColumns {
  int area = 0;                      // of the shard's largest board
  std::vector<std::uint8_t> planes;  // [rows, kPlanes, (area + 7) / 8]
  std::vector<float> scalars;        // [rows, kScalars]
  std::vector<std::uint8_t> width, height;
  std::vector<std::uint16_t> policy;  // [rows, area + 1]
  std::vector<float> policy_weight, opponent_policy_weight;
  std::vector<float> result;  // [rows, 3]
  std::vector<float> score;
  std::vector<std::int8_t> ownership;  // [rows, area]
  std::vector<float> short_term;       // [rows, 3, 4] win, loss, no result, score
  std::vector<float> weight, score_weight, short_term_weight;
  std::vector<std::int32_t> game, ply;  // game: row of the games columns

  std::size_t rows() const { return width.size(); }
  int plane_bytes() const { return (area + 7) / 8; }
  void append(const Sample& sample, std::int32_t game_row);
  // Row i; Sample::game is left as the row of the games columns. The opponent's policy is the next
  // row's, which must be there if the weight says so. Throws Error for values no writer writes:
  // sizes off the board, numbers that are not finite, a policy that does not sum to kPolicyUnit.
  Sample sample(std::size_t i) const;
};

// Calls visit(name, column, shape of one row) for each column, in the order of the file.
template <class Columns, class Visit>
void for_each_row_column(Columns& c, Visit visit) {
  using Shape = std::vector<std::int64_t>;
  visit("planes", c.planes, Shape{kPlanes, c.plane_bytes()});
  visit("scalars", c.scalars, Shape{kScalars});
  visit("width", c.width, Shape{});
  visit("height", c.height, Shape{});
  visit("policy", c.policy, Shape{c.area + 1});
  visit("policy_weight", c.policy_weight, Shape{});
  visit("opponent_policy_weight", c.opponent_policy_weight, Shape{});
  visit("result", c.result, Shape{3});
  visit("score", c.score, Shape{});
  visit("ownership", c.ownership, Shape{c.area});
  visit("short_term", c.short_term, Shape{kShortTermFactors.size(), 4});
  visit("weight", c.weight, Shape{});
  visit("score_weight", c.score_weight, Shape{});
  visit("short_term_weight", c.short_term_weight, Shape{});
  visit("game", c.game, Shape{});
  visit("ply", c.ply, Shape{});
}

// All moves of all games, one game after another: what was played and what the search said.
struct MoveColumns {
  std::vector<std::uint16_t> move;        // policy index
  std::vector<std::int32_t> net, visits;  // net: entry of the attribute `nets`
  std::vector<float> weight, win, score, no_result, raw_win, raw_score, surprise;

  std::size_t moves() const { return move.size(); }
  void append(const MoveRecord& played, BoardSize size, std::int32_t net_index);
  // Move i, without policy and net.
  MoveRecord record(std::size_t i, BoardSize size) const;
};

template <class Columns, class Visit>
void for_each_move_column(Columns& c, Visit visit) {
  visit("games/moves", c.move);
  visit("games/move_net", c.net);
  visit("games/move_visits", c.visits);
  visit("games/move_weight", c.weight);
  visit("games/move_win", c.win);
  visit("games/move_score", c.score);
  visit("games/move_no_result", c.no_result);
  visit("games/move_raw_win", c.raw_win);
  visit("games/move_raw_score", c.raw_score);
  visit("games/move_surprise", c.surprise);
}

// The games behind the rows. The policy is its row's and not repeated here.
struct GameColumns {
  std::vector<std::uint64_t> index, seed;
  std::vector<std::uint8_t> end;  // GameEnd
  std::vector<std::int32_t> opening_moves, black_margin_half_points;
  std::vector<std::int64_t> evaluations, first_row, first_move;
  std::vector<std::int32_t> move_count;
  std::vector<std::string> rules;

  MoveColumns moves;

  std::size_t games() const { return index.size(); }
  // `nets` gains the record's that it lacks.
  void append(const GameRecord& record, std::vector<std::string>& nets,
              std::int64_t first_row_of_game);
  // Game i, with policies from `rows` (all rows of the shard). Throws Error if it does not replay.
  GameRecord record(std::size_t i, std::span<const std::string> nets, const RowColumns& rows) const;
};

// Numeric columns with one number a game; `rules` and the moves stand apart.
template <class Columns, class Visit>
void for_each_game_column(Columns& c, Visit visit) {
  visit("games/index", c.index);
  visit("games/seed", c.seed);
  visit("games/end", c.end);
  visit("games/opening_moves", c.opening_moves);
  visit("games/black_margin_half_points", c.black_margin_half_points);
  visit("games/evaluations", c.evaluations);
  visit("games/first_row", c.first_row);
  visit("games/first_move", c.first_move);
  visit("games/move_count", c.move_count);
}

}  // namespace tengen
