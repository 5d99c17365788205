#include "rules/rules.h"

#include <array>
#include <optional>
#include <sstream>
#include <utility>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::array kKos = {Ko::kSimple, Ko::kPositional, Ko::kSituational};
constexpr std::array kScorings = {AreaScoring::kAsItStands, AreaScoring::kPassDeadRemoved};

std::string_view suicide_name(const Rules& rules) {
  if (rules.multi_stone_suicide) return rules.single_stone_suicide ? "all" : "multi";
  return rules.single_stone_suicide ? "single" : "none";
}

// The text after "key=", which must be the next word.
std::string read_field(std::istringstream& in, std::string_view key) {
  std::string word;
  in >> word;
  if (!word.starts_with(std::string(key) + "=")) {
    throw Error("rules: expected " + std::string(key) + "=..., found '" + word + "'");
  }
  return word.substr(key.size() + 1);
}

[[noreturn]] void fail(std::string_view field, std::string_view expected, std::string_view found) {
  throw Error("rules, " + std::string(field) + ": expected " + std::string(expected) + ", found '" +
              std::string(found) + "'");
}

template <class Values>
auto value_named(const Values& values, std::string_view field, std::string_view name) {
  std::string names;
  for (const auto value : values) {
    if (name == name_of(value)) return value;
    names += (names.empty() ? "" : ", ") + std::string(name_of(value));
  }
  fail(field, "one of " + names, name);
}

}  // namespace

std::string_view name_of(Ko ko) {
  switch (ko) {
    case Ko::kSimple:
      return "simple";
    case Ko::kPositional:
      return "positional";
    case Ko::kSituational:
      return "situational";
  }
  check(false, "a ko rule has a name");
  return {};
}

std::string_view name_of(AreaScoring scoring) {
  switch (scoring) {
    case AreaScoring::kAsItStands:
      return "area";
    case AreaScoring::kPassDeadRemoved:
      return "area-pass-dead-removed";
  }
  check(false, "a scoring has a name");
  return {};
}

std::string to_text(const Rules& rules) {
  std::ostringstream out;
  out << to_text(rules.size) << " ko=" << name_of(rules.ko) << " suicide=" << suicide_name(rules)
      << " scoring=" << name_of(rules.scoring) << " komi=" << to_text(rules.komi);
  return out.str();
}

Rules parse_rules(std::string_view text) {
  std::istringstream in{std::string(text)};
  Rules rules;
  std::string word;
  in >> word;
  const auto size = parse_board_size(word);
  if (!size) fail("size", "a size from 2x2 to 19x19", word);
  rules.size = *size;
  rules.ko = value_named(kKos, "ko", read_field(in, "ko"));
  const std::string suicide = read_field(in, "suicide");
  rules.multi_stone_suicide = suicide == "multi" || suicide == "all";
  rules.single_stone_suicide = suicide == "single" || suicide == "all";
  if (suicide != suicide_name(rules)) fail("suicide", "none, multi, single or all", suicide);
  rules.scoring = value_named(kScorings, "scoring", read_field(in, "scoring"));
  const std::string komi_text = read_field(in, "komi");
  const auto komi = parse_komi(komi_text);
  if (!komi) fail("komi", "a multiple of 0.5 within +-400", komi_text);
  rules.komi = *komi;
  if (in >> word) fail("end", "nothing after komi", word);
  return rules;
}

}  // namespace tengen
