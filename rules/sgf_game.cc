#include "rules/sgf_game.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "rules/sgf_syntax.h"

namespace tengen {
namespace {

// What is kept word for word, in the order in which it is written.
constexpr std::pair<std::string_view, std::string SgfGame::*> kTexts[] = {
    {"CA", &SgfGame::charset},    {"AP", &SgfGame::application}, {"GN", &SgfGame::game_name},
    {"PB", &SgfGame::black_name}, {"BR", &SgfGame::black_rank},  {"PW", &SgfGame::white_name},
    {"WR", &SgfGame::white_rank}, {"DT", &SgfGame::date},        {"EV", &SgfGame::event},
    {"RO", &SgfGame::round},      {"PC", &SgfGame::place},       {"TM", &SgfGame::time},
    {"OT", &SgfGame::overtime},   {"RU", &SgfGame::rules},       {"RE", &SgfGame::result}};

std::string trimmed(const SgfValue& value) {
  const std::string text = value.simple_text();
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// ---- Values, read and written ------------------------------------------------------------------

// "19", or "9:13" with the columns first.
std::optional<BoardSize> parse_sgf_size(std::string text) {
  if (text.find('x') != std::string::npos) return std::nullopt;
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) text[colon] = 'x';
  return parse_board_size(text);
}

std::string sgf_text(BoardSize size) {
  const std::string width = std::to_string(size.width);
  return size.is_square() ? width : width + ":" + std::to_string(size.height);
}

// Two letters, the column and the row from the top, "aa" in the top left corner.
std::optional<Point> parse_sgf_point(std::string_view text, BoardSize size) {
  if (text.size() != 2 || !sgf_syntax::is_small(text[0]) || !sgf_syntax::is_small(text[1])) {
    return std::nullopt;
  }
  const Point point = Point::at(text[1] - 'a', text[0] - 'a');
  if (!size.contains(point)) return std::nullopt;
  return point;
}

std::string sgf_text(Point point) {
  return {static_cast<char>('a' + point.column()), static_cast<char>('a' + point.row())};
}

// "dd", "" for a pass, and "tt", the pass of FF[3], which is off all boards that there are here.
std::optional<Move> parse_sgf_move(std::string_view text, BoardSize size) {
  if (text.empty() || text == "tt") return Move::pass();
  if (const auto point = parse_sgf_point(text, size)) return Move(*point);
  return std::nullopt;
}

std::string sgf_text(Move move) {
  return move.is_pass() ? "" : sgf_text(move.point());
}

// A point, or a rectangle by two opposite corners, "aa:cc".
std::optional<PointSet> parse_sgf_points(std::string_view text, BoardSize size) {
  const std::size_t colon = text.find(':');
  const auto first = parse_sgf_point(text.substr(0, colon), size);
  const auto second =
      colon == std::string_view::npos ? first : parse_sgf_point(text.substr(colon + 1), size);
  if (!first || !second) return std::nullopt;
  const auto [top, bottom] = std::minmax({first->row(), second->row()});
  const auto [left, right] = std::minmax({first->column(), second->column()});
  PointSet points;
  for (int row = top; row <= bottom; ++row) {
    for (int column = left; column <= right; ++column) {
      points.insert(size.index(Point::at(row, column)));
    }
  }
  return points;
}

// B or W, as FF[4] has it, also as a word: "white".
std::optional<Color> parse_sgf_color(std::string_view text) {
  if (text.starts_with('B') || text.starts_with('b')) return Color::kBlack;
  if (text.starts_with('W') || text.starts_with('w')) return Color::kWhite;
  return std::nullopt;
}

std::string sgf_name(Color c) {
  return c == Color::kBlack ? "B" : "W";
}

std::optional<int> parse_handicap(std::string_view text) {
  int stones = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), stones);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || stones < 0 || stones > kMaxArea) return std::nullopt;
  return stones;
}

// Whose turn it is where nobody says so.
Color usual_to_move(const Board& setup, const std::vector<Position::Played>& moves) {
  if (!moves.empty()) return moves.front().color;
  const bool is_handicap =
      !setup.stones(Color::kBlack).is_empty() && setup.stones(Color::kWhite).is_empty();
  return is_handicap ? Color::kWhite : Color::kBlack;
}

// ---- From a tree -------------------------------------------------------------------------------

BoardSize size_of(const SgfNode& root) {
  const SgfProperty* property = root.find("SZ");
  if (property == nullptr) return BoardSize::square(19);
  const SgfValue& value = property->values.front();
  const auto size = parse_sgf_size(trimmed(value));
  if (!size) throw value.unexpected("a size from 2 to 19, or two of them as 9:13");
  return *size;
}

// Takes the nodes of a line one by one.
class LineReader {
 public:
  explicit LineReader(const SgfNode& root);
  void read(const SgfNode& node);
  SgfGame game();

 private:
  void read_text(const SgfProperty& property);
  void read_numbers(const SgfProperty& property);
  void read_setup(const SgfProperty& property);
  void read_moves(const SgfProperty& property);
  void place(const PointSet& points, std::optional<Color> color);
  void begin_play();

  SgfGame game_;
  std::array<PointSet, 2> stones_;        // set up so far, [colour]
  const SgfValue* last_setup_ = nullptr;  // the value that set the last of them
  std::optional<Color> to_move_;          // PL
  std::optional<Board> board_;            // after the moves so far; empty before the first
};

LineReader::LineReader(const SgfNode& root) {
  if (const SgfProperty* property = root.find("GM")) {
    const SgfValue& value = property->values.front();
    if (trimmed(value) != "1") throw value.unexpected("GM[1], a game of Go");
  }
  game_.setup = Board(size_of(root));
}

void LineReader::read(const SgfNode& node) {
  for (const SgfProperty& property : node.properties) {
    read_text(property);
    read_numbers(property);
    read_setup(property);
  }
  for (const SgfProperty& property : node.properties) read_moves(property);
}

SgfGame LineReader::game() {
  if (!board_) begin_play();
  game_.to_move = to_move_.value_or(usual_to_move(game_.setup, game_.moves));
  return std::move(game_);
}

void LineReader::read_text(const SgfProperty& property) {
  for (const auto& [name, field] : kTexts) {
    if (property.name == name) game_.*field = property.values.front().simple_text();
  }
}

void LineReader::read_numbers(const SgfProperty& property) {
  const SgfValue& value = property.values.front();
  if (property.name == "KM") {
    const std::string text = trimmed(value);
    game_.komi = parse_komi(text);
    if (!text.empty() && !game_.komi)
      throw value.unexpected("komi, a multiple of 0.5 within +-400");
  } else if (property.name == "HA") {
    const std::string text = trimmed(value);
    const auto handicap = text.empty() ? 0 : parse_handicap(text);
    if (!handicap) throw value.unexpected("a number of handicap stones");
    game_.handicap = *handicap;
  }
}

void LineReader::read_setup(const SgfProperty& property) {
  if (property.name == "PL" && !board_) {
    to_move_ = parse_sgf_color(trimmed(property.values.front()));
    if (!to_move_) throw property.values.front().unexpected("PL[B] or PL[W]");
  }
  const bool is_black = property.name == "AB";
  const bool is_white = property.name == "AW";
  if (!is_black && !is_white && property.name != "AE") return;
  for (const SgfValue& value : property.values) {
    if (board_) throw value.unexpected("no set-up stones after the first move");
    const auto points = parse_sgf_points(trimmed(value), game_.size());
    if (!points) throw value.unexpected("a point or a rectangle on " + to_text(game_.size()));
    for (PointSet& stones : stones_) stones -= *points;
    if (is_black) stones_[index_of(Color::kBlack)] |= *points;
    if (is_white) stones_[index_of(Color::kWhite)] |= *points;
    last_setup_ = &value;
  }
}

void LineReader::read_moves(const SgfProperty& property) {
  if (property.name != "B" && property.name != "W") return;
  const Color color = property.name == "B" ? Color::kBlack : Color::kWhite;
  if (!board_) begin_play();
  for (const SgfValue& value : property.values) {
    const auto move = parse_sgf_move(trimmed(value), game_.size());
    if (!move) throw value.unexpected("a move on " + to_text(game_.size()));
    if (move->is_pass()) {
      board_->pass();
    } else if (board_->stone_at(move->point()) != Stone::kEmpty) {
      throw value.unexpected("a move on an empty point");
    } else {
      board_->play(move->point(), color);
    }
    game_.moves.push_back({color, *move});
  }
}

void LineReader::begin_play() {
  board_ = Board::from_stones(game_.size(), stones_[0], stones_[1]);
  if (!board_) throw last_setup_->unexpected("stones with which every set-up chain has a liberty");
  game_.setup = *board_;
}

// ---- To a tree ---------------------------------------------------------------------------------

void add_stones(SgfNode& node, const std::string& name, BoardSize size, const PointSet& stones) {
  if (stones.is_empty()) return;
  SgfProperty property{.name = name, .values = {}};
  stones.for_each([&](int index) {
    property.values.push_back(SgfValue::from_text(sgf_text(size.point(index))));
  });
  node.properties.push_back(std::move(property));
}

void write_root(const SgfGame& game, SgfNode& root) {
  const Color usual = usual_to_move(game.setup, game.moves);
  const bool is_set_up = game.setup != Board(game.size());
  root.add("FF", "4");
  root.add("GM", "1");
  root.add("SZ", sgf_text(game.size()));
  for (const auto& [name, field] : kTexts) {
    if (!(game.*field).empty()) root.add(std::string(name), game.*field);
  }
  if (game.komi) root.add("KM", to_text(*game.komi));
  if (game.handicap != 0) root.add("HA", std::to_string(game.handicap));
  add_stones(root, "AB", game.size(), game.setup.stones(Color::kBlack));
  add_stones(root, "AW", game.size(), game.setup.stones(Color::kWhite));
  if (is_set_up || game.to_move != usual) root.add("PL", sgf_name(game.to_move));
}

}  // namespace

SgfGame game_of(const SgfTree& tree, int last) {
  LineReader reader(tree.node(SgfTree::kRoot));
  for (const int index : tree.path_to(last)) reader.read(tree.node(index));
  return reader.game();
}

SgfGame game_of(const SgfTree& tree) {
  return game_of(tree, tree.end_of_main_line());
}

SgfTree tree_of(const SgfGame& game) {
  SgfTree tree;
  write_root(game, tree.node(SgfTree::kRoot));
  int index = SgfTree::kRoot;
  for (const auto& [color, move] : game.moves) {
    index = tree.add_child(index);
    tree.node(index).add(sgf_name(color), sgf_text(move));
  }
  return tree;
}

}  // namespace tengen
