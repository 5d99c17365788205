#pragma once

#include <iosfwd>
#include <optional>
#include <string_view>

#include "rules/rules.h"

namespace tengen {

// Rules by any of their spellings: a preset's name and fields that differ (rules/rules_text.h), or
// KataGo's JSON, compact form and names ("chinese-ogs"). On `size`, if one is given; the text
// must not name one then. Throws Error for anything else.
Rules rules_named(std::string_view text, std::optional<BoardSize> size = std::nullopt);

// Whether a word of such a text is a board.
bool names_board(std::string_view text);

// What `tengen rules`, `tengen rules show TEXT` and `tengen rules diff A B` print.
void print_presets(std::ostream& out);
void print_rules(std::string_view text, std::ostream& out);
void print_difference(std::string_view a, std::string_view b, std::ostream& out);

}  // namespace tengen
