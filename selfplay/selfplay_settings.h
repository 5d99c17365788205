#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "selfplay/game_options.h"
#include "selfplay/search.h"
#include "selfplay/start_lines.h"

namespace tengen {

// How the games of one stretch of self-play are played. Game `index` is a function of these, `seed`
// and the nets.
struct SelfplaySettings {
  GameOptions games;
  SearchOptions search;
  std::uint64_t seed = 0;
  double komi_centre = 7.0;  // in force for games that start now (moves with komi_follows_score)
  double resign_below =
      0;                 // win probability; calibrated, at most games.resign_below; 0: nobody does
  double run_share = 1;  // how much of the run is done, 0 to 1 (visits grow with it)
  std::shared_ptr<const std::vector<StartLine>> starts = {};  // of games.starts; null: none
};

// The settings of a config: its start lines read, the mean komi, and nobody resigns. Throws as
// read_start_lines.
SelfplaySettings settings_of(const GameOptions& games, const SearchOptions& search,
                             std::uint64_t seed);

}  // namespace tengen
