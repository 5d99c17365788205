#include "selfplay/game_text.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "rules/rules_text.h"

namespace tengen {
namespace {

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
  out += ' ';
  append_number(out, move.net);
  for (const float value :
       {move.weight, move.root_no_result, move.raw_win, move.raw_score, move.policy_surprise}) {
    out += ' ';
    append_float(out, value);
  }
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
  record.net = lines.number<int>();
  for (float MoveRecord::*field :
       {&MoveRecord::weight, &MoveRecord::root_no_result, &MoveRecord::raw_win,
        &MoveRecord::raw_score, &MoveRecord::policy_surprise}) {
    record.*field = lines.real();
  }
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
  for (int i = 0; i < kGameEnds; ++i) {
    const auto end = static_cast<GameEnd>(i);
    if (name_of(end) == text) return end;
  }
  lines.refuse_line("unknown end '" + std::string(text) + "'");
}

constexpr Outcome kOutcomes[] = {
    {Color::kBlack}, {Color::kWhite}, {std::nullopt}, {std::nullopt, true}};

Outcome parse_outcome(Lines& lines) {
  const std::string_view text = lines.rest();
  for (const Outcome& outcome : kOutcomes) {
    if (name_of(outcome) == text) return outcome;
  }
  lines.refuse_line("unknown outcome '" + std::string(text) + "'");
}

GameRecord parse_game(Lines& lines) {
  GameRecord record;
  lines.next("game");
  record.index = lines.number<std::uint64_t>();
  lines.next("seed");
  record.seed = lines.number<std::uint64_t>();
  while (lines.next_is("net ")) {
    lines.next("net");
    record.nets.emplace_back(lines.rest());
  }
  if (record.nets.empty()) lines.refuse_line("expected a net");
  if (lines.next_is("opponent ")) {
    lines.next("opponent");
    const std::string_view side = lines.rest();
    if (record.nets.size() < 2 || (side != "black" && side != "white")) {
      lines.refuse_line("expected the side of a second net, black or white");
    }
    record.opponent = side == "black" ? Color::kBlack : Color::kWhite;
  }
  record.must_balance = lines.next_is("balance\n");
  if (record.must_balance) lines.next("balance");
  lines.next("rules");
  record.rules = parse_rules(lines.rest());
  if (needs_set_up(record.rules)) lines.refuse_line("expected no free handicap");
  lines.next("opening_moves");
  record.opening_moves = lines.number<int>();
  if (record.opening_moves < 0) lines.refuse_line("expected 0 opening moves or more");
  lines.next("evaluations");
  record.evaluations = lines.number<std::int64_t>();
  while (lines.next_is("move ")) record.moves.push_back(parse_move_line(lines, record.rules.size));
  lines.next("end");
  record.end = parse_end(lines);
  record.score.black_area = parse_set(lines, "black_area");
  record.score.white_area = parse_set(lines, "white_area");
  record.score.komi = record.rules.komi;
  lines.next("extra");
  record.score.black_extra_half_points = lines.number<int>();
  lines.next("outcome");
  record.outcome = parse_outcome(lines);
  lines.next("score");  // for people; the areas say it
  return record;
}

}  // namespace

std::string canonical_text(const GameRecord& record) {
  std::string out =
      "game " + std::to_string(record.index) + "\nseed " + std::to_string(record.seed) + '\n';
  for (const std::string& net : record.nets) out += "net " + net + '\n';
  if (record.opponent) {
    out += *record.opponent == Color::kBlack ? "opponent black\n" : "opponent white\n";
  }
  if (record.must_balance) out += "balance\n";
  out += "rules " + to_text(record.rules) + "\nopening_moves " +
         std::to_string(record.opening_moves) + "\nevaluations " +
         std::to_string(record.evaluations) + '\n';
  for (const MoveRecord& move : record.moves) append_move(out, move, record.rules.size);
  out += "end ";
  out += name_of(record.end);
  out += '\n';
  append_set(out, "black_area", record.score.black_area);
  append_set(out, "white_area", record.score.white_area);
  out += "extra " + std::to_string(record.score.black_extra_half_points) + '\n';
  out += "outcome " + std::string(name_of(record.outcome)) + '\n';
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
