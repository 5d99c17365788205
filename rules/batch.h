#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rules/board.h"
#include "rules/color.h"
#include "rules/planes.h"
#include "rules/point_set.h"
#include "rules/rng.h"
#include "rules/rules.h"
#include "rules/score.h"

namespace tengen {

struct BatchOptions {
  int threads = 1;         // >= 1; results do not depend on it
  int max_moves = 0;       // of a game, after which it is over; 0: ten times the board's area
  std::uint64_t seed = 0;  // of the games' random moves: game g has the stream g
};

// Many games with one call: environments for self-play, random games by the million. Each game has
// its own rules; sizes and rules mix freely. A game is over by its rules, or at max_moves. Requires
// valid rules, and no free handicap.
//
// A game is kept in some 1.3, 2.4 or 4.9 KB up to 9x9, 13x13 and 19x19, whatever else there are
// in the batch, and 8 bytes a move of history for superko; after construction nothing is allocated.
// So are games of which board and superko decide everything (is_compact). Those whose rules ask for
// more are Positions, slower and larger, and allocate now and then.
//
// Spans have one entry a game, in order. One caller at a time.
class GameBatch {
 public:
  // What a move is: a point's number in row order (BoardSize::index), the board's area for a pass.
  using MoveIndex = std::int16_t;
  static constexpr MoveIndex kNoMove = -1;  // leaves a game as it is
  // Whether encode() fills planes 18 and 19, which cost more than all the others.
  enum class AreaPlanes { kNo, kYes };

  // Whether nothing but board, superko and two passes decides what is legal, when play ends and
  // what a board is worth.
  static bool is_compact(const Rules& rules);

  explicit GameBatch(std::span<const Rules> rules, const BatchOptions& options = {});
  ~GameBatch();

  int size() const { return static_cast<int>(rules_.size()); }
  const Rules& rules(int game) const { return rules_[game]; }
  Color to_move(int game) const;
  int ply(int game) const;
  bool is_done(int game) const;
  PointSet stones(int game, Color c) const;
  std::uint64_t hash(int game) const;  // of the stones, as Board::hash()

  // Points where the side to move may play, superko included; nothing once a game is over. Passes
  // are always legal.
  void legal_moves(std::span<PointSet> legal) const;
  // One move each. Requires legal moves (an empty point is checked) in games that are not over.
  void play(std::span<const MoveIndex> moves);
  void done(std::span<std::uint8_t> is_done) const;  // 1 or 0
  // As the boards stand, by each game's rules. Correct also before a game's end.
  void scores(std::span<Score> scores) const;
  // Begins those games anew that are not 0 in `games`, or all: on the empty board, or with the
  // handicap of their rules, whatever set_up() gave them. Random streams go on.
  void reset(std::span<const std::uint8_t> games);
  void reset();
  // Begins a game from this board, as Position(rules, board, to_move) does: no move has been played
  // and no earlier position is known, but a simple ko stays closed. The random stream goes on.
  // Requires board.size() == rules(game).size.
  void set_up(int game, const Board& board, Color to_move);

  // The planes of rules/planes.h for the side to move, as bits and as numbers 0 and 1:
  // [size()][kPlanes][height][width] of the largest height and width in the batch, smaller boards
  // in the upper left corner. Without ladders: planes 14-17 stay empty.
  void encode(std::span<Planes> planes, AreaPlanes area) const;
  void encode(std::span<float> planes, AreaPlanes area) const;
  int plane_height() const { return plane_height_; }
  int plane_width() const { return plane_width_; }

  // Uniformly random legal moves that fill no own single-point eye, passes where there are none: up
  // to `moves` in each game, or to its end.
  void play_random(int moves);
  // One such move in each game that is not over, drawn from all its legal moves, which `legal` then
  // holds as legal_moves() gives them: the step of an environment with a random player.
  void step_random(std::span<PointSet> legal);
  // Draws such a move for each game without playing it; kNoMove where a game is over.
  void random_moves(std::span<MoveIndex> moves);

  static std::size_t hot_bytes(BoardSize size);  // that a game of this size touches over and over

 private:
  template <int kPitch>
  struct Game;
  struct Storage;
  template <class F>
  decltype(auto) visit(int game, F f) const;
  template <int kPitch>
  void play_random_chunk(int begin, int end, int moves);
  template <int kPitch>
  void step_chunk(int begin, int end, std::span<PointSet> legal);
  void begin(int game);
  Position* position_of(int game) const;  // nullptr for a compact game
  void planes_of(int game, AreaPlanes area, Planes& planes) const;
  void prefetch(int game) const;
  static constexpr int kAhead = 4;  // games between one being fetched and its turn

  std::vector<Rules> rules_;
  std::vector<int> max_moves_;
  std::vector<Rng> rngs_;
  bool is_worth_fetching_ = false;
  int plane_height_ = 0;
  int plane_width_ = 0;
  std::unique_ptr<Storage> storage_;
};

}  // namespace tengen
