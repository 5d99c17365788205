#include "eval/kata_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "eval/gtp_syntax.h"
#include "rules/check.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<const char*, 3> kKoNames = {"SIMPLE", "POSITIONAL", "SITUATIONAL"};
constexpr std::array<const char*, 2> kScoringNames = {"AREA", "TERRITORY"};
constexpr std::array<const char*, 3> kTaxNames = {"NONE", "SEKI", "ALL"};
constexpr std::array<const char*, 3> kBonusNames = {"0", "N", "N-1"};

// KataGo's names that are no presets here, and what they stand for.
struct KataName {
  std::string_view name;  // without - _ and blanks
  std::string_view rules;
};
constexpr std::array kKataNames = {
    KataName{"tromptaylor", "tromp-taylor dead=pass-dead"},
    KataName{"chinese", "chinese"},
    KataName{"chineseogs", "chinese ko=positional repetition=play-on end=two-passes"},
    KataName{"chinesekgs", "chinese ko=positional repetition=play-on end=two-passes"},
    KataName{"japanese", "japanese"},
    KataName{"korean", "korean"},
    KataName{"ancientarea", "stone-scoring"},
    KataName{"stonescoring", "stone-scoring"},
    KataName{"ancientterritory", "japanese tax=all"},
    KataName{"agabutton", "aga button=yes komi=7"},
    KataName{"aga", "aga"},
    KataName{"bga", "aga"},
    KataName{"french", "aga"},
    KataName{"newzealand", "new-zealand"},
    KataName{"nz", "new-zealand"},
    KataName{"ing", "ing"},
    KataName{"goe", "ing"},
};

// What KataGo's fields leave open follows from them.
void set_katago_meaning(Rules& rules) {
  const bool is_simple = rules.ko == Ko::kSimple;
  rules.repetition = is_simple ? Repetition::kNoResult : Repetition::kPlayOn;
  rules.play_end = is_simple ? PlayEnd::kTwoPassesOrSamePass : PlayEnd::kTwoPasses;
  rules.three_ko_draw = false;
  rules.dead_stones =
      rules.scoring == Scoring::kArea ? DeadStones::kPassDead : DeadStones::kPlayedOut;
}

// The rules that KataGo starts from when it reads fields.
Rules plain_katago(BoardSize size) {
  Rules plain;
  plain.size = size;
  plain.multi_stone_suicide = true;
  return plain;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

template <class Enum, std::size_t kCount>
void set_choice(Enum& field, const std::array<const char*, kCount>& names, const char* key,
                const std::string& name) {
  const auto found = std::ranges::find(names, upper_case(name));
  if (found == names.end()) {
    std::string expected;
    for (const char* each : names) (expected += expected.empty() ? "" : ", ") += each;
    throw Error(std::string("rules, ") + key + ": expected one of " + expected + ", found '" +
                name + "'");
  }
  field = static_cast<Enum>(found - names.begin());
}

// Rules as told, and whether komi was among it; else it is what KataGo takes for such rules.
struct ToldRules {
  Rules rules;
  bool tells_komi = false;
};

Komi usual_komi(const Rules& rules) {
  if (rules.button) return Komi::from_half_points(14);
  return Komi::from_half_points(rules.scoring == Scoring::kTerritory ? 13 : 15);
}

void set_komi(Rules& rules, const std::string& text) {
  const auto komi = parse_gtp_komi(text);
  if (!komi) throw Error("rules, komi: expected a multiple of 0.5, found '" + text + "'");
  rules.komi = *komi;
}

void set_dead_stones(Rules& rules, const std::string& name) {
  const auto fields = rule_fields();
  const auto dead = std::ranges::find(fields, "dead", &RuleField::name);
  if (!dead->set(rules, name)) throw Error("rules, deadStones: unknown '" + name + "'");
}

ToldRules from_json(BoardSize size, const json& given) {
  Rules rules = plain_katago(size);
  std::optional<std::string> dead_stones;
  bool has_tax = false;
  const auto read_field = [&](const std::string& key, const json& value) {
    if (key == "ko") {
      set_choice(rules.ko, kKoNames, "ko", value.get<std::string>());
    } else if (key == "scoring" || key == "score") {
      set_choice(rules.scoring, kScoringNames, "scoring", value.get<std::string>());
    } else if (key == "tax") {
      set_choice(rules.tax, kTaxNames, "tax", value.get<std::string>());
      has_tax = true;
    } else if (key == "suicide") {
      rules.multi_stone_suicide = value.get<bool>();
    } else if (key == "singleStoneSuicide") {
      rules.single_stone_suicide = value.get<bool>();
    } else if (key == "hasButton") {
      rules.button = value.get<bool>();
    } else if (key == "whiteHandicapBonus") {
      set_choice(rules.handicap_bonus, kBonusNames, "whiteHandicapBonus", value.get<std::string>());
    } else if (key == "deadStones") {
      dead_stones = value.get<std::string>();
    } else if (key == "komi") {
      set_komi(rules, value.is_string() ? value.get<std::string>() : value.dump());
    } else if (key != "friendlyPassOk") {
      throw Error("rules: unknown field " + json(key).dump() +
                  ", expected one of ko, scoring, tax, " +
                  "suicide, hasButton, whiteHandicapBonus, friendlyPassOk, komi");
    }
  };
  for (const auto& [key, value] : given.items()) {
    try {
      read_field(key, value);
    } catch (const json::exception&) {
      throw Error("rules, " + key + ": expected a value of another kind, found " + value.dump());
    }
  }
  if (!has_tax && rules.scoring == Scoring::kTerritory) rules.tax = Tax::kSeki;
  set_katago_meaning(rules);
  if (dead_stones) set_dead_stones(rules, *dead_stones);
  if (!given.contains("komi")) rules.komi = usual_komi(rules);
  return {rules, given.contains("komi")};
}

// "koSIMPLE scoreTERRITORY taxSEKI sui0 button0 whbN-1 fpok1 komi6.5", blanks optional.
class CompactForm {
 public:
  explicit CompactForm(std::string_view text) : text_(text) {}

  ToldRules read(BoardSize size) {
    Rules rules = plain_katago(size);
    bool has_tax = false, has_komi = false;
    while (skip_blanks(), !text_.empty()) {
      if (take("komi")) {
        set_komi(rules, std::string(take_number()));
        has_komi = true;
      } else if (take("ko")) {
        take_choice(rules.ko, kKoNames, "ko");
      } else if (take("scoring") || take("score")) {
        take_choice(rules.scoring, kScoringNames, "score");
      } else if (take("tax")) {
        take_choice(rules.tax, kTaxNames, "tax");
        has_tax = true;
      } else if (take("suicide") || take("sui")) {
        rules.multi_stone_suicide = take_switch();
      } else if (take("button")) {
        rules.button = take_switch();
      } else if (take("whb")) {
        take_choice(rules.handicap_bonus, kBonusNames, "whb");
      } else if (take("fpok")) {
        take_switch();
      } else {
        fail("one of ko, score, tax, sui, button, whb, fpok, komi");
      }
    }
    if (!has_tax && rules.scoring == Scoring::kTerritory) rules.tax = Tax::kSeki;
    set_katago_meaning(rules);
    if (!has_komi) rules.komi = usual_komi(rules);
    return {rules, has_komi};
  }

  // Whether it begins as such a text does: one of its words, and a name in capitals or a number.
  static bool is_one(std::string_view text) {
    for (const std::string_view word :
         {"komi", "ko", "scoring", "score", "tax", "suicide", "sui", "button", "whb", "fpok"}) {
      if (!text.starts_with(word) || text.size() == word.size()) continue;
      const char next = text[word.size()];
      if ((next >= 'A' && next <= 'Z') || (next >= '0' && next <= '9')) return true;
    }
    return false;
  }

 private:
  bool take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  void skip_blanks() {
    while (take(" ")) continue;
  }
  bool take_switch() {
    if (take("1") || take("true")) return true;
    if (!take("0") && !take("false")) fail("0 or 1");
    return false;
  }
  std::string_view take_number() {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789"), text_.size());
    const std::string_view number = text_.substr(0, end);
    text_.remove_prefix(end);
    return number;
  }
  // The longest name first: "N-1" begins with "N".
  template <class Enum, std::size_t kCount>
  void take_choice(Enum& field, const std::array<const char*, kCount>& names, const char* key) {
    for (std::size_t i = kCount; i-- > 0;) {
      if (!take(names[i])) continue;
      field = static_cast<Enum>(i);
      return;
    }
    set_choice(field, names, key, std::string(text_.substr(0, text_.find(' '))));
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw Error("rules: expected " + expected + ", found '" + std::string(text_) + "'");
  }

  std::string_view text_;
};

ToldRules from_name_or_line(const Rules& now, std::string_view text) {
  std::string name = lower_case(text);
  std::erase_if(name, [](char c) { return c == '-' || c == '_' || c == ' '; });
  const auto known = std::ranges::find(kKataNames, name, &KataName::name);
  if (known != kKataNames.end()) return {parse_rules(known->rules, now.size), false};
  if (CompactForm::is_one(text)) return CompactForm(text).read(now.size);
  const bool tells_komi = text.find("komi=") != std::string_view::npos;
  const std::string_view first = text.substr(0, text.find(' '));
  const bool is_change = first.find('=') != std::string_view::npos;
  return {is_change ? changed_rules(now, text) : parse_rules(text, now.size), tells_komi};
}

// `now` is what fields alone change.
ToldRules told_rules(const Rules& now, std::string_view text) {
  if (!text.starts_with('{')) return from_name_or_line(now, text);
  const json given = json::parse(text, nullptr, false);
  if (!given.is_object()) throw Error("rules: expected a JSON object of KataGo's fields");
  return from_json(now.size, given);
}

}  // namespace

std::string kata_rules(const Rules& rules) {
  const auto name = [](const auto& names, auto value) {
    return names[static_cast<std::size_t>(value)];
  };
  ordered_json out = {{"hasButton", rules.button},
                      {"ko", name(kKoNames, rules.ko)},
                      {"scoring", name(kScoringNames, rules.scoring)},
                      {"suicide", rules.multi_stone_suicide},
                      {"tax", name(kTaxNames, rules.tax)},
                      {"whiteHandicapBonus", name(kBonusNames, rules.handicap_bonus)},
                      {"friendlyPassOk", false}};
  if (rules.single_stone_suicide) out["singleStoneSuicide"] = true;
  Rules usual = rules;
  set_katago_meaning(usual);
  if (usual.dead_stones != rules.dead_stones) {
    const auto fields = rule_fields();
    out["deadStones"] = std::ranges::find(fields, "dead", &RuleField::name)->get(rules);
  }
  return out.dump();
}

Rules kata_rules_named(std::string_view text, BoardSize size) {
  Rules plain;
  plain.size = size;
  const Rules rules = told_rules(plain, text).rules;
  validate(rules);
  return rules;
}

Rules with_kata_rules(const Rules& rules, std::string_view text) {
  Rules even = rules;
  even.handicap = 0;
  auto [asked, tells_komi] = told_rules(even, text);
  validate(asked);
  if (asked.handicap != 0) throw Error("rules, handicap: expected none here: stones are placed");
  if (!tells_komi) asked.komi = rules.komi;
  if (asked.move_cap == 0) asked.move_cap = rules.move_cap;
  asked.handicap = rules.handicap;  // of stones that are there
  return asked;
}

}  // namespace tengen
