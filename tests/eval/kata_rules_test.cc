#include "eval/kata_rules.h"

#include <gtest/gtest.h>

#include "rules/check.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

TEST(KataRules, AreWrittenAsKataGoWritesThem) {
  EXPECT_EQ(kata_rules(with_kata_rules(rules_on(9, 7.5), "tromp-taylor")),
            R"({"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE",)"
            R"("whiteHandicapBonus":"0","friendlyPassOk":false})");
}

TEST(KataRules, ReadBackWhatTheyWrite) {
  for (const Ko ko : {Ko::kSimple, Ko::kPositional, Ko::kSituational}) {
    for (const bool multi : {false, true}) {
      for (const bool single : {false, true}) {
        Rules rules = rules_on(9, 5.5);
        rules.ko = ko;
        rules.multi_stone_suicide = multi;
        rules.single_stone_suicide = single;
        EXPECT_EQ(with_kata_rules(rules_on(9, 5.5), kata_rules(rules)), rules);
      }
    }
  }
}

TEST(KataRules, KnowNamesInAllSpellings) {
  for (const char* name : {"tromp-taylor", "Tromp_Taylor", "tromp taylor", "tromptaylor"}) {
    EXPECT_EQ(with_kata_rules(rules_on(9, 7.5), name).ko, Ko::kPositional);
  }
  EXPECT_EQ(with_kata_rules(rules_on(9, 7.5), "nz").ko, Ko::kSituational);
}

TEST(KataRules, KeepKomiUnlessTheJsonNamesOne) {
  EXPECT_EQ(with_kata_rules(rules_on(9, 5.5), "tromp-taylor").komi.half_points(), 11);
  EXPECT_EQ(with_kata_rules(rules_on(9, 5.5), R"({"komi": 7.0})").komi.half_points(), 14);
}

TEST(KataRules, RefuseWhatTheseRulesCannotExpress) {
  for (const char* text :
       {"japanese", "chinese", "", "{", "{}x", R"({"scoring":"TERRITORY"})", R"({"tax":"SEKI"})",
        R"({"hasButton":true})", R"({"whiteHandicapBonus":"N"})", R"({"ko":"SPIGHT"})",
        R"({"ko":3})", R"({"suicide":"yes"})", R"({"komi":7.25})", R"({"kom":7})"}) {
    EXPECT_THROW(with_kata_rules(rules_on(9, 7.5), text), Error) << text;
  }
}

}  // namespace
}  // namespace tengen
