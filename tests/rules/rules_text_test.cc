#include "rules/rules_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "rules/check.h"
#include "rules/presets.h"
#include "rules/prove.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

TEST(RulesText, GoesRound) {
  Rng rng(1);
  std::set<std::string> texts;
  for (int i = 0; i < 2000; ++i) {
    const BoardSize size = {static_cast<std::int8_t>(2 + rng.below(18)),
                            static_cast<std::int8_t>(2 + rng.below(18))};
    const Rules rules = any_rules(size, rng);
    const std::string text = to_text(rules);
    EXPECT_EQ(parse_rules(text), rules) << text;
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 1900U);
}

TEST(RulesText, TellsTheMainFieldsAndWhatIsNotUsual) {
  Rules rules;
  rules.size = BoardSize::square(9);
  EXPECT_EQ(to_text(rules),
            "9x9 ko=positional suicide=none scoring=area dead=as-they-stand komi=7.5");
  rules.tax = Tax::kSeki;
  rules.button = true;
  EXPECT_EQ(to_text(rules),
            "9x9 ko=positional suicide=none scoring=area dead=as-they-stand komi=7.5 tax=seki "
            "button=yes");
}

TEST(RulesText, StartsFromAPresetIfOneIsNamed) {
  EXPECT_EQ(parse_rules("japanese"), preset_rules("japanese", BoardSize::square(19)));
  EXPECT_EQ(parse_rules("club-area"), preset_rules("club-area", BoardSize::square(9)));
  Rules rules = preset_rules("club-area", BoardSize::square(13));
  rules.komi = Komi::from_half_points(13);
  EXPECT_EQ(parse_rules("club-area 13x13 komi=6.5"), rules);
  EXPECT_EQ(parse_rules("tromp-taylor 7x5 suicide=none").size, (BoardSize{7, 5}));
}

TEST(RulesText, AnErrorNamesTheFieldWhatWasExpectedAndWhatWasFound) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "rules, text: expected a preset's name, a board or fields, found ''"},
      {"1x9", "size"},
      {"9x9 ko=super", "rules, ko: expected one of simple, positional, situational, found 'super'"},
      {"9x9 suicide=some", "suicide: expected one of none, multi, single, all, found 'some'"},
      {"9x9 scoring=territory", "dead: expected marked, automatic or played-out"},
      {"9x9 scoring=area dead=played-out", "dead"},
      {"9x9 komi=7.3", "komi: expected a multiple of 0.5 within +-400, found '7.3'"},
      {"9x9 taxes=all", "nearest: tax"},
      {"9x9 ko=simple ko=simple", "each field once"},
      {"9x9 ko", "FIELD=VALUE"},
      {"9x9 japanese", "FIELD=VALUE"},
      {"japanes", "unknown rules 'japanes'; the nearest is 'japanese'"},
      {"casual-9x9 19x19", "casual-9x9 are not played on 19x19: expected 9x9"},
      {"tromp-taylor 5x5 handicap=9", "handicap: expected 0 on 5x5, found 9"},
      {"chinese 5x5 handicap=9", "handicap: expected 0 to 2 on 5x5, found 9"},
      {"9x9 handicap=-2", "handicap: expected a whole number from 0"},
      {"japanese button=yes", "button"},
      {"9x9 ko=simple three-kos=draw", "three-kos"},
  };
  for (const auto& [text, part] : cases) {
    const std::string error = error_of([&] { parse_rules(text); });
    EXPECT_NE(error.find(part), std::string::npos) << text << ": " << error;
  }
}

TEST(RulesText, DescribesAndComparesInWords) {
  const Rules club = preset_rules("club-area", BoardSize::square(9));
  EXPECT_NE(described(club).find(
                "  dead=marked           dead stones: both players mark and confirm them"),
            std::string::npos)
      << described(club);
  const Rules stands = preset_rules("tromp-taylor", BoardSize::square(9));
  EXPECT_EQ(differences(stands, "a", stands, "b"), "");
  Rules removed = stands;
  removed.dead_stones = DeadStones::kPassDead;
  EXPECT_EQ(differences(stands, "tromp-taylor", removed, "katago"),
            "dead (dead stones)\n"
            "  tromp-taylor  as-they-stand: none are removed, all stones on the board count\n"
            "  katago        pass-dead: removed inside territory that even passing keeps "
            "(KataGo's)\n");
}

TEST(Presets, AreThirteenAndPlayableOnTheirBoards) {
  std::set<std::string_view> names;
  for (const Preset& preset : presets()) {
    names.insert(preset.name);
    for (int n = 2; n <= 19; ++n) {
      const BoardSize size = BoardSize::square(n);
      const bool is_played = preset.sizes.empty() || std::ranges::count(preset.sizes, n) > 0;
      const std::string error = error_of([&] { preset_rules(preset.name, size); });
      EXPECT_EQ(error.empty(), is_played) << preset.name << " " << n << ": " << error;
    }
  }
  EXPECT_EQ(names.size(), 13U);
}

TEST(Presets, AreThoseOfTheTexts) {
  const auto line = [](std::string_view name, int n) {
    return to_text(preset_rules(name, BoardSize::square(n)));
  };
  EXPECT_EQ(line("tromp-taylor", 9),
            "9x9 ko=positional suicide=multi scoring=area dead=as-they-stand komi=7.5");
  EXPECT_EQ(line("club-area", 13),
            "13x13 ko=positional suicide=none scoring=area dead=marked komi=7.5");
  EXPECT_EQ(line("traditional", 19),
            "19x19 ko=positional suicide=none scoring=territory dead=marked komi=0 "
            "three-kos=draw tax=seki");
  EXPECT_EQ(line("casual-9x9", 9),
            "9x9 ko=simple suicide=none scoring=area dead=as-they-stand komi=5.5 "
            "repetition=no-result end=same-pass");
  EXPECT_EQ(line("three-rules", 19),
            "19x19 ko=positional suicide=all scoring=territory dead=played-out komi=0 "
            "placement=sides");
  EXPECT_EQ(line("japanese-9x9", 9),
            "9x9 ko=simple suicide=none scoring=territory dead=automatic komi=6.5 "
            "repetition=no-result end=same-pass tax=seki");
  EXPECT_EQ(line("chinese", 19),
            "19x19 ko=simple suicide=none scoring=area dead=pass-dead komi=7.5 "
            "repetition=no-result end=same-pass bonus=n placement=free");
  EXPECT_EQ(line("aga", 19),
            "19x19 ko=situational suicide=none scoring=area dead=pass-dead komi=7.5 bonus=n-1");
}

TEST(Rules, PlayedOutIsWhatProgramsPlay) {
  const BoardSize nine = BoardSize::square(9);
  EXPECT_EQ(played_out(preset_rules("club-area", nine), false).dead_stones, DeadStones::kPassDead);
  EXPECT_EQ(played_out(preset_rules("traditional", nine), false).dead_stones,
            DeadStones::kPlayedOut);
  EXPECT_EQ(played_out(preset_rules("japanese-9x9", nine), false).dead_stones,
            DeadStones::kAutomatic);
  EXPECT_EQ(played_out(preset_rules("japanese-9x9", nine), true).dead_stones,
            DeadStones::kPlayedOut);
  for (const Preset& preset : presets()) validate(played_out(preset.rules, true));
}

TEST(Rules, AreOneRuleSetWhateverBoardKomiAndHandicap) {
  const Rules a = parse_rules("japanese 9x9 komi=0.5"), b = parse_rules("japanese handicap=3");
  EXPECT_NE(rule_set_text(a), rule_set_text(parse_rules("chinese 9x9 komi=0.5")));
  EXPECT_EQ(rule_set_text(a), rule_set_text(b));
  EXPECT_EQ(rule_set_text(a),
            "ko=simple suicide=none scoring=territory dead=played-out repetition=no-result "
            "end=same-pass tax=seki");
}

}  // namespace
}  // namespace tengen
