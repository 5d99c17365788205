#include "selfplay/game_start.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "games.h"
#include "rules/rules_text.h"
#include "selfplay/sample.h"

namespace tengen {
namespace {

TEST(GameStart, KomiIsNormalAroundTheCentreWithAWideShare) {
  SelfplaySettings settings;
  settings.komi_centre = 3;
  settings.games.komi_wide_share = 0;
  double sum = 0, squares = 0;
  constexpr int kGames = 4000;
  for (std::uint64_t i = 0; i < kGames; ++i) {
    const double noise = drawn_rules(settings, i).komi.points() - 3;
    EXPECT_LE(std::abs(noise), 3);
    sum += noise;
    squares += noise * noise;
  }
  EXPECT_NEAR(sum / kGames, 0, 0.06);
  EXPECT_NEAR(squares / kGames, 1, 0.08);
  settings.games.komi_wide_share = 0.5;
  int far = 0;
  for (std::uint64_t i = 0; i < kGames; ++i) {
    if (std::abs(drawn_rules(settings, i).komi.points() - 3) > 3.1) ++far;
  }
  EXPECT_NEAR(far, kGames * 0.5 * 0.8, 150);  // |N(0, 12)| > 3.25: 79 %
}

TEST(GameStart, UniformKomiReachesBothEndsInHalfPoints) {
  SelfplaySettings settings;
  settings.games.sizes = {5};
  settings.games.komi_uniform_share = 1;
  settings.komi_centre = 0;
  std::map<int, int> seen;
  for (std::uint64_t i = 0; i < 20000; ++i) ++seen[drawn_rules(settings, i).komi.half_points()];
  EXPECT_EQ(seen.size(), 103U);  // -25.5 to 25.5
  EXPECT_EQ(seen.begin()->first, -51);
  for (const auto& [komi, count] : seen) {
    if (std::abs(komi) < 51) {
      EXPECT_NEAR(count, 196, 75) << komi;
    }
  }
}

TEST(GameStart, KomiStaysWithinTheBoardAndTwenty) {
  SelfplaySettings settings;
  settings.games.sizes = {5};
  settings.komi_centre = 300;
  EXPECT_EQ(drawn_rules(settings, 0).komi.points(), 45);
}

TEST(GameStart, SizesFollowTheirWeights) {
  SelfplaySettings settings;
  settings.games.sizes = {7, 9, 13};
  settings.games.size_weights = {1, 3, 0};
  std::map<int, int> seen;
  for (std::uint64_t i = 0; i < 4000; ++i) ++seen[drawn_rules(settings, i).size.width];
  EXPECT_NEAR(seen[7], 1000, 120);
  EXPECT_EQ(seen[13], 0);
}

TEST(GameStart, OpeningsAreExponential) {
  SelfplaySettings settings;
  const BoardSize size = BoardSize::square(9);
  settings.games.opening_mean = 0.04;
  double sum = 0;
  int none = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const int moves = drawn_opening_moves(settings, i, size);
    sum += moves;
    none += moves == 0 ? 1 : 0;
  }
  const double mean = 0.04 * 81;
  EXPECT_NEAR(sum / 4000, 1 / (std::exp(1 / mean) - 1), 0.2);  // of the floor
  EXPECT_NEAR(none / 4000.0, 1 - std::exp(-1 / mean), 0.03);
  settings.games.opening_mean = 0;
  EXPECT_EQ(drawn_opening_moves(settings, 3, size), 0);
}

TEST(GameStart, RandomOpeningsAreEvenlyLong) {
  SelfplaySettings settings;
  const BoardSize size = BoardSize::square(5);
  settings.games.opening_mean = 0;
  settings.games.random_opening_share = 0.25;
  settings.games.random_opening_mean = 0.4;
  std::array<int, 21> counts{};
  int random = 0;
  for (std::uint64_t i = 0; i < 8000; ++i) {
    const int moves = drawn_opening_moves(settings, i, size);
    if (!drawn_random_opening(settings, i)) {
      EXPECT_EQ(moves, 0);
      continue;
    }
    ++random;
    ++counts.at(static_cast<std::size_t>(moves));
  }
  EXPECT_NEAR(random, 2000, 200);
  for (const int count : counts) EXPECT_NEAR(count, random / 21.0, 50);  // 5 standard deviations
}

TEST(GameStart, AnEvenlyRandomMoveIsAnyLegalOneButNoSecondPass) {
  Rules rules;
  rules.size = BoardSize::square(3);
  Position position(rules);
  std::array<int, 10> counts{};
  Rng rng(4);
  for (int i = 0; i < 10000; ++i) {
    const Move move = evenly_random_move(position, rng);
    ++counts.at(static_cast<std::size_t>(policy_index(move, rules.size)));
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  position.play(Move::pass());
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(evenly_random_move(position, rng).is_pass());
}

TEST(GameStart, UselessSettingsAreUsageErrors) {
  GameOptions options;
  options.sizes = {};
  EXPECT_THROW(validate(options), UsageError);
  options.sizes = {1};
  EXPECT_THROW(validate(options), UsageError);
  options.sizes = {9};
  options.size_weights = {1, 2};
  EXPECT_THROW(validate(options), UsageError);
  options.size_weights = {0};
  EXPECT_THROW(validate(options), UsageError);
  options.size_weights = {};
  for (const char* rules : {"", "none", "japanese ko=super", "9x9 ko=simple"}) {
    options.rules = rules;
    EXPECT_THROW(validate(options), UsageError) << rules;
  }
}

TEST(GameStart, RulesFollowTheOptions) {
  SelfplaySettings settings;
  settings.games.rules = "tromp-taylor ko=situational dead=pass-dead";
  const Rules rules = drawn_rules(settings, 0);
  EXPECT_EQ(rules.ko, Ko::kSituational);
  EXPECT_TRUE(rules.multi_stone_suicide);
  EXPECT_FALSE(rules.single_stone_suicide);
  EXPECT_EQ(rules.dead_stones, DeadStones::kPassDead);
}

TEST(GameStart, RuleSetsFollowTheirWeights) {
  SelfplaySettings settings;
  settings.games.rules = "japanese-9x9 | tromp-taylor suicide=none|tromp-taylor";
  settings.games.rules_weights = {1, 3, 0};
  EXPECT_NO_THROW(validate(settings.games));
  EXPECT_EQ(rules_of(settings.games, BoardSize::square(9)).scoring, Scoring::kTerritory);
  int territory = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Rules rules = drawn_rules(settings, i);
    EXPECT_FALSE(rules.multi_stone_suicide);
    territory += rules.scoring == Scoring::kTerritory ? 1 : 0;
  }
  EXPECT_NEAR(territory, 1000, 140);
  settings.games.rules_weights = {1, 1};
  EXPECT_THROW(validate(settings.games), UsageError);
  settings.games.rules = "japanese-9x9|nonsense";
  settings.games.rules_weights = {};
  EXPECT_THROW(validate(settings.games), UsageError);
}

TEST(GameStart, HandicapsComeInTheirShareAndHalfOfThemBalanced) {
  SelfplaySettings settings;
  settings.games.sizes = {9};
  settings.games.komi_wide_share = 0;
  settings.games.handicap_share = 0.5;
  std::map<int, int> stones;
  int balanced = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Rules rules = drawn_rules(settings, i);
    ++stones[rules.handicap];
    const double from_centre = rules.komi.points() - settings.komi_centre;
    const double from_balance = from_centre - 14.0 * (rules.handicap - 1);
    if (rules.handicap == 0) {
      EXPECT_LE(std::abs(from_centre), 3);
    } else {
      EXPECT_LE(std::min(std::abs(from_centre), std::abs(from_balance)), 3);
      balanced += std::abs(from_balance) <= 3 ? 1 : 0;
    }
    ASSERT_NO_THROW(validate(rules));
  }
  EXPECT_NEAR(stones[0], 2000, 160);
  for (const int n : {2, 3, 4}) EXPECT_NEAR(stones[n], 2000 / 3.0, 120);
  EXPECT_NEAR(balanced, 1000, 120);
  settings.games.sizes = {5};  // no star points
  settings.games.handicap_share = 1;
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(drawn_rules(settings, i).handicap, 0);
}

TEST(GameStart, ABalancedKomiCountsWhatTheRulesGiveWhite) {
  SelfplaySettings settings;
  settings.komi_centre = 6;
  Rules rules = parse_rules("9x9 ko=simple suicide=none scoring=area dead=as-they-stand komi=0");
  rules.handicap = 3;
  EXPECT_EQ(balanced_komi(settings, rules), 6 + 2 * 14);
  rules.handicap_bonus = HandicapBonus::kStones;
  EXPECT_EQ(balanced_komi(settings, rules), 6 + 2 * 14 - 3);
}

TEST(GameStart, HandicapGamesArePlayedFromTheirStones) {
  SelfplaySettings settings = small_games();
  settings.games.sizes = {7};
  settings.games.handicap_share = 1;
  for (const GameRecord& game : games_of_pool(settings, 4, 6, std::make_shared<HashEvaluator>(5))) {
    EXPECT_GE(game.rules.handicap, 2);
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    EXPECT_EQ(samples_from(game).size(), static_cast<std::size_t>(row_count(game)));
  }
}

TEST(GameStart, StonesThatPlayersWouldMarkArePlayedOutByPrograms) {
  SelfplaySettings settings;
  settings.games.rules = "club-area";
  EXPECT_EQ(drawn_rules(settings, 0).dead_stones, DeadStones::kPassDead);
  settings.games.rules = "traditional";
  EXPECT_EQ(drawn_rules(settings, 0).dead_stones, DeadStones::kPlayedOut);
  settings.games.rules = "japanese-9x9";
  EXPECT_EQ(drawn_rules(settings, 0).dead_stones, DeadStones::kAutomatic);
  settings.games.play_out = true;
  EXPECT_EQ(drawn_rules(settings, 0).dead_stones, DeadStones::kPlayedOut);
}

TEST(GameStart, OpeningMovesFollowThePolicyOverLegalPoints) {
  Rules rules;
  rules.size = BoardSize::square(3);
  const Position position(rules, board_from_text(R"(
      X . .
      . . .
      . . .)"),
                          Color::kWhite);
  std::array<float, kMaxArea + 1> logits{};
  logits[0] = 50;  // occupied
  logits[9] = 50;  // pass
  logits[4] = std::log(8.F);
  std::map<int, int> seen;
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    ++seen[policy_index(sampled_move(position, logits.data(), rng), rules.size)];
  }
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[9], 0);
  EXPECT_NEAR(seen[4], 1600, 120);  // 8 of 15
  EXPECT_NEAR(seen[8], 200, 60);
  logits[4] = NAN;
  EXPECT_THROW(sampled_move(position, logits.data(), rng), Error);
}

TEST(GameStart, RandomGamesAreAFunctionOfSeedAndIndex) {
  const SelfplaySettings settings = small_games();
  EXPECT_EQ(canonical_text(random_game(settings, 3)), canonical_text(random_game(settings, 3)));
  EXPECT_NE(canonical_text(random_game(settings, 3)), canonical_text(random_game(settings, 4)));
}

}  // namespace
}  // namespace tengen
