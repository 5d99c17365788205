#include <algorithm>
#include <utility>

#include "eval/gtp.h"
#include "eval/gtp_failure.h"
#include "rules/handicap.h"
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
  rules_.handicap = static_cast<int>(handicap_.size());
  position_ = replay(rules_, 0);
  return joined(handicap_, rules_.size);
}

// By a table, also where Black could choose.
HandicapPlacement GtpEngine::placement() const {
  return rules_.handicap_placement == HandicapPlacement::kSides ? HandicapPlacement::kSides
                                                                : HandicapPlacement::kCentre;
}

std::string GtpEngine::fixed_handicap(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const int stones = required(parse_gtp_int(arguments[0]));
  if (!handicap_.empty() || !played_.empty()) throw GtpFailure{"board not empty"};
  if (stones < 2 || stones > max_fixed_handicap(rules_.size)) {
    throw GtpFailure{"invalid number of stones"};
  }
  return place_handicap(fixed_handicap_points(rules_.size, stones, placement()));
}

// The engine may place fewer stones than asked for: it knows the fixed ones.
std::string GtpEngine::place_free_handicap(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const int stones = required(parse_gtp_int(arguments[0]));
  if (!handicap_.empty() || !played_.empty()) throw GtpFailure{"board not empty"};
  const int most = max_fixed_handicap(rules_.size);
  if (stones < 2 || most == 0) throw GtpFailure{"invalid number of stones"};
  return place_handicap(fixed_handicap_points(rules_.size, std::min(stones, most), placement()));
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

// Takes play up again where passes had ended it and players would mark dead stones.
void GtpEngine::resume_play(Position& position, Color to_move) {
  const bool can_be = position.ending() == PlayEnding::kPasses &&
                      position.rules().dead_stones == DeadStones::kMarked;
  if (can_be) position.resume(to_move);
}

Position GtpEngine::replay(const Rules& rules, std::size_t moves) const {
  Board board(rules.size);
  for (const Point p : handicap_) board.play(p, Color::kBlack);
  Position position(rules, board, handicap_.empty() ? Color::kBlack : Color::kWhite);
  for (std::size_t i = 0; i < moves; ++i) {
    resume_play(position, played_[i].color);
    position.set_to_move(played_[i].color);
    if (!position.is_legal(played_[i].move)) {
      throw GtpFailure{"the game so far is not legal under these rules"};
    }
    position.play(played_[i].move);
  }
  return position;
}

// A move after two passes takes play up again, whoever makes it.
void GtpEngine::record(Color color, Move move) {
  resume_play(position_, color);
  position_.set_to_move(color);
  position_.play(move);
  played_.push_back({color, move});
  begin_marking();
}

// The position after the first `moves` moves under `rules`, and what goes with it.
void GtpEngine::go_back(const Rules& rules, std::size_t moves) {
  position_ = replay(rules, moves);
  rules_ = rules;
  played_.resize(moves, {Color::kBlack, Move::pass()});
  begin_marking();
}

// If the last move ended play and players mark dead stones, they begin to, without marks.
void GtpEngine::begin_marking() {
  marking_.reset();
  has_marks_ = false;
  if (position_.ending() != PlayEnding::kPasses || rules_.dead_stones != DeadStones::kMarked) {
    return;
  }
  const auto [color, move] = played_.back();
  Position before = replay(rules_, played_.size() - 1);
  resume_play(before, color);
  before.set_to_move(color);
  marking_.emplace(before, MatchOptions{.judge = judge()});
  marking_->play(color, move);
}

std::string GtpEngine::play(const Arguments& arguments) {
  require_arguments(arguments, 2);
  const Color color = required(parse_gtp_color(arguments[0]));
  const auto move = parse_move(arguments[1], rules_.size);
  if (!move) throw GtpFailure{is_gtp_vertex(arguments[1]) ? "illegal move" : "syntax error"};
  Position next = position_;
  resume_play(next, color);
  next.set_to_move(color);
  if (!next.is_legal(*move)) throw GtpFailure{"illegal move"};
  record(color, *move);
  return "";
}

MoveRequest GtpEngine::request_at(const Position& position) const {
  const bool has_history = handicap_.empty() && position.ply() == position_.ply();
  return {.position = &position,
          .seed = mix64(options_.seed, games_, played_.size()),
          .moves = has_history ? played_ : std::span<const Position::Played>{}};
}

// If the last move was the player's own and the game goes on, a thread on which it ponders.
std::jthread GtpEngine::pondering() {
  const bool is_its_turn = !played_.empty() && played_.size() == own_move_;
  if (!options_.ponders || quit_ || !is_its_turn || position_.is_over()) return {};
  return std::jthread([this](const std::stop_token& stop) {
    try {
      player_->ponder(request_at(position_), stop);
    } catch (const std::exception&) {  // the next move tells, if the player fails then too
    }
  });
}

MoveChoice GtpEngine::choose(Color color, const Rules& rules) {
  // Under other rules the game so far would have been another: they begin where the board stands.
  Position position = rules == rules_ ? position_ : Position(rules, position_.board(), color);
  position.set_to_move(color);
  // Controllers may ask for moves after two passes; a search only knows games that go on.
  if (position.is_over()) position = Position(rules, position_.board(), color);
  const MoveRequest request = request_at(position);
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
  const MoveChoice choice = choose(color, rules_);
  if (choice.resign) return "resign";
  record(color, choice.move);
  own_move_ = played_.size();
  return to_text(choice.move, rules_.size);
}

// Plays as programs among themselves do: what is dead is taken, not marked or judged.
std::string GtpEngine::genmove_cleanup(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const Color color = required(parse_gtp_color(arguments[0]));
  const MoveChoice choice = choose(color, played_out(rules_, true));
  if (choice.resign) return "resign";
  record(color, choice.move);
  return to_text(choice.move, rules_.size);
}

std::string GtpEngine::reg_genmove(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const MoveChoice choice = choose(required(parse_gtp_color(arguments[0])), rules_);
  return choice.resign ? "resign" : to_text(choice.move, rules_.size);
}

std::string GtpEngine::undo(const Arguments&) {
  if (played_.empty()) throw GtpFailure{"cannot undo"};
  const Color color = played_.back().color;
  go_back(rules_, played_.size() - 1);
  if (!position_.is_over()) position_.set_to_move(color);
  return "";
}

// --- what stands ---

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
