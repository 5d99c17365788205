#include "eval/gtp_syntax.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace tengen {
namespace {

constexpr int kGtpMaxBoardSize = 25;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::optional<GtpLine> parse_gtp_line(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : line) {
    if (c == '#') break;
    if (c == ' ' || c == '\t') {
      in_word = false;
    } else if (std::iscntrl(static_cast<unsigned char>(c)) == 0) {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += c;
    }
  }
  if (words.empty()) return std::nullopt;
  GtpLine parsed;
  auto word = words.begin();
  if (std::ranges::all_of(*word, is_digit)) parsed.id = *word++;
  if (word != words.end()) parsed.command = *word++;
  parsed.arguments.assign(word, words.end());
  return parsed;
}

std::string gtp_answer(bool success, std::string_view id, std::string_view text) {
  std::string answer(success ? "=" : "?");
  answer += id;
  if (!text.empty()) (answer += ' ') += text;
  return answer + "\n\n";
}

std::optional<Color> parse_gtp_color(std::string_view text) {
  const std::string color = lower_case(text);
  if (color == "b" || color == "black") return Color::kBlack;
  if (color == "w" || color == "white") return Color::kWhite;
  return std::nullopt;
}

std::optional<int> parse_gtp_int(std::string_view text) {
  text = without_plus(text);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    return text[0] == '-' ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
  }
  return value;
}

std::optional<double> parse_gtp_number(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Komi> parse_gtp_komi(std::string_view text) {
  const auto value = parse_gtp_number(text);
  if (!value || std::abs(*value) > Komi::kMaxPoints) return std::nullopt;
  const double half_points = *value * 2;
  if (half_points != std::round(half_points)) return std::nullopt;
  return Komi::from_half_points(static_cast<int>(half_points));
}

bool is_gtp_vertex(std::string_view text) {
  if (text.size() < 2) return false;
  const int letter = std::toupper(static_cast<unsigned char>(text[0]));
  if (letter < 'A' || letter > 'Z' || letter == 'I') return false;
  if (!std::ranges::all_of(text.substr(1), is_digit)) return false;
  const auto row = parse_gtp_int(text.substr(1));
  return row && *row >= 1 && *row <= kGtpMaxBoardSize;
}

}  // namespace tengen
