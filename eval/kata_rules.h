#pragma once

#include <string>
#include <string_view>

#include "rules/rules.h"

namespace tengen {

// The rules as KataGo's GTP extension kata-get-rules writes them: one line of JSON. Komi and board
// size are not part of it. A field singleStoneSuicide, which KataGo does not know, appears only
// where a lone stone may be played to its death.
std::string kata_rules(const Rules& rules);

// Reads kata-set-rules' argument, a preset's name or JSON, into `rules`; komi (unless the JSON
// names one), board size and the treatment of dead stones stay. Throws Error for anything these
// rules cannot express: territory scoring, tax, button, points for handicap stones.
Rules with_kata_rules(Rules rules, std::string_view text);

}  // namespace tengen
