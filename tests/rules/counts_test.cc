// Counts of positions and games that others have published (rules/prove_counts.h), as far as they
// take a second or a few; `tengen rules prove` does the rest.

#include <gtest/gtest.h>

#include "rules/prove_counts.h"

namespace tengen {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::int64_t kMostPositions = 50'000;
constexpr std::int64_t kMostGames = 1'000;
#else
constexpr std::int64_t kMostPositions = 500'000;
constexpr std::int64_t kMostGames = 10'000'000'000;
#endif

TEST(Counts, LegalPositionsAreThePublishedNumbers) {
  for (const auto& [size, positions] : published_position_counts()) {
    if (positions > kMostPositions) continue;
    EXPECT_EQ(count_colourings(size), positions) << to_text(size);
  }
}

TEST(Counts, PlayReachesEveryLegalPosition) {
  for (const auto& [size, positions] : published_position_counts()) {
    if (positions > kMostPositions) continue;
    const BoardSize turned{size.height, size.width};
    EXPECT_EQ(count_reachable(size, false), positions) << to_text(size);
    EXPECT_EQ(count_reachable(turned, true), positions) << to_text(turned);
  }
}

TEST(Counts, GamesOnOneRowAreThePublishedNumbers) {
  for (const auto& [size, games] : published_game_counts()) {
    if (games > kMostGames) continue;
    EXPECT_EQ(count_games(size, true), games) << to_text(size);
  }
}

// Without suicide the numbers are the same up to three points.
TEST(Counts, GamesWithoutSuicideOnUpToThreePointsAreAsMany) {
  for (const auto& [size, games] : published_game_counts()) {
    if (size.area() > 3) continue;
    EXPECT_EQ(count_games(size, false), games) << to_text(size);
  }
}

}  // namespace
}  // namespace tengen
