#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.h"

namespace tengen {

// Rules as one line, exact: the board, then a word for every field of for_each field that is not as
// in a plain `Rules`, always with ko, suicide, scoring, dead and komi:
//   "9x9 ko=positional suicide=none scoring=area dead=as-they-stand komi=7.5"
std::string to_text(const Rules& rules);

// Reads such a line. A preset's name may stand at its beginning, after which come the board (if it
// is absent, the preset's first, else 19x19) and fields in any order: "9x9 ko=simple",
// "japanese", "club-area 13x13 komi=6.5". Throws Error naming the field, what was expected and the
// nearest name, for anything else, and for rules that make no sense (see validate, check_size).
Rules parse_rules(std::string_view text);
// The same for a line that names no board, on one that is told elsewhere.
Rules parse_rules(std::string_view text, BoardSize size);

// `rules` with fields that differ: "komi=5.5 tax=none". Throws Error as parse_rules does.
Rules changed_rules(Rules rules, std::string_view fields);

// The fields in which rule sets differ, whatever the board, komi, all about handicap, and cap:
// "ko=positional suicide=none scoring=area dead=as-they-stand". Equal for games that may be trained
// on together.
std::string rule_set_text(const Rules& rules);

// A value of a field by name, as people would put it.
struct RuleValue {
  std::string_view name;
  std::string_view meaning;
};

// One field of Rules as text: what lists, comparisons and readers walk. The board size is none.
struct RuleField {
  std::string_view name;                  // in the line, before '='
  std::string_view meaning;               // what it decides
  std::span<const RuleValue> values;      // all that it can be; empty for numbers
  std::string_view expected;              // for numbers: which
  std::string (*get)(const Rules&);       // the name of the value, or the number
  bool (*set)(Rules&, std::string_view);  // false if it has no such value
};
std::span<const RuleField> rule_fields();

// What a person would want to know of these rules: a line for each field that is not as usual, and
// for those that matter always, with its meaning.
std::string described(const Rules& rules);
// The fields in which they differ, a line each with both meanings; empty if in none.
std::string differences(const Rules& a, std::string_view name_a, const Rules& b,
                        std::string_view name_b);

}  // namespace tengen
