#pragma once

#include <cstdint>

#include "rules/komi.h"
#include "rules/point.h"

namespace tengen {

// Which earlier whole-board positions a play may not bring back.
enum class Ko : std::uint8_t {
  kSimple,       // only the immediate recapture of a single stone
  kPositional,   // any earlier position, whoever is to move
  kSituational,  // any earlier position with the same side to move
};

// What happens when a play brings about, for the third time without a pass in between, the same
// position with the same side to move. Only simple ko, and the clean-up after a game, let it.
enum class Repetition : std::uint8_t { kPlayOn, kNoResult, kDraw, kLoss };

// What ends play: two passes in a row; or also a pass by a player who has passed before in the same
// position (KataGo, under simple ko: else a cycle with passes in it could go on for ever).
enum class PlayEnd : std::uint8_t { kTwoPasses, kTwoPassesOrSamePass };

// Area: stones and the empty points that reach only one colour. Territory: such empty points, and
// the opponent's stones that were taken or are dead.
enum class Scoring : std::uint8_t { kArea, kTerritory };

// What is not counted: nothing; empty points in seki; these and two points for each living region
// ("group tax", as in old China).
enum class Tax : std::uint8_t { kNone, kSeki, kAll };

// Which stones on the board are dead when play has ended.
enum class DeadStones : std::uint8_t {
  kAsTheyStand,  // none: nothing is removed
  kPassDead,     // those inside the opponent's pass-alive territory, as in KataGo's area score
  kMarked,       // those that the players agree upon
  kAutomatic,    // those that the judge of rules/dead_stones.h finds
  kPlayedOut,    // none is judged: two clean-up phases follow in which they are taken (KataGo)
};

// Points for White in a handicap game of n >= 2 stones: none, n, n - 1.
enum class HandicapBonus : std::uint8_t { kNone, kStones, kStonesButOne };

// Where handicap stones go: on star points, the odd fifth and seventh in the centre; on star points
// with the centre for the ninth only; wherever Black likes.
enum class HandicapPlacement : std::uint8_t { kCentre, kSides, kFree };

// The rules of one game as plain data. Every record, shard and net carries them.
struct Rules {
  BoardSize size{};
  Ko ko = Ko::kPositional;
  bool multi_stone_suicide = false;   // a chain of two or more own stones may be taken off
  bool single_stone_suicide = false;  // a lone stone may be; KataGo never allows it. With
                                      // positional superko it is a repetition all the same.
  Repetition repetition = Repetition::kPlayOn;
  bool three_ko_draw = false;  // a draw when a retake is refused by superko while at least three
                               // points can be retaken
  PlayEnd play_end = PlayEnd::kTwoPasses;
  int move_cap = 0;  // moves after which the game ends and is scored as if by two passes; 0: none
  Scoring scoring = Scoring::kArea;
  Tax tax = Tax::kNone;
  DeadStones dead_stones = DeadStones::kAsTheyStand;
  Komi komi{};
  bool button = false;  // the first pass earns half a point and does not end play
  int handicap = 0;     // stones Black has on the board before White moves first
  HandicapBonus handicap_bonus = HandicapBonus::kNone;
  HandicapPlacement handicap_placement = HandicapPlacement::kCentre;

  friend bool operator==(const Rules&, const Rules&) = default;
};

// Throws Error, naming the field, if no game can have these rules: territory without a way to find
// dead stones, a button with territory, three kos without superko, more handicap stones than the
// board has places for.
void validate(const Rules& rules);

// The rules under which programs finish such a game by play alone, with no judge: dead stones that
// players would mark are played out (territory) or count as they stand but for the pass-dead
// (area). With `and_automatic`, so are those a judge would remove.
Rules played_out(Rules rules, bool and_automatic);

// Points for White beyond komi for the handicap, in points.
int handicap_bonus(const Rules& rules);
// Most handicap stones for which the board has places: its star points (rules/handicap.h), or one
// for every nine points where the placement is free.
int max_handicap(const Rules& rules);

}  // namespace tengen
