#include "eval/rules_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "rules/check.h"
#include "rules/presets.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

std::string printed(void (*print)(std::ostream&)) {
  std::ostringstream out;
  print(out);
  return out.str();
}

TEST(RulesReport, ReadsAllSpellings) {
  EXPECT_EQ(rules_named("club-area 13x13 komi=6.5"), parse_rules("club-area 13x13 komi=6.5"));
  EXPECT_EQ(rules_named("9x9 ko=simple"), parse_rules("9x9 ko=simple"));
  EXPECT_EQ(rules_named("ko=simple", BoardSize::square(7)), parse_rules("7x7 ko=simple"));
  EXPECT_EQ(rules_named("chinese-ogs").ko, Ko::kPositional);
  EXPECT_EQ(rules_named(R"({"ko":"SIMPLE","scoring":"TERRITORY"})").tax, Tax::kSeki);
  EXPECT_EQ(rules_named("koSIMPLEscoreTERRITORYtaxALLsui0", BoardSize::square(9)).tax, Tax::kAll);
  EXPECT_EQ(rules_named("japanese", BoardSize::square(9)), parse_rules("japanese 9x9"));
  for (const char* text : {"", "go", "{", "koLOOSE", "club-area 7x7", "japanese ko=9"}) {
    EXPECT_THROW(rules_named(text), Error) << text;
  }
}

TEST(RulesReport, KomiIsTheNamesWhateverItsSpelling) {
  const auto komi_of = [](std::string_view text) { return to_text(rules_named(text).komi); };
  for (const char* name : {"japanese", "Japanese", "KOREAN", "ancient-territory",
                           R"({"scoring":"TERRITORY"})", "koSIMPLEscoreTERRITORY"}) {
    EXPECT_EQ(komi_of(name), "6.5") << name;
  }
  for (const char* name : {"new-zealand", "New_Zealand", "nz", "NZ", "aga-button"}) {
    EXPECT_EQ(komi_of(name), "7") << name;
  }
  EXPECT_EQ(komi_of("chinese-ogs"), "7.5");
  EXPECT_EQ(rules_named("Tromp_Taylor"), rules_named("tromp-taylor"));
  EXPECT_FALSE(names_board(R"({"komi": 7 })"));
  EXPECT_TRUE(names_board("japanese 9 komi=5.5"));
}

TEST(RulesReport, ListsEveryPreset) {
  const std::string text = printed(print_presets);
  for (const Preset& preset : presets()) {
    EXPECT_NE(text.find("\n" + std::string(preset.name) + " "), std::string::npos) << preset.name;
  }
}

TEST(RulesReport, FitsIntoATerminal) {
  constexpr std::size_t kColumns = 100;
  for (const Preset& preset : presets()) {
    std::ostringstream out;
    print_rules(preset.name, out);
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      const bool is_for_programs =
          line.find('{') != std::string::npos || line.find(" ko=") != std::string::npos;
      EXPECT_TRUE(is_for_programs || line.size() <= kColumns) << line;
    }
  }
}

TEST(RulesReport, SaysWhatClubAreaIs) {
  std::ostringstream out;
  print_rules("club-area", out);
  EXPECT_EQ(out.str(), R"(club-area: Area with superko; the players agree on dead stones
Boards: 9 13 19; komi: 7.5, 6.5, 5.5, 0.5

  ko=positional         may not come back: any earlier position of the board, whoever is to move
  suicide=none          suicide: forbidden
  scoring=area          what counts: stones on the board and empty points they surround
  dead=marked           dead stones: both players mark and confirm them; programs play on
  komi=7.5              points for White

In one line:
  9x9 ko=positional suicide=none scoring=area dead=marked komi=7.5
In KataGo's words:
  {"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"0","friendlyPassOk":false,"deadStones":"marked"}
Between programs, who mark nothing:
  9x9 ko=positional suicide=none scoring=area dead=pass-dead komi=7.5
)");
}

TEST(RulesReport, ComparesTwo) {
  std::ostringstream out;
  print_difference("japanese", "korean", out);
  EXPECT_EQ(out.str(), "no difference\n");
}

}  // namespace
}  // namespace tengen
