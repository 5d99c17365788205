#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "rules/board.h"
#include "rules/rules.h"
#include "rules/score.h"

namespace tengen {

// Why a point counts for whom it does.
enum class PointReason : std::uint8_t {
  kDame,       // nobody's: an empty point that both reach
  kStone,      // a living stone; counts under area scoring
  kTerritory,  // an empty point surrounded by one colour
  kDeadStone,  // its point is the other colour's
  kSekiEye,    // an empty point surrounded by a group in seki: not counted because of the tax
  kIgnored,    // a stone that counts for nobody
};

// The points of one colour, which add up. All are whole points but the half of the button.
struct SideCount {
  int stones = 0;     // living stones; area scoring only
  int territory = 0;  // surrounded points, with those under dead stones
  // The opponent's stones that were taken or are dead; territory scoring only. Negative where
  // stones count that were free (clean-up phase 2).
  int prisoners = 0;
  int tax = 0;    // to be taken off
  int bonus = 0;  // for the handicap
  bool button = false;
  int komi_half_points = 0;  // White's

  int half_points() const {
    return 2 * (stones + territory + prisoners - tax + bonus) + (button ? 1 : 0) + komi_half_points;
  }
};

// A Score with its reasons, for people: the counts of both sides and why each point counts.
struct ScoreSheet {
  BoardSize size;
  std::array<SideCount, 2> sides;               // [colour]
  std::array<PointReason, kMaxArea> reasons{};  // by BoardSize::index
  std::array<PointSet, 2> owned;                // [colour]
  PointSet dame() const;

  Score score() const;  // the same margin
};

// A table of both sides' points, and the board: X O living stones, x o dead ones, # + points of
// Black and White, . dame, ? a point or stone that counts for nobody.
std::string to_text(const ScoreSheet& sheet, const Board& board);

// What play has to say beside the board; arrays by colour.
struct PlayCount {
  // Stones of the colour that were taken, own suicides too; in clean-up phase 2 they are free.
  std::array<int, 2> lost{};
  std::optional<Color> button = {};              // who took it
  int phase = 0;                                 // 0: play, 1 and 2: clean-up; see Position
  std::array<PointSet, 2> phase_two_start = {};  // stones when phase 2 began
};

// Stones of a colour that it has paid for under territory scoring: those on the board, or when
// phase 2 began, and those lost before.
int stones_charged(const Board& board, const PlayCount& play, Color c);

// The count by `rules`, with the stones of `dead` taken off first. A tax asks what lives: under
// area scoring what is independently alive; where territory is counted with dead stones judged,
// what is not in seki as players see it (rules/README.md). Under dead stones `played-out`, `dead`
// must be empty and the count is KataGo's: areas that are not independently alive give nothing
// (with a tax; without, their empty points count), and their stones count only where they stood
// before phase 2, in which stones are free.
ScoreSheet count_score(const Board& board, const Rules& rules, const PlayCount& play,
                       const PointSet& dead);
// The same when every point's owner is settled: `owned` by colour, enemy stones in it are dead.
ScoreSheet count_settled(const Board& board, const Rules& rules, const PlayCount& play,
                         const std::array<PointSet, 2>& owned);

// The connected parts of each colour's area that live by themselves: without an own stone in atari
// and without contact to an empty point of nobody's (KataGo's independent life).
struct IndependentLife {
  std::array<PointSet, 2> points;
  std::array<int, 2> regions{};
};
IndependentLife independent_life(const Board& board, const std::array<PointSet, 2>& owned);

}  // namespace tengen
