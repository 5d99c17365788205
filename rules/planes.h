#pragma once

#include <array>

#include "rules/position.h"

namespace tengen {

// The 22 binary input planes of KataGo's features V7 (nn/README.md has them one by one), as bits in
// the order of BoardSize::index. "Own" is the side to move. Plane 8 is always empty.
inline constexpr int kPlanes = 22;
using Planes = std::array<PointSet, kPlanes>;

inline constexpr int kPlaneOnBoard = 0;
inline constexpr int kPlaneOwnStones = 1;
inline constexpr int kPlaneOpponentStones = 2;
inline constexpr int kPlaneLiberties1 = 3;  // 3, 4, 5: stones of chains with 1, 2, 3 liberties
inline constexpr int kPlaneKoBanned = 6;    // for the side to move: simple ko and superko
inline constexpr int kPlaneKoBlocked = 7;   // in clean-up: stones that may not be retaken yet
inline constexpr int kPlaneMove1 = 9;       // 9 ... 13: the move 1 ... 5 plies ago
inline constexpr int kPlaneLadders = 14;    // 14, 15, 16: captured in a ladder now, 1, 2 plies ago
inline constexpr int kPlaneLadderMoves = 17;  // own moves that begin one now
inline constexpr int kPlaneOwnArea = 18;      // what counts at present
inline constexpr int kPlaneOpponentArea = 19;
inline constexpr int kPlaneOwnPhaseTwoStart = 20;  // stones when clean-up phase 2 began
inline constexpr int kPlaneOpponentPhaseTwoStart = 21;

// How many of the last moves are shown: those of this phase as far as the movers alternate, at most
// Position::kRecent; after the game's end only one.
int shown_moves(const Position& position);

// Whether planes 14-17 (rules/ladder.h) are filled, which cost more than all the others.
enum class LadderPlanes { kNo, kYes };
Planes input_planes(const Position& position, LadderPlanes ladders);

}  // namespace tengen
