#include "eval/kata_rules.h"

#include <gtest/gtest.h>

#include "rules/check.h"
#include "rules/presets.h"
#include "rules/rules_text.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

Rules read(std::string_view text) {
  return with_kata_rules(rules_on(9, 7.5), text);
}

TEST(KataRules, AreWrittenAsKataGoWritesThem) {
  EXPECT_EQ(kata_rules(read("tromp-taylor")),
            R"({"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE",)"
            R"("whiteHandicapBonus":"0","friendlyPassOk":false})");
  EXPECT_EQ(kata_rules(read("japanese")),
            R"({"hasButton":false,"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,)"
            R"("tax":"SEKI","whiteHandicapBonus":"0","friendlyPassOk":false})");
}

TEST(KataRules, ReadBackWhatTheyWrite) {
  for (const char* text : {"tromp-taylor", "chinese", "chinese-ogs", "japanese", "aga",
                           "aga-button", "new-zealand", "ing", "stone-scoring", "ancient-territory",
                           "club-area", "casual-9x9", "japanese-9x9", "tromp-taylor suicide=all"}) {
    const Rules rules = read(text);
    EXPECT_EQ(kata_rules(read(kata_rules(rules))), kata_rules(rules)) << text;
    EXPECT_EQ(read(kata_rules(rules)).dead_stones, rules.dead_stones) << text;
  }
}

TEST(KataRules, NamesInAllSpellingsMeanWhatKataGoMeans) {
  for (const char* name : {"tromp-taylor", "Tromp_Taylor", "tromp taylor", "tromptaylor"}) {
    EXPECT_EQ(to_text(read(name)),
              "9x9 ko=positional suicide=multi scoring=area dead=pass-dead komi=7.5");
  }
  EXPECT_EQ(read("nz"), with_kata_rules(rules_on(9, 7.5), "new-zealand"));
  EXPECT_EQ(read("Chinese_KGS").ko, Ko::kPositional);
  EXPECT_EQ(read("Chinese_KGS").handicap_bonus, HandicapBonus::kStones);
  EXPECT_TRUE(read("aga-button").button);
  EXPECT_EQ(read("goe").ko, Ko::kPositional);
}

TEST(KataRules, JsonAndCompactFormSayTheSame) {
  const Rules japanese = read("japanese");
  EXPECT_EQ(read(R"({"ko":"SIMPLE","scoring":"TERRITORY","suicide":false})"), japanese);
  EXPECT_EQ(read("koSIMPLEscoreTERRITORYtaxSEKIsui0"), japanese);
  EXPECT_EQ(read("koSIMPLE scoreTERRITORY sui0 komi7.5"), japanese);
  EXPECT_EQ(read("koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1fpok1komi7.0"),
            with_kata_rules(rules_on(9, 7.0), "aga-button"));
}

TEST(KataRules, KeepKomiUnlessItIsTold) {
  EXPECT_EQ(with_kata_rules(rules_on(9, 5.5), "tromp-taylor").komi.half_points(), 11);
  EXPECT_EQ(with_kata_rules(rules_on(9, 5.5), "club-area").komi.half_points(), 11);
  EXPECT_EQ(with_kata_rules(rules_on(9, 5.5), R"({"komi": 7.0})").komi.half_points(), 14);
  EXPECT_EQ(with_kata_rules(rules_on(9, 5.5), "club-area komi=6.5").komi.half_points(), 13);
}

TEST(KataRules, FieldsAloneChangeTheRulesInForce) {
  const Rules button = read("aga-button");
  Rules expected = button;
  expected.tax = Tax::kSeki;
  expected.move_cap = 30;
  EXPECT_EQ(with_kata_rules(button, "tax=seki cap=30"), expected);
  EXPECT_EQ(read("sui1").multi_stone_suicide, true);
  EXPECT_EQ(read(R"({"ko":"situational"})").ko, Ko::kSituational);
}

TEST(KataRules, KeepTheHandicapThatIsOnTheBoard) {
  Rules rules = rules_on(5, 0.5);
  rules.handicap = 7;
  EXPECT_EQ(with_kata_rules(rules, "japanese").handicap, 7);
  EXPECT_THROW(with_kata_rules(rules, "chinese handicap=2"), Error);
}

TEST(KataRules, RefuseWhatTheseRulesCannotExpress) {
  for (const char* text :
       {"", "{", "{}x", "japanes", R"({"ko":"SPIGHT"})", R"({"ko":3})", R"({"suicide":"yes"})",
        R"({"komi":7.25})", R"({"kom":7})", R"({"scoring":"TERRITORY","hasButton":true})",
        R"({"deadStones":"buried"})", "koSPIGHTscoreAREA", "koSIMPLEscoreAREAtaxSOME",
        "koSIMPLEsui2", "koSIMPLEwhat1", "koSIMPLEkomi7.3", "club-area 19x19", "three-rules x=1"}) {
    EXPECT_THROW(read(text), Error) << text;
  }
  EXPECT_THROW(with_kata_rules(rules_on(19, 7.5), "casual-9x9"), Error);
}

}  // namespace
}  // namespace tengen
