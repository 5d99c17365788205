#include "rules/rules_text.h"

#include <algorithm>
#include <iomanip>
#include <optional>
#include <set>
#include <sstream>

#include "rules/check.h"
#include "rules/edit_distance.h"
#include "rules/presets.h"

namespace tengen {
namespace {

constexpr std::size_t kAlwaysTold = 5;  // of the fields, the first

[[noreturn]] void fail(std::string_view field, const std::string& expected,
                       std::string_view found) {
  throw Error("rules, " + std::string(field) + ": expected " + expected + ", found '" +
              std::string(found) + "'");
}

template <class Named>
std::string names_of(std::span<const Named> all) {
  std::string list;
  for (const Named& each : all) (list += list.empty() ? "" : ", ") += each.name;
  return list;
}

void set_field(Rules& rules, std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const auto fields = rule_fields();
  const auto field = std::ranges::find(fields, name, &RuleField::name);
  if (equals == std::string_view::npos || field == fields.end()) {
    const auto nearest = std::ranges::min_element(
        fields, {}, [&](const RuleField& f) { return edit_distance(name, f.name); });
    fail("'" + std::string(word) + "'",
         "FIELD=VALUE with one of " + names_of(rule_fields()) +
             " (nearest: " + std::string(nearest->name) + ")",
         name);
  }
  const std::string_view value = word.substr(equals + 1);
  if (field->set(rules, value)) return;
  fail(name,
       field->values.empty() ? std::string(field->expected) : "one of " + names_of(field->values),
       value);
}

std::string meaning_of(const RuleField& field, const Rules& rules) {
  const std::string value = field.get(rules);
  const auto place = std::ranges::find(field.values, value, &RuleValue::name);
  return place != field.values.end() ? std::string(place->meaning) : value;
}

// Reads the line, on `board` if that is given: then the line may not name one.
Rules read_rules(std::string_view text, std::optional<BoardSize> board) {
  std::istringstream in{std::string(text)};
  std::string word;
  const auto next = [&] {
    word.clear();
    in >> word;
  };
  next();
  if (word.empty()) fail("text", "a preset's name, a board or fields", text);
  Rules rules;
  const Preset* preset = nullptr;
  const bool is_name = !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0 &&
                       word.find('=') == std::string::npos;
  if (is_name) {
    preset = &preset_named(word);
    rules = preset->rules;
    next();
  }
  const auto size = parse_board_size(word);
  if (board && size) fail("size", "no board, it is told elsewhere", word);
  if (!board && !size && !is_name) {
    fail("size", "a preset's name or a size from 2x2 to 19x19 first", word);
  }
  if (size || board) rules.size = size ? *size : *board;
  if (size) next();
  if (preset != nullptr) check_size(*preset, rules.size);
  std::string fields;
  for (; !word.empty(); next()) fields += word + " ";
  return changed_rules(rules, fields);
}

}  // namespace

std::string to_text(const Rules& rules) {
  const Rules plain;
  std::string line = to_text(rules.size);
  const auto fields = rule_fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string value = fields[i].get(rules);
    if (i < kAlwaysTold || value != fields[i].get(plain)) {
      line += " " + std::string(fields[i].name) + "=" + value;
    }
  }
  return line;
}

Rules changed_rules(Rules rules, std::string_view fields) {
  std::istringstream in{std::string(fields)};
  std::set<std::string> told;
  for (std::string word; in >> word;) {
    if (!told.insert(word.substr(0, word.find('='))).second) fail(word, "each field once", word);
    set_field(rules, word);
  }
  validate(rules);
  return rules;
}

std::string rule_set_text(const Rules& rules) {
  Rules plain = rules;
  plain.komi = Komi();
  plain.handicap = 0;
  plain.handicap_bonus = HandicapBonus::kNone;  // mean nothing without handicap
  plain.handicap_placement = HandicapPlacement::kCentre;
  plain.move_cap = 0;
  std::string text = to_text(plain);
  text.erase(0, text.find(' ') + 1);
  const std::string komi = " komi=" + to_text(plain.komi);
  text.erase(text.find(komi), komi.size());
  return text;
}

Rules parse_rules(std::string_view text) {
  return read_rules(text, std::nullopt);
}

Rules parse_rules(std::string_view text, BoardSize size) {
  return read_rules(text, size);
}

std::string described(const Rules& rules) {
  const Rules plain;
  std::ostringstream out;
  const auto fields = rule_fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const RuleField& field = fields[i];
    const std::string value = field.get(rules);
    if (i >= kAlwaysTold && value == field.get(plain)) continue;
    out << "  " << std::left << std::setw(22) << std::string(field.name) + "=" + value
        << field.meaning;
    if (!field.values.empty()) out << ": " << meaning_of(field, rules);
    out << "\n";
  }
  return out.str();
}

std::string differences(const Rules& a, std::string_view name_a, const Rules& b,
                        std::string_view name_b) {
  std::ostringstream out;
  const int width = static_cast<int>(std::max(name_a.size(), name_b.size()));
  for (const RuleField& field : rule_fields()) {
    const std::string first = field.get(a), second = field.get(b);
    if (first == second) continue;
    out << field.name << " (" << field.meaning << ")\n";
    for (const auto& [name, rules] : {std::pair{name_a, &a}, std::pair{name_b, &b}}) {
      out << "  " << std::left << std::setw(width) << name << "  " << field.get(*rules);
      if (!field.values.empty()) out << ": " << meaning_of(field, *rules);
      out << "\n";
    }
  }
  return out.str();
}

}  // namespace tengen
