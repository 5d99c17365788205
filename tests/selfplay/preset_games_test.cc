// Self-play under every rule set that has a name, judged by the naive rules.

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <set>

#include "games.h"
#include "rules/dead_stones.h"
#include "rules/presets.h"
#include "rules/rules_text.h"
#include "tests/rules/oracle.h"

namespace tengen {

// Found by GoogleTest. NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Preset& preset, std::ostream* out) {
  *out << preset.name;
}

namespace {

constexpr int kGames = 100;

SelfplaySettings games_under(const Preset& preset) {
  SelfplaySettings settings;
  settings.seed = 26;
  settings.games.rules = preset.name;
  settings.games.sizes = {9};
  settings.search.visits = 2;
  settings.search.max_considered = 2;
  return settings;
}

// Black's margin in half points, by the naive rules.
int margin_by_oracle(const GameRecord& game) {
  const BoardSize size = game.rules.size;
  Oracle oracle(game.rules);
  Position position(game.rules);
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    const Move move = game.moves[ply].move;
    EXPECT_EQ(oracle.ending(), "") << "ply " << ply;
    if (move.is_pass()) {
      oracle.play(std::nullopt);
    } else {
      EXPECT_TRUE(oracle.is_legal(size.index(move.point()))) << "ply " << ply;
      oracle.play(size.index(move.point()));
    }
    position.play(move);
  }
  if (game.end == GameEnd::kAllPassAlive) {
    EXPECT_TRUE(oracle.settled().has_value());
    return oracle.settled()->margin;
  }
  EXPECT_EQ(oracle.ending(), game.end == GameEnd::kMoveCap ? "" : name_of(game.end));
  std::set<int> dead;
  if (game.rules.dead_stones == DeadStones::kAutomatic) {
    judge_dead_stones(position.board(), game.rules).dead.for_each([&](int i) { dead.insert(i); });
  }
  return oracle.count(dead).margin;
}

class PresetGames : public testing::TestWithParam<Preset> {};

TEST_P(PresetGames, EndAndAreScoredAsByTheNaiveRules) {
  const auto games =
      games_of_pool(games_under(GetParam()), 20, kGames, std::make_shared<HashEvaluator>(5));
  ASSERT_EQ(games.size(), static_cast<std::size_t>(kGames));
  std::map<GameEnd, int> ends;
  for (const GameRecord& game : games) {
    SCOPED_TRACE("game " + std::to_string(game.index) + ", " + to_text(game.rules));
    verify(game);
    EXPECT_EQ(rule_set_text(game.rules), rule_set_text(played_out(GetParam().rules, false)));
    EXPECT_EQ(game.score.black_margin_half_points(), margin_by_oracle(game));
    ++ends[game.end];
  }
  for (const auto& [end, count] : ends) {
    RecordProperty(std::string("ended by ") + std::string(name_of(end)), count);
  }
}

// Without a network: games that fill the board, as the first shards of a run have them.
TEST_P(PresetGames, AtRandomEndAndAreScoredAsByTheNaiveRules) {
  int by_passes = 0;
  for (int index = 0; index < kGames / 2; ++index) {
    const GameRecord game = random_game(games_under(GetParam()), index);
    SCOPED_TRACE("game " + std::to_string(index) + ", " + to_text(game.rules));
    verify(game);
    EXPECT_EQ(game.score.black_margin_half_points(), margin_by_oracle(game));
    by_passes += game.end == GameEnd::kPasses;
  }
  EXPECT_GE(by_passes, kGames / 2 - 5);
}

std::string test_name(const testing::TestParamInfo<Preset>& info) {
  std::string name;
  for (const char c : info.param.name) name += c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rules, PresetGames, testing::ValuesIn(presets().begin(), presets().end()),
                         test_name);

}  // namespace
}  // namespace tengen
