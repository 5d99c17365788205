#include "rules/board.h"

#include <type_traits>

#include "rules/board_layout.h"
#include "rules/check.h"

namespace tengen {
namespace {

// Fewer real liberties than this are told apart exactly.
constexpr int kMaxCounted = 3;
// A liberty counts once for each stone that touches it, four at most.
constexpr int kMaxCountedPseudo = 4 * kMaxCounted;

}  // namespace

Board::Board(BoardSize size) : size_(size) {
  check(size.is_valid(), "a board has 2 to 19 rows and columns");
  BoardLayout::visit(*this, [&]<class Layout>(Layout& b) {
    static_assert(std::is_trivially_copyable_v<Layout>);
    new (&b) Layout(size);
  });
}

Board::Board(const Board& other) : size_(other.size_) {
  BoardLayout::visit(other, [this]<class Layout>(const Layout& b) { new (storage_) Layout(b); });
}

Board& Board::operator=(const Board& other) {
  if (this == &other) return *this;
  size_ = other.size_;
  BoardLayout::visit(other, [this]<class Layout>(const Layout& b) { new (storage_) Layout(b); });
  return *this;
}

std::optional<Board> Board::from_stones(BoardSize size, const PointSet& black,
                                        const PointSet& white) {
  Board board(size);
  check((black & white).is_empty(), "a point holds one stone");
  const bool alive = BoardLayout::visit(
      board, [&](auto& b) { return b.set_up(b.from_set(black), b.from_set(white)); });
  if (!alive) return std::nullopt;
  return board;
}

Stone Board::stone_at(Point p) const {
  return BoardLayout::visit(*this, [&](const auto& b) {
    const int at = b.point_of(p);
    if (b.stones(0).has(at)) return Stone::kBlack;
    return b.stones(1).has(at) ? Stone::kWhite : Stone::kEmpty;
  });
}

PointSet Board::stones(Color c) const {
  return BoardLayout::visit(*this, [&](const auto& b) { return b.to_set(b.stones(index_of(c))); });
}

PointSet Board::empty() const {
  return BoardLayout::visit(*this, [&](const auto& b) { return b.to_set(b.empty()); });
}

PointSet Board::legal(Color c, bool multi_stone_suicide, bool single_stone_suicide) const {
  return BoardLayout::visit(*this, [&](const auto& b) {
    return b.to_set(b.legal(index_of(c), multi_stone_suicide, single_stone_suicide));
  });
}

int Board::play(Point p, Color c) {
  check(size_.contains(p), "a play lies on the board");
  return BoardLayout::visit(*this, [&](auto& b) {
    check(b.root(b.point_of(p)) == 0, "a play needs an empty point");
    return b.play(b.point_of(p), index_of(c));
  });
}

void Board::pass() {
  BoardLayout::visit(*this, [](auto& b) { b.pass(); });
}

std::optional<Point> Board::ko_point() const {
  return BoardLayout::visit(*this, [](const auto& b) -> std::optional<Point> {
    if (b.ko_point() == 0) return std::nullopt;
    return b.to_point(b.ko_point());
  });
}

std::array<PointSet, 3> Board::stones_by_liberties() const {
  return BoardLayout::visit(*this, [&]<class Layout>(const Layout& b) {
    std::array<typename Layout::Bits, kMaxCounted> found;
    for_each_bit(b.stones(0) | b.stones(1), [&](int p) {
      if (b.root(p) != p || b.pseudo_liberties(p) > kMaxCountedPseudo) return;
      const auto chain = b.chain(p);
      const int n = count_bits(b.dilate(chain) & b.empty());
      if (n <= kMaxCounted) found[n - 1] = found[n - 1] | chain;
    });
    return std::array<PointSet, 3>{b.to_set(found[0]), b.to_set(found[1]), b.to_set(found[2])};
  });
}

int Board::liberties(Point p) const {
  return BoardLayout::visit(*this, [&](const auto& b) {
    check(b.root(b.point_of(p)) != 0, "liberties are a stone's");
    return count_bits(b.liberties(b.point_of(p)));
  });
}

PointSet Board::chain(Point p) const {
  return BoardLayout::visit(*this, [&](const auto& b) {
    check(b.root(b.point_of(p)) != 0, "a chain is of stones");
    return b.to_set(b.chain(b.point_of(p)));
  });
}

PointSet Board::single_point_eyes(Color c) const {
  return BoardLayout::visit(
      *this, [&](const auto& b) { return b.to_set(b.single_point_eyes(index_of(c))); });
}

std::uint64_t Board::hash() const {
  return BoardLayout::visit(*this, [](const auto& b) { return b.hash(); });
}

std::uint64_t Board::hash_after(Point p, Color c) const {
  return BoardLayout::visit(
      *this, [&](const auto& b) { return b.hash_after(b.point_of(p), index_of(c)); });
}

std::string Board::to_text() const {
  std::string text;
  for (int row = 0; row < size_.height; ++row) {
    for (int column = 0; column < size_.width; ++column) {
      const Stone stone = stone_at(Point::at(row, column));
      if (column > 0) text += ' ';
      text += stone == Stone::kBlack ? 'X' : stone == Stone::kWhite ? 'O' : '.';
    }
    text += '\n';
  }
  return text;
}

bool operator==(const Board& a, const Board& b) {
  return a.size() == b.size() && a.stones(Color::kBlack) == b.stones(Color::kBlack) &&
         a.stones(Color::kWhite) == b.stones(Color::kWhite);
}

Board board_from_text(std::string_view text) {
  std::string rows;  // the board's characters without blanks, rows divided by '\n'
  for (const char ch : text) {
    if (ch == '\n' ? !rows.empty() && rows.back() != '\n'
                   : std::string_view(" \t\r").find(ch) == std::string_view::npos) {
      rows += ch;
    }
  }
  if (!rows.empty() && rows.back() != '\n') rows += '\n';
  const std::size_t width = rows.find('\n');
  if (width == std::string::npos || width > kMaxBoardSize || rows.size() > width * 32) {
    throw Error("diagram: expected 2 to 19 rows of 2 to 19 points, found\n" + std::string(text));
  }
  const BoardSize size{static_cast<std::int8_t>(width),
                       static_cast<std::int8_t>(rows.size() / (width + 1))};
  if (!size.is_valid() || rows.size() % (width + 1) != 0) {
    throw Error(
        "diagram: expected 2 to 19 rows of 2 to 19 points, each as long as the first, found\n" +
        std::string(text));
  }
  PointSet black;
  PointSet white;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int row = static_cast<int>(i / (width + 1));
    const int column = static_cast<int>(i % (width + 1));
    const char ch = rows[i];
    const bool at_end = column == static_cast<int>(width);
    if (at_end ? ch != '\n' : std::string_view("X#O.+").find(ch) == std::string_view::npos) {
      throw Error("diagram, row " + std::to_string(row + 1) + ": expected " +
                  std::to_string(width) + " of X # O . +, found '" +
                  (ch == '\n' ? std::string("end of row") : std::string(1, ch)) + "'");
    }
    if (at_end) continue;
    if (ch == 'X' || ch == '#') black.insert(size.index(Point::at(row, column)));
    if (ch == 'O') white.insert(size.index(Point::at(row, column)));
  }
  auto board = Board::from_stones(size, black, white);
  if (!board) throw Error("diagram: a chain without liberties in\n" + std::string(text));
  return *board;
}

}  // namespace tengen
