#include "rules/move.h"

#include <algorithm>
#include <cctype>

namespace tengen {

std::string to_text(Move m, BoardSize size) {
  return m.is_pass() ? "pass" : to_text(m.point(), size);
}

std::optional<Move> parse_move(std::string_view text, BoardSize size) {
  constexpr std::string_view kPass = "pass";
  const bool is_pass =
      std::ranges::equal(text, kPass, [](unsigned char a, char b) { return std::tolower(a) == b; });
  if (is_pass) return Move::pass();
  if (const auto point = parse_point(text, size)) return Move(*point);
  return std::nullopt;
}

}  // namespace tengen
