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
  std::vector<float> weight, root_win, root_score;
  std::vector<std::int32_t> visits, game, ply;  // game: row of the games columns

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
  visit("weight", c.weight, Shape{});
  visit("root_win", c.root_win, Shape{});
  visit("root_score", c.root_score, Shape{});
  visit("visits", c.visits, Shape{});
  visit("game", c.game, Shape{});
  visit("ply", c.ply, Shape{});
}

// The games behind the rows. What a row carries (policy, search values) is not repeated here.
struct GameColumns {
  std::vector<std::uint64_t> index, seed;
  std::vector<std::int32_t> net;  // entry of the attribute `nets`
  std::vector<std::uint8_t> end;  // GameEnd
  std::vector<std::int32_t> opening_moves, black_margin_half_points;
  std::vector<std::int64_t> evaluations, first_row, first_move;
  std::vector<std::int32_t> move_count;
  std::vector<std::string> rules;

  std::vector<std::uint16_t> moves;  // of all games, policy indices

  std::size_t games() const { return index.size(); }
  void append(const GameRecord& record, std::int32_t net_index, std::int64_t first_row_of_game);
  // Game i, with policies and search values from `rows` (all rows of the shard). Throws Error if
  // it does not replay.
  GameRecord record(std::size_t i, std::span<const std::string> nets, const RowColumns& rows) const;
};

// Numeric columns with one number a game; `rules` and `moves` stand apart.
template <class Columns, class Visit>
void for_each_game_column(Columns& c, Visit visit) {
  visit("games/index", c.index);
  visit("games/seed", c.seed);
  visit("games/net", c.net);
  visit("games/end", c.end);
  visit("games/opening_moves", c.opening_moves);
  visit("games/black_margin_half_points", c.black_margin_half_points);
  visit("games/evaluations", c.evaluations);
  visit("games/first_row", c.first_row);
  visit("games/first_move", c.first_move);
  visit("games/move_count", c.move_count);
}

}  // namespace tengen
