#include "rules/board.h"

#include <algorithm>
#include <type_traits>

#include "rules/board_access.h"
#include "rules/check.h"

namespace tengen {
namespace {

template <int kPitch>
int point_of(const BoardState<kPitch>&, Point p) {
  return Layout<kPitch>::point_of(p);
}
template <int kPitch>
Point to_point(const BoardState<kPitch>&, int p) {
  return Layout<kPitch>::to_point(p);
}
template <class Words>
bool has(const Words& words, int p) {
  return ((words[p >> 6] >> (p & 63)) & 1) != 0;
}

}  // namespace

Board::Board(BoardSize size) : size_(size) {
  check(size.is_valid(), "a board has 1 to 19 rows and columns");
  BoardAccess::visit(*this, [&]<class State>(State& s, const auto&) {
    static_assert(std::is_trivially_copyable_v<State>);
    new (&s) State(size);
  });
}

Board::Board(const Board& other) : size_(other.size_) {
  BoardAccess::visit(other,
                     [this]<class State>(const State& s, const auto&) { new (storage_) State(s); });
}

Board& Board::operator=(const Board& other) {
  if (this == &other) return *this;
  size_ = other.size_;
  BoardAccess::visit(other,
                     [this]<class State>(const State& s, const auto&) { new (storage_) State(s); });
  return *this;
}

std::optional<Board> Board::from_stones(BoardSize size, const PointSet& black,
                                        const PointSet& white) {
  Board board(size);
  check((black & white).is_empty(), "a point holds one stone");
  const bool alive = BoardAccess::visit(
      board, [&](auto& s, const auto& engine) { return engine.set_up(s, black, white); });
  if (!alive) return std::nullopt;
  return board;
}

Stone Board::stone_at(Point p) const {
  return BoardAccess::visit(*this, [&](const auto& s, const auto&) {
    const int at = point_of(s, p);
    if (has(s.stones[0], at)) return Stone::kBlack;
    return has(s.stones[1], at) ? Stone::kWhite : Stone::kEmpty;
  });
}

PointSet Board::stones(Color c) const {
  return BoardAccess::visit(
      *this, [&](const auto& s, const auto& engine) { return engine.stones(s, index_of(c)); });
}

PointSet Board::empty() const {
  return BoardAccess::visit(*this,
                            [](const auto& s, const auto& engine) { return engine.empty(s); });
}

PointSet Board::legal(Color c, bool multi_stone_suicide, bool single_stone_suicide) const {
  return BoardAccess::visit(*this, [&](const auto& s, const auto& engine) {
    return engine.legal(s, index_of(c), {multi_stone_suicide, single_stone_suicide}, Past());
  });
}

int Board::play(Point p, Color c) {
  check(size_.contains(p), "a play lies on the board");
  return BoardAccess::visit(*this, [&](auto& s, const auto& engine) {
    const int at = point_of(s, p);
    check(s.root[at] == 0, "a play needs an empty point");
    return engine.play(s, at, index_of(c));
  });
}

void Board::pass() {
  BoardAccess::visit(*this, [](auto& s, const auto&) { s.ko = 0; });
}

std::optional<Point> Board::ko_point() const {
  return BoardAccess::visit(*this, [](const auto& s, const auto&) -> std::optional<Point> {
    if (s.ko == 0) return std::nullopt;
    return to_point(s, s.ko);
  });
}

PastBoard Board::past_board() const {
  return BoardAccess::visit(*this, [](const auto& s, const auto&) {
    PastBoard past;
    for (int c = 0; c < 2; ++c) std::ranges::copy(s.stones[c], past.stones[c].begin());
    past.ko = s.ko;
    return past;
  });
}

std::array<PointSet, 3> Board::stones_by_liberties() const {
  return BoardAccess::visit(
      *this, [](const auto& s, const auto& engine) { return engine.stones_by_liberties(s); });
}

int Board::liberties(Point p) const {
  return BoardAccess::visit(*this, [&](const auto& s, const auto& engine) {
    check(s.root[point_of(s, p)] != 0, "liberties are a stone's");
    return engine.liberties(s, point_of(s, p)).count();
  });
}

PointSet Board::chain(Point p) const {
  return BoardAccess::visit(*this, [&](const auto& s, const auto& engine) {
    check(s.root[point_of(s, p)] != 0, "a chain is of stones");
    return engine.chain(s, point_of(s, p));
  });
}

PointSet Board::single_point_eyes(Color c) const {
  return BoardAccess::visit(*this, [&](const auto& s, const auto& engine) {
    return engine.single_point_eyes(s, index_of(c));
  });
}

std::uint64_t Board::hash() const {
  return BoardAccess::visit(*this, [](const auto& s, const auto&) { return s.hash; });
}

std::uint64_t Board::hash_after(Point p, Color c) const {
  return BoardAccess::visit(*this, [&](const auto& s, const auto& engine) {
    return engine.hash_after(s, point_of(s, p), index_of(c));
  });
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
  if (!size.is_playable() || rows.size() % (width + 1) != 0) {
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
