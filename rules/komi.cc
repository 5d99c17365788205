#include "rules/komi.h"

#include <algorithm>
#include <cstdlib>

namespace tengen {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string to_text(Komi komi) {
  const int half = std::abs(komi.half_points());
  const std::string sign = komi.half_points() < 0 ? "-" : "";
  return sign + std::to_string(half / 2) + (half % 2 != 0 ? ".5" : "");
}

std::optional<Komi> parse_komi(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  if (!is_digits(whole) || whole.size() > 3) return std::nullopt;
  int half = 2 * std::atoi(std::string(whole).c_str());
  if (dot != std::string_view::npos) {
    const std::string_view part = text.substr(dot + 1);
    if (!is_digits(part) || (part[0] != '0' && part[0] != '5')) return std::nullopt;
    if (part.substr(1).find_first_not_of('0') != std::string_view::npos) return std::nullopt;
    half += part[0] == '5' ? 1 : 0;
  }
  if (half > 2 * Komi::kMaxPoints) return std::nullopt;
  return Komi::from_half_points(is_negative ? -half : half);
}

}  // namespace tengen
