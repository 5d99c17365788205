#include "eval/kata_rules.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "eval/gtp_syntax.h"
#include "rules/check.h"

namespace tengen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::string upper(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

Ko ko_from(const std::string& name) {
  const auto ko = parse_ko(lower_case(name));
  if (!ko) throw Error("ko: expected SIMPLE, POSITIONAL or SITUATIONAL");
  return *ko;
}

// Fields that have one possible value here.
void require(const json& given, const char* key, const json& only) {
  if (given.contains(key) && given[key] != only) {
    throw Error(std::string(key) + ": only " + only.dump() + " is supported");
  }
}

Rules from_json(Rules rules, const json& given) {
  rules.ko = Ko::kPositional;  // what the JSON leaves out is as in Tromp-Taylor
  rules.multi_stone_suicide = true;
  rules.single_stone_suicide = false;
  require(given, "scoring", "AREA");
  require(given, "score", "AREA");
  require(given, "tax", "NONE");
  require(given, "hasButton", false);
  require(given, "whiteHandicapBonus", "0");
  for (const auto& [key, value] : given.items()) {
    if (key == "ko") {
      rules.ko = ko_from(value.get<std::string>());
    } else if (key == "suicide") {
      rules.multi_stone_suicide = value.get<bool>();
    } else if (key == "singleStoneSuicide") {
      rules.single_stone_suicide = value.get<bool>();
    } else if (key == "komi") {
      const auto komi = parse_gtp_komi(value.is_string() ? value.get<std::string>() : value.dump());
      if (!komi) throw Error("komi: expected a multiple of 0.5");
      rules.komi = *komi;
    } else if (key != "scoring" && key != "score" && key != "tax" && key != "hasButton" &&
               key != "whiteHandicapBonus" && key != "friendlyPassOk") {
      throw Error("unknown rule " + json(key).dump());
    }
  }
  return rules;
}

}  // namespace

std::string kata_rules(const Rules& rules) {
  ordered_json out = {{"hasButton", false},     {"ko", upper(name_of(rules.ko))},
                      {"scoring", "AREA"},      {"suicide", rules.multi_stone_suicide},
                      {"tax", "NONE"},          {"whiteHandicapBonus", "0"},
                      {"friendlyPassOk", false}};
  if (rules.single_stone_suicide) out["singleStoneSuicide"] = true;
  return out.dump();
}

Rules with_kata_rules(Rules rules, std::string_view text) {
  if (!text.empty() && text.front() == '{') {
    try {
      return from_json(rules, json::parse(text));
    } catch (const json::exception&) {
      throw Error("rules: expected a JSON object of KataGo's fields");
    }
  }
  std::string name = lower_case(text);
  std::erase_if(name, [](char c) { return c == '-' || c == '_' || c == ' '; });
  if (name == "tromptaylor") {
    rules.ko = Ko::kPositional;
  } else if (name == "newzealand" || name == "nz") {
    rules.ko = Ko::kSituational;
  } else {
    throw Error(
        "rules: expected tromp-taylor, new-zealand or JSON; others count in ways not "
        "supported");
  }
  rules.multi_stone_suicide = true;
  rules.single_stone_suicide = false;
  return rules;
}

}  // namespace tengen
