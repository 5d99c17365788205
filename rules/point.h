#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tengen {

inline constexpr int kMinBoardSize = 2;
inline constexpr int kMaxBoardSize = 19;
inline constexpr int kMaxArea = kMaxBoardSize * kMaxBoardSize;

// An intersection by row (0 is the top row of a diagram) and column (0 is the left one, "A"). It
// has neighbours and a place without a board at hand; its name needs the board's height.
class Point {
 public:
  static constexpr Point at(int row, int column) { return Point(row, column); }
  constexpr int row() const { return row_; }
  constexpr int column() const { return column_; }
  friend constexpr auto operator<=>(Point, Point) = default;

 private:
  constexpr Point(int row, int column)
      : row_(static_cast<std::int8_t>(row)), column_(static_cast<std::int8_t>(column)) {}
  std::int8_t row_;
  std::int8_t column_;
};

// Width (columns) and height (rows). Games are played on 2 to 19 of each; boards of a single row or
// column exist for the sake of proofs.
struct BoardSize {
  std::int8_t width = kMaxBoardSize;
  std::int8_t height = kMaxBoardSize;

  static constexpr BoardSize square(int n) {
    return {static_cast<std::int8_t>(n), static_cast<std::int8_t>(n)};
  }
  constexpr int area() const { return width * height; }
  constexpr bool is_square() const { return width == height; }
  constexpr bool is_valid() const {
    return width >= 1 && width <= kMaxBoardSize && height >= 1 && height <= kMaxBoardSize;
  }
  constexpr bool is_playable() const {
    return is_valid() && width >= kMinBoardSize && height >= kMinBoardSize;
  }
  constexpr bool contains(Point p) const {
    return p.row() >= 0 && p.row() < height && p.column() >= 0 && p.column() < width;
  }
  // Points are numbered row by row from the top, 0 ... area() - 1: the order of PointSet, of the
  // planes and of the policy (whose entry area() is the pass).
  constexpr int index(Point p) const { return p.row() * width + p.column(); }
  constexpr Point point(int index) const { return Point::at(index / width, index % width); }

  friend constexpr bool operator==(BoardSize, BoardSize) = default;
};

std::string to_text(BoardSize size);                               // "9x9", width first
std::optional<BoardSize> parse_board_size(std::string_view text);  // "9", "9x9", "7x10"

// Coordinates as in GTP: a column letter without I and a row counted from the bottom, "D4".
std::string to_text(Point p, BoardSize size);
std::optional<Point> parse_point(std::string_view text, BoardSize size);

}  // namespace tengen
