#include "selfplay/record.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

namespace tengen {
namespace {

constexpr GameEnd kEnds[] = {GameEnd::kPasses, GameEnd::kAllPassAlive, GameEnd::kMoveCap};

[[noreturn]] void refuse(const GameRecord& record, std::size_t ply, const std::string& what) {
  throw Error("game " + std::to_string(record.index) + ", ply " + std::to_string(ply) + ": " +
              what);
}

void verify_policy(const GameRecord& record, std::size_t ply, const Position& position) {
  const std::vector<float>& policy = record.moves[ply].policy;
  const int area = position.size().area();
  if (policy.size() != static_cast<std::size_t>(area) + 1) {
    refuse(record, ply,
           "expected a policy of " + std::to_string(area + 1) + " entries, found " +
               std::to_string(policy.size()));
  }
  const PointSet legal = position.legal_points();
  double sum = 0;
  for (int i = 0; i <= area; ++i) {
    const float p = policy[static_cast<std::size_t>(i)];
    if (!std::isfinite(p) || p < 0) {
      refuse(record, ply, "policy entry " + std::to_string(i) + " is " + std::to_string(p));
    }
    if (p > 0 && i < area && !legal.contains(i)) {
      refuse(record, ply,
             "policy entry " + std::to_string(i) + " is positive, but the move is illegal");
    }
    sum += p;
  }
  if (std::abs(sum - 1) > 1e-3) {
    refuse(record, ply, "policy sums to " + std::to_string(sum) + ", expected 1");
  }
}

void verify_move(const GameRecord& record, std::size_t ply, const Position& position) {
  const MoveRecord& move = record.moves[ply];
  if (!move.move.is_pass() && !position.size().contains(move.move.point())) {
    refuse(record, ply, "the move is off the board");
  }
  if (!position.is_legal(move.move)) {
    refuse(record, ply, "illegal move " + to_text(move.move, position.size()));
  }
  if (!std::isfinite(move.root_win) || move.root_win < 0 || move.root_win > 1) {
    refuse(record, ply, "root_win is " + std::to_string(move.root_win) + ", expected 0 to 1");
  }
  if (!std::isfinite(move.root_score)) refuse(record, ply, "root_score is not finite");
  if (move.visits < 0) refuse(record, ply, "visits are negative");
  if (!move.policy.empty()) {
    if (ply < static_cast<std::size_t>(record.opening_moves)) {
      refuse(record, ply, "an opening move has a policy");
    }
    verify_policy(record, ply, position);
  } else if (move.root_win != 0.5F || move.root_score != 0.F || move.visits != 0) {
    refuse(record, ply, "a move without policy has search values");
  }
}

void verify_end(const GameRecord& record, const Position& position) {
  const std::size_t plies = record.moves.size();
  if (record.end == GameEnd::kAllPassAlive && !position.is_all_pass_alive()) {
    refuse(record, plies, "ended as all pass-alive, but it is not");
  }
  if ((record.end == GameEnd::kPasses) != position.is_over()) {
    refuse(record, plies,
           "ended by " + std::string(name_of(record.end)) + ", but two passes in a row " +
               (position.is_over() ? "were" : "were not") + " played");
  }
  const Score expected = final_score(position, record.end);
  if (record.score.black_area != expected.black_area ||
      record.score.white_area != expected.white_area || record.score.komi != expected.komi) {
    refuse(record, plies,
           "expected score " + to_text(expected) + ", found " + to_text(record.score) +
               " or other areas");
  }
}

// --- canonical text ---

template <class Number>
void append_number(std::string& out, Number value, int base = 10) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, base).ptr;
  out.append(buffer, end);
}

void append_float(std::string& out, float value) {
  append_number(out, std::bit_cast<std::uint32_t>(value), 16);
}

void append_set(std::string& out, std::string_view name, const PointSet& set) {
  out += name;
  for (const std::uint64_t word : set.words()) {
    out += ' ';
    append_number(out, word, 16);
  }
  out += '\n';
}

void append_move(std::string& out, const MoveRecord& move, BoardSize size) {
  out += "move ";
  append_number(out, policy_index(move.move, size));
  out += ' ';
  append_float(out, move.root_win);
  out += ' ';
  append_float(out, move.root_score);
  out += ' ';
  append_number(out, move.visits);
  for (std::size_t i = 0; i < move.policy.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(move.policy[i]) == 0) continue;
    out += ' ';
    append_number(out, i);
    out += ':';
    append_float(out, move.policy[i]);
  }
  out += '\n';
}

// Reads the lines of a canonical text word by word.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  // Goes to the next line, which must begin with `name`.
  void next(std::string_view name) {
    const std::size_t end = text_.find('\n');
    if (end == std::string_view::npos) refuse_line("expected '" + std::string(name) + "'");
    line_ = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    ++number_;
    const std::string_view found = word();
    if (found != name) {
      refuse_line("expected '" + std::string(name) + "', found '" + std::string(found) + "'");
    }
  }
  bool next_is(std::string_view name) const { return text_.starts_with(name); }
  std::string_view rest() {
    const std::string_view all = line_;
    line_ = {};
    return all;
  }
  bool line_done() const { return line_.empty(); }
  std::string_view word() {
    const std::size_t end = std::min(line_.find(' '), line_.size());
    const std::string_view found = line_.substr(0, end);
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return found;
  }
  template <class Number>
  Number number(int base = 10) {
    return number_in<Number>(word(), base);
  }
  template <class Number>
  Number number_in(std::string_view text, int base = 10) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) {
      refuse_line("expected a number, found '" + std::string(text) + "'");
    }
    return value;
  }
  float real() { return std::bit_cast<float>(number<std::uint32_t>(16)); }
  [[noreturn]] void refuse_line(const std::string& what) const {
    throw Error("game text, line " + std::to_string(number_) + ": " + what);
  }

 private:
  std::string_view text_;
  std::string_view line_;
  int number_ = 0;
};

PointSet parse_set(Lines& lines, std::string_view name) {
  lines.next(name);
  PointSet set;
  for (std::uint64_t& word : set.words()) word = lines.number<std::uint64_t>(16);
  return set;
}

MoveRecord parse_move_line(Lines& lines, BoardSize size) {
  lines.next("move");
  MoveRecord record;
  const int index = lines.number<int>();
  if (index < 0 || index > size.area()) lines.refuse_line("the move is off the board");
  record.move = move_at(index, size);
  record.root_win = lines.real();
  record.root_score = lines.real();
  record.visits = lines.number<int>();
  if (!lines.line_done()) record.policy.assign(static_cast<std::size_t>(size.area()) + 1, 0.F);
  while (!lines.line_done()) {
    const std::string_view entry = lines.word();
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos) lines.refuse_line("expected index:bits in the policy");
    const auto i = lines.number_in<std::size_t>(entry.substr(0, colon));
    if (i >= record.policy.size()) lines.refuse_line("a policy entry is off the board");
    record.policy[i] =
        std::bit_cast<float>(lines.number_in<std::uint32_t>(entry.substr(colon + 1), 16));
  }
  return record;
}

GameEnd parse_end(Lines& lines) {
  const std::string_view text = lines.rest();
  for (const GameEnd end : kEnds) {
    if (name_of(end) == text) return end;
  }
  lines.refuse_line("unknown end '" + std::string(text) + "'");
}

GameRecord parse_game(Lines& lines) {
  GameRecord record;
  lines.next("game");
  record.index = lines.number<std::uint64_t>();
  lines.next("seed");
  record.seed = lines.number<std::uint64_t>();
  lines.next("net");
  record.net = lines.rest();
  lines.next("rules");
  record.rules = parse_rules(lines.rest());
  lines.next("opening_moves");
  record.opening_moves = lines.number<int>();
  lines.next("evaluations");
  record.evaluations = lines.number<std::int64_t>();
  while (lines.next_is("move ")) record.moves.push_back(parse_move_line(lines, record.rules.size));
  lines.next("end");
  record.end = parse_end(lines);
  record.score.black_area = parse_set(lines, "black_area");
  record.score.white_area = parse_set(lines, "white_area");
  record.score.komi = record.rules.komi;
  lines.next("score");  // for people; the areas say it
  return record;
}

}  // namespace

std::string_view name_of(GameEnd end) {
  switch (end) {
    case GameEnd::kPasses:
      return "passes";
    case GameEnd::kAllPassAlive:
      return "all-pass-alive";
    case GameEnd::kMoveCap:
      return "move-cap";
  }
  return "unknown";
}

Score final_score(const Position& position, GameEnd end) {
  if (end != GameEnd::kAllPassAlive) return position.score();
  const std::optional<Score> settled = position.settled_score();
  if (!settled) throw Error("ended as all pass-alive, but it is not");
  return *settled;
}

void verify(const GameRecord& record) {
  if (record.moves.empty()) refuse(record, 0, "no moves");
  if (record.opening_moves < 0 ||
      static_cast<std::size_t>(record.opening_moves) > record.moves.size()) {
    refuse(record, 0, "opening_moves is " + std::to_string(record.opening_moves));
  }
  Position position(record.rules);
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    if (position.is_over()) refuse(record, ply, "a move after the end of the game");
    verify_move(record, ply, position);
    position.play(record.moves[ply].move);
  }
  verify_end(record, position);
}

std::string canonical_text(const GameRecord& record) {
  std::string out = "game " + std::to_string(record.index) + "\nseed " +
                    std::to_string(record.seed) + "\nnet " + record.net + "\nrules " +
                    to_text(record.rules) + "\nopening_moves " +
                    std::to_string(record.opening_moves) + "\nevaluations " +
                    std::to_string(record.evaluations) + '\n';
  for (const MoveRecord& move : record.moves) append_move(out, move, record.rules.size);
  out += "end ";
  out += name_of(record.end);
  out += '\n';
  append_set(out, "black_area", record.score.black_area);
  append_set(out, "white_area", record.score.white_area);
  out += "score " + to_text(record.score) + '\n';
  return out;
}

std::vector<GameRecord> parse_canonical_text(std::string_view text) {
  std::vector<GameRecord> records;
  Lines lines(text);
  while (!lines.at_end()) records.push_back(parse_game(lines));
  return records;
}

}  // namespace tengen
