#include "eval/rules_report.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "eval/gtp_syntax.h"
#include "eval/kata_rules.h"
#include "rules/check.h"
#include "rules/presets.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

std::string boards_of(const Preset& preset) {
  if (preset.sizes.empty()) return "any";
  std::string boards;
  for (const int n : preset.sizes) (boards += boards.empty() ? "" : " ") += std::to_string(n);
  return boards;
}

std::string komi_of(const Preset& preset) {
  std::string komi = to_text(preset.rules.komi);
  for (const Komi other : preset.other_komi) komi += ", " + to_text(other);
  return komi;
}

// The first word in the spelling of presets: "Tromp_Taylor" is tromp-taylor.
std::string first_word(std::string_view text) {
  std::string word = lower_case(text.substr(0, text.find_first_of(" \t")));
  std::ranges::replace(word, '_', '-');
  return word;
}

// The preset that a text begins with.
const Preset* preset_of(std::string_view text) {
  const auto all = presets();
  const auto found = std::ranges::find(all, first_word(text), &Preset::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

Rules rules_named(std::string_view text, std::optional<BoardSize> size) {
  const std::string first = first_word(text);
  const bool is_ours = preset_of(text) != nullptr || first.find('=') != std::string::npos ||
                       first.find_first_of("0123456789") == 0;
  if (!is_ours || text.starts_with('{')) {
    return kata_rules_named(text, size ? *size : BoardSize());
  }
  const std::string line = first + std::string(text.substr(first.size()));
  return size ? parse_rules(line, *size) : parse_rules(line);
}

bool names_board(std::string_view text) {
  if (text.starts_with('{')) return false;
  std::istringstream in{std::string(text)};
  for (std::string word; in >> word;) {
    if (parse_board_size(word)) return true;
  }
  return false;
}

void print_presets(std::ostream& out) {
  out << std::left << std::setw(14) << "rules" << std::setw(10) << "boards" << std::setw(20)
      << "komi"
      << "\n";
  for (const Preset& preset : presets()) {
    out << std::setw(14) << preset.name << std::setw(10) << boards_of(preset) << std::setw(20)
        << komi_of(preset) << preset.summary << "\n";
  }
  out << "\n`tengen rules show NAME` tells all of one, `tengen rules diff A B` how two differ.\n"
         "Fields that differ may follow a name: `tengen rules show \"japanese 9x9 komi=5.5\"`.\n"
         "KataGo's names, its JSON and its compact form (koSIMPLEscoreAREA...) are read here, "
         "too.\n";
}

void print_rules(std::string_view text, std::ostream& out) {
  const Rules rules = rules_named(text);
  if (const Preset* preset = preset_of(text)) {
    out << preset->name << ": " << preset->summary << "\nBoards: " << boards_of(*preset)
        << "; komi: " << komi_of(*preset) << "\n\n";
  }
  out << described(rules) << "\nIn one line:\n  " << to_text(rules) << "\nIn KataGo's words:\n  "
      << kata_rules(rules) << "\n";
  const Rules programs = played_out(rules, false);
  if (programs.dead_stones != rules.dead_stones) {
    out << "Between programs, who mark nothing:\n  " << to_text(programs) << "\n";
  }
}

void print_difference(std::string_view a, std::string_view b, std::ostream& out) {
  const std::string text = differences(rules_named(a), a, rules_named(b), b);
  out << (text.empty() ? "no difference\n" : text);
}

}  // namespace tengen
