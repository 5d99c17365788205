#include "rules/rules.h"

#include <algorithm>
#include <sstream>

#include "rules/check.h"

namespace tengen {
namespace {

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

template <std::size_t kCount, class Enum>
std::string_view name_in(const std::array<std::string_view, kCount>& names, Enum value) {
  const auto place = static_cast<std::size_t>(value);
  check(place < kCount, "an enumerator has a name");
  return names[place];
}

template <class Enum, std::size_t kCount>
std::optional<Enum> value_named(const std::array<std::string_view, kCount>& names,
                                std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

template <std::size_t kCount>
std::string one_of(const std::array<std::string_view, kCount>& names) {
  std::string list = "one of ";
  for (const std::string_view name : names) (list += name == names[0] ? "" : ", ") += name;
  return list;
}

}  // namespace

std::string_view name_of(Ko ko) {
  return name_in(kKoNames, ko);
}

std::string_view name_of(AreaScoring scoring) {
  return name_in(kScoringNames, scoring);
}

std::optional<Ko> parse_ko(std::string_view name) {
  return value_named<Ko>(kKoNames, name);
}

std::optional<AreaScoring> parse_scoring(std::string_view name) {
  return value_named<AreaScoring>(kScoringNames, name);
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
  const std::string ko_name = read_field(in, "ko");
  const auto ko = parse_ko(ko_name);
  if (!ko) fail("ko", one_of(kKoNames), ko_name);
  rules.ko = *ko;
  const std::string suicide = read_field(in, "suicide");
  rules.multi_stone_suicide = suicide == "multi" || suicide == "all";
  rules.single_stone_suicide = suicide == "single" || suicide == "all";
  if (suicide != suicide_name(rules)) fail("suicide", "none, multi, single or all", suicide);
  const std::string scoring_name = read_field(in, "scoring");
  const auto scoring = parse_scoring(scoring_name);
  if (!scoring) fail("scoring", one_of(kScoringNames), scoring_name);
  rules.scoring = *scoring;
  const std::string komi_text = read_field(in, "komi");
  const auto komi = parse_komi(komi_text);
  if (!komi) {
    fail("komi", "a multiple of 0.5 within +-" + std::to_string(Komi::kMaxPoints), komi_text);
  }
  rules.komi = *komi;
  if (in >> word) fail("end", "nothing after komi", word);
  return rules;
}

}  // namespace tengen
