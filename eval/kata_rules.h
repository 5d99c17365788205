#pragma once

#include <string>
#include <string_view>

#include "rules/rules.h"

namespace tengen {

// The rules as KataGo's GTP extension kata-get-rules writes them: one line of JSON. Komi and board
// size are not part of it. Fields that KataGo does not know appear only where it would read the
// rules otherwise: singleStoneSuicide where a lone stone may be played to its death, deadStones
// where area is not counted with pass-dead stones removed or territory is not played out.
std::string kata_rules(const Rules& rules);

// Rules by what KataGo's kata-set-rules reads: one of its names ("chinese-ogs"), JSON, or its
// compact form ("koPOSITIONALscoreAREAtaxNONEsui1"); also the name of a preset of ours and the line
// of to_text without a board. KataGo's words have KataGo's meaning: area with pass-dead stones
// removed, territory played out, a third repetition under simple ko without result; and komi that
// is not told is what KataGo takes: 6.5 for territory, 7 with a button, the name's own, else 7.5.
// Throws Error for anything else.
Rules kata_rules_named(std::string_view text, BoardSize size);

// The same for a game under `rules`: board and handicap stay, and komi unless it is told.
Rules with_kata_rules(const Rules& rules, std::string_view text);

}  // namespace tengen
