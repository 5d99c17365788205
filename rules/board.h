#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/color.h"
#include "rules/past_board.h"
#include "rules/point.h"
#include "rules/point_set.h"

namespace tengen {

// Stones on a board with chains, liberties, the simple-ko point and a Zobrist hash, kept up to date
// move by move. It knows suicide and the simple ko, and no history: superko is Position's. A value;
// plays allocate nothing. A copy touches 1.2 KB up to 9x9, 2.2 KB up to 13x13 and 4.6 KB up to
// 19x19, while sizeof is that of the largest: keep many boards as moves rather than as boards.
class Board {
 public:
  // Empty. Requires size.is_valid().
  explicit Board(BoardSize size);
  // A set-up position; nullopt if a chain has no liberty. Requires disjoint sets on the board.
  static std::optional<Board> from_stones(BoardSize size, const PointSet& black,
                                          const PointSet& white);
  Board(const Board& other);
  Board& operator=(const Board& other);

  BoardSize size() const { return size_; }
  Stone stone_at(Point p) const;
  PointSet stones(Color c) const;
  PointSet empty() const;

  // Points where `c` may play: empty, not a ko point closed to `c`, and no suicide unless it is
  // allowed (of chains of two or more stones, of single stones).
  PointSet legal(Color c, bool multi_stone_suicide, bool single_stone_suicide) const;

  // Plays a stone of `c` and removes captured stones, the opponent's first. Returns the number of
  // stones captured (own stones, taken off by suicide, are not counted). Requires an empty point.
  int play(Point p, Color c);
  // A pass lifts the ko.
  void pass();

  // Empty point where the next play would retake a ko at once: set when a stone that then stands
  // alone with one liberty took one stone. It is closed to the colour that lost the stone.
  std::optional<Point> ko_point() const;

  PastBoard past_board() const;  // to be remembered when play has gone on

  // Stones whose chain has exactly 1, 2 or 3 liberties: entry l - 1 holds those with l.
  std::array<PointSet, 3> stones_by_liberties() const;
  int liberties(Point p) const;   // exact, of the chain at `p`; requires a stone there
  PointSet chain(Point p) const;  // its stones
  // Empty points whose neighbours all are `c`'s stones, with too few enemy diagonals to break it
  // (none at the edge, at most one inside): not filled by random players.
  PointSet single_point_eyes(Color c) const;

  // 64-bit Zobrist hash of size and stones.
  std::uint64_t hash() const;
  // The hash after play(p, c), without playing. Requires an empty point.
  std::uint64_t hash_after(Point p, Color c) const;

  // A diagram: one line a row, X black, O white, . empty, spaces between.
  std::string to_text() const;

  friend bool operator==(const Board& a, const Board& b);  // same size and stones

 private:
  friend struct BoardAccess;  // board_access.h
  static constexpr std::size_t kStorageBytes = 4672;
  BoardSize size_;
  alignas(64) std::byte storage_[kStorageBytes];  // a BoardState<10>, <14> or <20>, by size_
};

// Reads a diagram: X or #, O, '.' or '+'; blanks ignored; every row of equal length. Throws Error.
// Chains without liberties are an error.
Board board_from_text(std::string_view text);

// Tromp-Taylor area: stones and the empty points that reach only that colour.
std::array<PointSet, 2> area(const Board& board);  // [colour]
// As KataGo scores area without tax (its calculateArea with all four options): pass-alive stones
// and territory, then regions without enemy stones, then all other stones for their own colour. So
// enemy stones inside pass-alive territory count for the territory's owner.
std::array<PointSet, 2> area_pass_dead_removed(const Board& board, bool multi_stone_suicide);

// Benson's unconditional life (Information Sciences 10, 1976), with KataGo's variations: a region
// is vital to a chain if each of its empty points (with suicide: each of its points) touches the
// chain, and territory is a region with at most one point that touches no stone of the colour.
struct PassAlive {
  PointSet stones;     // chains of the colour that cannot be taken even if it always passes
  PointSet territory;  // regions enclosed by them in which the opponent cannot live
};
PassAlive pass_alive(const Board& board, Color c, bool multi_stone_suicide);

}  // namespace tengen
