#include "selfplay/selfplay_settings.h"

namespace tengen {

SelfplaySettings settings_of(const GameOptions& games, const SearchOptions& search,
                             std::uint64_t seed) {
  SelfplaySettings settings{games, search, seed, games.komi_mean};
  if (games.starts_share > 0 && !games.starts.empty()) {
    settings.starts =
        std::make_shared<const std::vector<StartLine>>(read_start_lines(games.starts));
  }
  return settings;
}

}  // namespace tengen
