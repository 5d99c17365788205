#pragma once

#include <deque>
#include <span>

#include "selfplay/record.h"
#include "selfplay/selfplay_settings.h"

namespace tengen {

// The least win probability below which side `first_ply` % 2 (0: who moves first) found itself for
// `turns` moves of its own in a row: the minimum over such stretches of the largest of each. It
// would have resigned at any threshold above it; 1 if there is no stretch. Moves without a search
// break a stretch.
double sustained_low(std::span<const MoveRecord> moves, int side, int turns);

// Whether the side to move gives up: its last `turns` moves were all found below the threshold.
bool would_resign(std::span<const MoveRecord> moves, int turns, double below);

// Whether game `index` is played on however bad it looks, so that it shows who would have won.
bool drawn_calibration(const SelfplaySettings& settings, std::uint64_t index);

// At which win probability it is safe to resign, from recent games that were played on (AlphaGo
// Zero, Nature 550, 2017, Methods: 10 % of the games, wrong in less than 5 %).
class ResignCalibration {
 public:
  static constexpr std::size_t kMemory = 400;  // games looked at, the newest
  static constexpr std::size_t kLeast = 40;    // games before anybody resigns

  // A game that was played on; one without a score says nothing. `turns` as in the options.
  void add(const GameRecord& game, int turns);
  std::size_t games() const { return games_.size(); }
  // Of the games in which somebody would have resigned at this threshold, the share in which that
  // would have cost the winner the game, or a side the draw; 0 if there are none.
  double wrong_share(double below) const;
  // The highest threshold up to games.resign_below that would have been wrong in no more than
  // games.resign_wrong_share; 0, nobody resigns, before kLeast games.
  double threshold(const GameOptions& options) const;

 private:
  struct Lows {
    double winner = 1;  // of both sides in a draw
    double any = 1;
  };
  std::deque<Lows> games_;
};

}  // namespace tengen
