#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/color.h"
#include "rules/point.h"
#include "rules/point_set.h"

namespace tengen {

// Stones on a board with chains, liberties, the simple-ko point and a Zobrist hash, kept up to date
// move by move. It knows suicide and the simple ko, and no history: superko is Position's. A value;
// copying is cheap and plays allocate nothing.
class Board {
 public:
  explicit Board(BoardSize size);

  BoardSize size() const;
  Stone stone_at(Point p) const;
  PointSet stones(Color c) const;
  PointSet empty() const;

  // Points where `c` may play: empty, not the simple-ko point, and no suicide unless it is allowed
  // (of chains of two or more stones, of single stones).
  PointSet legal(Color c, bool multi_stone_suicide, bool single_stone_suicide) const;

  // Plays a stone of `c` and removes captured stones, the opponent's first. Returns the number of
  // stones captured (own stones, taken off by suicide, are not counted). Requires an empty point.
  int play(Point p, Color c);
  // A pass lifts the ko.
  void pass();

  // Empty point where the next play would retake a ko at once.
  std::optional<Point> ko_point() const;

  // Stones whose chain has exactly `liberties` liberties: 1, 2 or 3.
  PointSet stones_with_liberties(int liberties) const;
  int liberties(Point p) const;  // exact, of the chain at `p`; requires a stone there
  PointSet chain(Point p) const;
  // Empty points whose neighbours all are `c`'s stones, with too few enemy diagonals to break it
  // (none at the edge, at most one inside): not filled by random players.
  PointSet single_point_eyes(Color c) const;

  // 64-bit Zobrist hash of the stones; equal stones give equal hashes on boards of one size.
  std::uint64_t hash() const;
  // The hash after play(p, c), without playing.
  std::uint64_t hash_after(Point p, Color c) const;

  // A diagram: one line a row, X black, O white, . empty, spaces between.
  std::string to_text() const;

  friend bool operator==(const Board& a, const Board& b);  // same size and stones
};

// Reads a diagram: X or #, O, '.' or '+'; blanks ignored; every row of equal length. Throws Error.
// Chains without liberties are an error.
Board board_from_text(std::string_view text);

// Tromp-Taylor area: stones and the empty points that reach only that colour.
std::array<PointSet, 2> area(const Board& board);  // [colour]
// KataGo's area, facts 1.4 with all four options: pass-dead stones inside pass-alive territory go
// to the territory's owner.
std::array<PointSet, 2> area_pass_dead_removed(const Board& board, bool multi_stone_suicide);

// Benson's unconditional life (Information Sciences 10, 1976), with KataGo's variations.
struct PassAlive {
  PointSet stones;     // chains of the colour that cannot be taken even if it always passes
  PointSet territory;  // regions enclosed by them in which the opponent cannot live
};
PassAlive pass_alive(const Board& board, Color c, bool multi_stone_suicide);

}  // namespace tengen
