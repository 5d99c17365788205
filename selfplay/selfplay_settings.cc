#include "selfplay/selfplay_settings.h"

#include <algorithm>

namespace tengen {

SelfplaySettings settings_of(const GameOptions& games, const SearchOptions& search,
                             std::uint64_t seed) {
  SelfplaySettings settings{games, search, seed, games.komi_mean};
  if (games.starts_share <= 0) return settings;
  if (games.starts.empty()) {
    throw UsageError("games.starts_share: expected games.starts, SGF files to start from");
  }
  settings.starts = std::make_shared<const std::vector<StartLine>>(read_start_lines(games.starts));
  const bool is_played = std::ranges::any_of(*settings.starts, [&](const StartLine& line) {
    return line.size.is_square() && std::ranges::count(games.sizes, line.size.width) > 0;
  });
  if (!is_played) {
    throw UsageError("games.starts = " + games.starts + ": no game on a board of games.sizes");
  }
  return settings;
}

}  // namespace tengen
