#pragma once

#include <cstddef>
#include <string_view>

// The few facts about SGF's characters that its reader and its writer share. For rules/sgf*.cc.

namespace tengen::sgf_syntax {

inline constexpr std::string_view kBlanks = " \t\n\v\f\r";

constexpr bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A property's name as FF[1] to FF[4] have it between them: a capital letter, then capital letters
// and digits.
constexpr bool is_name(std::string_view text) {
  if (text.empty() || !is_capital(text[0])) return false;
  for (const char c : text) {
    if (!is_capital(c) && !is_digit(c)) return false;
  }
  return true;
}

// Where the value that begins at `from` ends: the first ']' that is not escaped, or npos.
constexpr std::size_t end_of_value(std::string_view text, std::size_t from) {
  std::size_t i = text.find_first_of("]\\", from);
  while (i != std::string_view::npos && text[i] == '\\') i = text.find_first_of("]\\", i + 2);
  return i;
}

// Length of the line break at text[at]: CR, LF, CRLF and LFCR are one each; 0 if there is none.
constexpr std::size_t line_break_at(std::string_view text, std::size_t at) {
  const auto is_break = [](char c) { return c == '\n' || c == '\r'; };
  if (at >= text.size() || !is_break(text[at])) return 0;
  const bool is_pair = at + 1 < text.size() && is_break(text[at + 1]) && text[at + 1] != text[at];
  return is_pair ? 2 : 1;
}

}  // namespace tengen::sgf_syntax
