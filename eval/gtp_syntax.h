#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/color.h"
#include "rules/komi.h"
#include "rules/move.h"

namespace tengen {

// One line of GTP, version 2 (draft 2, G. Farneback): an optional number, a command, arguments.
struct GtpLine {
  std::string id;                      // digits as they were sent, or empty
  std::string command;                 // empty: nothing but a number
  std::vector<std::string> arguments;  // split at blanks
};

// Reads a line: control characters dropped, tabs are blanks, '#' starts a comment. nullopt for
// lines without content, which get no answer.
std::optional<GtpLine> parse_gtp_line(std::string_view line);

// "=id text" or "?id text" with the closing blank line. `text` has no blank lines.
std::string gtp_answer(bool success, std::string_view id, std::string_view text);

std::string lower_case(std::string_view text);

// Arguments. Case does not matter; nullopt for bad syntax.
std::optional<Color> parse_gtp_color(std::string_view text);  // b, black, w, white
// Whole number; numbers beyond the int's range become its limits.
std::optional<int> parse_gtp_int(std::string_view text);
std::optional<double> parse_gtp_number(std::string_view text);  // finite, decimal
std::optional<Komi> parse_gtp_komi(std::string_view text);      // multiples of 0.5, as parse_komi
// A letter without I and a number from 1 to 25, on whatever board.
bool is_gtp_vertex(std::string_view text);

}  // namespace tengen
