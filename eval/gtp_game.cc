#include <algorithm>
#include <utility>

#include "eval/gtp.h"
#include "eval/gtp_failure.h"
#include "eval/handicap.h"
#include "rules/rng.h"

// The engine's commands that set stones, play and look at the board.
namespace tengen {
namespace {

std::string joined(const std::vector<Point>& points, BoardSize size) {
  std::string text;
  for (const Point p : points) (text += text.empty() ? "" : " ") += to_text(p, size);
  return text;
}

std::string column_names(BoardSize size) {
  std::string line = "  ";
  for (int column = 0; column < size.width; ++column) {
    (line += ' ') += to_text(Point::at(0, column), size)[0];
  }
  return line;
}

}  // namespace

// --- handicap ---

std::string GtpEngine::place_handicap(std::vector<Point> points) {
  handicap_ = std::move(points);
  position_ = replay(rules_, 0);
  return joined(handicap_, rules_.size);
}

std::string GtpEngine::fixed_handicap(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const int stones = required(parse_gtp_int(arguments[0]));
  if (!handicap_.empty() || !played_.empty()) throw GtpFailure{"board not empty"};
  if (stones < 2 || stones > max_fixed_handicap(rules_.size)) {
    throw GtpFailure{"invalid number of stones"};
  }
  return place_handicap(fixed_handicap_points(rules_.size, stones));
}

// The engine may place fewer stones than asked for: it knows the fixed ones.
std::string GtpEngine::place_free_handicap(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const int stones = required(parse_gtp_int(arguments[0]));
  if (!handicap_.empty() || !played_.empty()) throw GtpFailure{"board not empty"};
  const int most = max_fixed_handicap(rules_.size);
  if (stones < 2 || most == 0) throw GtpFailure{"invalid number of stones"};
  return place_handicap(fixed_handicap_points(rules_.size, std::min(stones, most)));
}

std::string GtpEngine::set_free_handicap(const Arguments& arguments) {
  if (!handicap_.empty() || !played_.empty()) throw GtpFailure{"board not empty"};
  std::vector<Point> points;
  for (const std::string& word : arguments) {
    points.push_back(required(parse_point(word, rules_.size), "bad vertex list"));
    if (std::count(points.begin(), points.end(), points.back()) > 1) {
      throw GtpFailure{"bad vertex list"};
    }
  }
  if (points.size() < 2 || std::ssize(points) >= rules_.size.area()) {
    throw GtpFailure{"bad vertex list"};
  }
  place_handicap(std::move(points));
  return "";
}

// --- playing ---

Position GtpEngine::replay(const Rules& rules, std::size_t moves) const {
  Position position(rules);
  if (!handicap_.empty()) {
    Board board(rules.size);
    for (const Point p : handicap_) board.play(p, Color::kBlack);
    position = Position(rules, board, Color::kWhite);
  }
  for (std::size_t i = 0; i < moves; ++i) {
    position.set_to_move(played_[i].color);
    if (!position.is_legal(played_[i].move)) {
      throw GtpFailure{"the game so far is not legal under these rules"};
    }
    position.play(played_[i].move);
  }
  return position;
}

void GtpEngine::record(Color color, Move move) {
  position_.set_to_move(color);
  position_.play(move);
  played_.push_back({color, move});
}

std::string GtpEngine::play(const Arguments& arguments) {
  require_arguments(arguments, 2);
  const Color color = required(parse_gtp_color(arguments[0]));
  const auto move = parse_move(arguments[1], rules_.size);
  if (!move) throw GtpFailure{is_gtp_vertex(arguments[1]) ? "illegal move" : "syntax error"};
  Position next = position_;
  next.set_to_move(color);
  if (!next.is_legal(*move)) throw GtpFailure{"illegal move"};
  record(color, *move);
  return "";
}

MoveChoice GtpEngine::choose(Color color) {
  Position position = position_;
  position.set_to_move(color);
  // Controllers may ask for moves after two passes; a search only knows games that go on.
  if (position.is_over()) position = Position(rules_, position_.board(), color);
  const bool has_history = handicap_.empty() && position.ply() == position_.ply();
  const MoveRequest request{.position = &position,
                            .seed = mix64(options_.seed, games_, played_.size()),
                            .moves = has_history ? played_ : std::span<const Position::Played>{}};
  MoveChoice choice;
  player_->choose({&request, 1}, {&choice, 1});
  Position full = position_;
  full.set_to_move(color);
  if (!full.is_legal(choice.move)) choice.move = Move::pass();  // superko, after two passes
  return choice;
}

std::string GtpEngine::genmove(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const Color color = required(parse_gtp_color(arguments[0]));
  const MoveChoice choice = choose(color);
  if (choice.resign) return "resign";
  record(color, choice.move);
  return to_text(choice.move, rules_.size);
}

std::string GtpEngine::reg_genmove(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const MoveChoice choice = choose(required(parse_gtp_color(arguments[0])));
  return choice.resign ? "resign" : to_text(choice.move, rules_.size);
}

std::string GtpEngine::undo(const Arguments&) {
  if (played_.empty()) throw GtpFailure{"cannot undo"};
  position_ = replay(rules_, played_.size() - 1);
  position_.set_to_move(played_.back().color);
  played_.pop_back();
  return "";
}

// --- what stands ---

std::string GtpEngine::final_score(const Arguments&) {
  return to_text(position_.score());
}

// Stones that count for their opponent are dead; under rules that count stones as they stand, none.
std::string GtpEngine::final_status_list(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const std::string status = lower_case(arguments[0]);
  if (status != "alive" && status != "dead" && status != "seki") throw GtpFailure{"syntax error"};
  const Score score = position_.score();
  const Board& board = position_.board();
  PointSet wanted;
  if (status == "alive") {
    wanted = (board.stones(Color::kBlack) & score.black_area) |
             (board.stones(Color::kWhite) & score.white_area);
  } else if (status == "dead") {
    wanted = (board.stones(Color::kBlack) & score.white_area) |
             (board.stones(Color::kWhite) & score.black_area);
  }
  std::string text;
  PointSet listed;
  wanted.for_each([&](int index) {
    if (listed.contains(index)) return;
    const PointSet chain = board.chain(rules_.size.point(index));
    listed |= chain;
    std::vector<Point> points;
    chain.for_each([&](int i) { points.push_back(rules_.size.point(i)); });
    (text += text.empty() ? "" : "\n") += joined(points, rules_.size);
  });
  return text;
}

std::string GtpEngine::showboard(const Arguments&) {
  const BoardSize size = rules_.size;
  const std::string columns = column_names(size) + "\n";
  std::string text(1, '\n');
  text += columns;
  for (int row = 0; row < size.height; ++row) {
    const std::string number = std::to_string(size.height - row);
    text += (number.size() < 2 ? " " : "") + number;
    for (int column = 0; column < size.width; ++column) {
      const Stone stone = position_.board().stone_at(Point::at(row, column));
      text += stone == Stone::kBlack ? " X" : stone == Stone::kWhite ? " O" : " .";
    }
    (text += ' ') += number;
    text += '\n';
  }
  text += columns + name_of(position_.to_move()) + " to move, komi " + to_text(rules_.komi) + ", " +
          std::to_string(played_.size()) + " moves";
  return text;
}

}  // namespace tengen
