#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/board.h"
#include "rules/rules.h"

namespace tengen {

// Rises when verdicts change: records of games that a judge decided name it.
inline constexpr int kJudgeVersion = 2;

// What decided: unconditional life (Benson) alone; random playouts and local reading; a network's
// ownership.
enum class JudgeLevel : std::uint8_t { kPassAlive, kPlayouts, kOwnership };
std::string_view name_of(JudgeLevel level);

// Which stones are dead after play has ended, as far as can be known.
struct DeadStonesVerdict {
  PointSet dead;
  PointSet unsettled;  // stones of which that level could not tell; they stay on the board
  JudgeLevel level = JudgeLevel::kPassAlive;  // the highest that was needed and at hand
};

// An opinion about who will own each point, from outside: a network's.
class OwnershipSource {
 public:
  virtual ~OwnershipSource() = default;
  // [area] by BoardSize::index, from -1 (White's) to 1 (Black's).
  virtual std::vector<float> black_ownership(const Board& board, const Rules& rules) = 0;
};

struct JudgeOptions {
  int playouts = 100;                    // random games, >= 0; with 0 the second level is left out
  int max_readable = 10;                 // empty points of a place that is read out, >= 0
  int max_nodes = 4000;                  // positions read for one chain and one side to begin, >= 1
  OwnershipSource* ownership = nullptr;  // not owned; asked only for what is unsettled without it
};

// Judges the stones on a board on which both sides have passed, in three levels.
//
// 1. Unconditional life: stones in the opponent's pass-alive territory are dead, pass-alive ones
//    live. This is proof.
// 2. Random playouts, half of them with each side to begin, say who owns each point in the end (as
//    in Brügmann's "Monte Carlo Go", 1993). They give no more than a broad view, and blunder sekis.
//    So they decide what is large: groups that keep a wide room, or two eyes in nearly all games,
//    are safe. What lies between safe groups falls into separate places. Small places are read out
//    (rules/local_reading.h), and a chain is dead only if it is taken though its owner begins; in
//    larger ones the share of playouts decides in which a chain survives.
// 3. Where that leaves stones unsettled: the mean of a network's ownership over each chain.
//
// It takes play to be finished: a chain whose life depends on who moves next is unsettled, also one
// in an open ko, and so is what is read in vain. Wrong can be: weak groups, nakade and sekis in
// places too large to read. Kos are read as Japanese rules confirm life and death: a bent four in
// the corner kills, whatever ko threats there are. rules/README.md has a table of shapes.
//
// The same board and rules give the same verdict, whoever is to move. Verdicts of the first two
// levels commute with the board's symmetries and with an exchange of colours; they are found on one
// image of the board, the same for all.
DeadStonesVerdict judge_dead_stones(const Board& board, const Rules& rules,
                                    const JudgeOptions& options = {});

}  // namespace tengen
