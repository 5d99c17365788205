#include "rules/point.h"

#include <charconv>

namespace tengen {
namespace {

constexpr std::string_view kColumns = "ABCDEFGHJKLMNOPQRST";

// The whole of `text` as a number without sign.
std::optional<int> parse_count(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || text.front() == '-') return std::nullopt;
  return value;
}

}  // namespace

std::string to_text(BoardSize size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

std::optional<BoardSize> parse_board_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  const auto width = parse_count(text.substr(0, cross));
  const auto height = cross == std::string_view::npos ? width : parse_count(text.substr(cross + 1));
  if (!width || !height || *width > kMaxBoardSize || *height > kMaxBoardSize) return std::nullopt;
  const BoardSize size{static_cast<std::int8_t>(*width), static_cast<std::int8_t>(*height)};
  if (!size.is_playable()) return std::nullopt;
  return size;
}

std::string to_text(Point p, BoardSize size) {
  return kColumns[p.column()] + std::to_string(size.height - p.row());
}

std::optional<Point> parse_point(std::string_view text, BoardSize size) {
  if (text.size() < 2) return std::nullopt;
  const char letter =
      text[0] >= 'a' && text[0] <= 'z' ? static_cast<char>(text[0] - 'a' + 'A') : text[0];
  const std::size_t column = kColumns.find(letter);
  const auto number = parse_count(text.substr(1));
  if (column == std::string_view::npos || !number) return std::nullopt;
  if (static_cast<int>(column) >= size.width || *number < 1 || *number > size.height) {
    return std::nullopt;
  }
  return Point::at(size.height - *number, static_cast<int>(column));
}

}  // namespace tengen
