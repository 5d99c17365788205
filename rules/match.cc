#include "rules/match.h"

#include <algorithm>
#include <functional>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr int kTimeOutsThatLose = 3;

Color host_color(const MatchOptions& options) {
  switch (options.colors) {
    case ColorChoice::kHostIsBlack:
      return Color::kBlack;
    case ColorChoice::kGuestIsBlack:
      return Color::kWhite;
    case ColorChoice::kRandom:
      break;
  }
  return Rng(options.seed).below(2) == 0 ? Color::kBlack : Color::kWhite;
}

bool awaits_handicap(const Rules& rules) {
  return rules.handicap > 0 && rules.handicap_placement == HandicapPlacement::kFree;
}

Position start_of(const Rules& rules) {
  if (!awaits_handicap(rules)) return Position(rules);
  return Position(rules, Board(rules.size), Color::kBlack);
}

// Why the side to move may not play there.
std::string refusal(const Position& position, Point p) {
  const BoardSize size = position.size();
  if (!size.contains(p)) return "it is not on the board of " + to_text(size);
  const std::string move = to_text(p, size);
  if (position.board().stone_at(p) != Stone::kEmpty) return move + " is not empty";
  if (!position.ko_banned().contains(size.index(p))) return move + " would be suicide";
  const bool is_simple_ko = position.board().ko_point() == p;
  return move + (is_simple_ko ? " would retake the ko at once" : " would repeat a position");
}

}  // namespace

std::string_view name_of(MatchState state) {
  switch (state) {
    case MatchState::kPlacing:
      return "placing";
    case MatchState::kPlaying:
      return "playing";
    case MatchState::kScoring:
      return "scoring";
    case MatchState::kFinished:
      return "finished";
  }
  return "unknown";
}

std::string_view name_of(MatchEnding ending) {
  switch (ending) {
    case MatchEnding::kScore:
      return "score";
    case MatchEnding::kResignation:
      return "resignation";
    case MatchEnding::kTime:
      return "time";
    case MatchEnding::kRepetition:
      return "repetition";
    case MatchEnding::kThreeKos:
      return "three-kos";
  }
  return "unknown";
}

std::string to_text(const FinishedMatch& result) {
  if (result.sheet) return to_text(result.sheet->score());
  if (result.outcome.is_no_result) return "Void";
  if (!result.outcome.winner) return "0";
  const std::string winner = *result.outcome.winner == Color::kBlack ? "B+" : "W+";
  switch (result.ending) {
    case MatchEnding::kResignation:
      return winner + "R";
    case MatchEnding::kTime:
      return winner + "T";
    default:
      return winner + "F";  // forfeit: who repeats a position where that loses
  }
}

Match::Match(const Rules& rules, const MatchOptions& options) : Match(start_of(rules), options) {
  if (awaits_handicap(rules)) state_ = MatchState::kPlacing;
}

Match::Match(const Position& start, const MatchOptions& options)
    : host_(host_color(options)), judge_(options.judge), position_(start) {
  check(!start.is_over(), "a match that can be played");
}

void Match::require(bool holds, std::string_view expected) const {
  if (holds) return;
  throw Error("match: expected " + std::string(expected) + ", found it " +
              std::string(name_of(state_)));
}

void Match::place_handicap(std::span<const Point> points) {
  require(state_ == MatchState::kPlacing, "a match with a free handicap to place");
  const Rules& rules = position_.rules();
  if (std::ssize(points) != rules.handicap) {
    throw Error("match: expected " + std::to_string(rules.handicap) + " handicap stones, found " +
                std::to_string(points.size()));
  }
  PointSet black;
  for (const Point p : points) {
    if (!rules.size.contains(p)) {
      throw Error("match: expected handicap stones on the board, found one off it");
    }
    const int i = rules.size.index(p);
    if (black.contains(i)) {
      throw Error("match: expected distinct handicap points, found " + to_text(p, rules.size) +
                  " twice");
    }
    black.insert(i);
  }
  // One stone to nine points at most: there are always liberties.
  position_ = Position(rules, *Board::from_stones(rules.size, black, PointSet()), Color::kWhite);
  state_ = MatchState::kPlaying;
}

void Match::play(Color by, Move move) {
  require(state_ == MatchState::kPlaying, "a match in play for a move");
  if (by != position_.to_move()) {
    throw Error(std::string("match: expected a move by ") + name_of(position_.to_move()) +
                ", found one by " + name_of(by));
  }
  if (!position_.is_legal(move)) {
    throw Error("match: expected a legal move, found " + refusal(position_, move.point()));
  }
  time_outs_[index_of(by)] = 0;
  advance(move);
}

void Match::time_out(Color whose) {
  if (state_ == MatchState::kScoring) return finish_by_score(count());
  require(state_ == MatchState::kPlaying, "a match in play or scoring for a time-out");
  if (whose != position_.to_move()) {
    throw Error(std::string("match: expected a time-out of ") + name_of(position_.to_move()) +
                ", found one of " + name_of(whose));
  }
  if (++time_outs_[index_of(whose)] == kTimeOutsThatLose) {
    return finish({.outcome = {opponent(whose)}, .ending = MatchEnding::kTime});
  }
  advance(Move::pass());
}

void Match::advance(Move move) {
  moves_.push_back({position_.to_move(), move});
  position_.play(move);
  if (position_.is_over()) finish_play();
}

void Match::finish_play() {
  const DeadStones rule = position_.rules().dead_stones;
  switch (*position_.ending()) {
    case PlayEnding::kRepetition:
      return finish({.outcome = position_.outcome(), .ending = MatchEnding::kRepetition});
    case PlayEnding::kThreeKos:
      return finish({.outcome = position_.outcome(), .ending = MatchEnding::kThreeKos});
    case PlayEnding::kPasses:
      if (rule == DeadStones::kMarked) {
        state_ = MatchState::kScoring;
        return;
      }
      break;
    case PlayEnding::kMoveCap:
      break;
  }
  if (rule != DeadStones::kMarked && rule != DeadStones::kAutomatic) {
    return finish_by_score(position_.score_sheet());
  }
  const auto verdict = judge_dead_stones(position_.board(), position_.rules(), judge_);
  finish_by_score(position_.score_sheet(verdict.dead), verdict.level);
}

ScoreSheet Match::count() const {
  require(state_ == MatchState::kScoring, "a match in scoring for a count");
  return position_.score_sheet(dead_);
}

void Match::toggle_dead(Point p) {
  require(state_ == MatchState::kScoring, "a match in scoring for marks");
  const Board& board = position_.board();
  if (!board.size().contains(p) || board.stone_at(p) == Stone::kEmpty) {
    throw Error("match: expected a stone to mark, found none there");
  }
  const PointSet chain = board.chain(p);
  change_marks(dead_.contains(board.size().index(p)) ? dead_ - chain : dead_ | chain);
}

DeadStonesVerdict Match::suggest() {
  require(state_ == MatchState::kScoring, "a match in scoring for a suggestion");
  const auto verdict = judge_dead_stones(position_.board(), position_.rules(), judge_);
  change_marks(verdict.dead);
  return verdict;
}

void Match::change_marks(const PointSet& dead) {
  if (dead == dead_) return;
  dead_ = dead;
  confirmed_ = {};
}

void Match::confirm(Color by) {
  require(state_ == MatchState::kScoring, "a match in scoring for a confirmation");
  confirmed_[index_of(by)] = true;
  if (std::ranges::all_of(confirmed_, std::identity())) finish_by_score(count());
}

void Match::resume(Color by) {
  require(state_ == MatchState::kScoring, "a match in scoring to resume");
  dead_ = {};
  confirmed_ = {};
  position_.resume(opponent(by));
  state_ = MatchState::kPlaying;
}

void Match::resign(Color by) {
  require(state_ != MatchState::kFinished, "an unfinished match to resign");
  finish({.outcome = {opponent(by)}, .ending = MatchEnding::kResignation});
}

const FinishedMatch& Match::result() const {
  check(result_.has_value(), "the result of a finished match");
  return *result_;
}

void Match::finish(const FinishedMatch& result) {
  result_ = result;
  state_ = MatchState::kFinished;
}

void Match::finish_by_score(const ScoreSheet& sheet, std::optional<JudgeLevel> judged_by) {
  finish({.outcome = {sheet.score().winner()}, .sheet = sheet, .judged_by = judged_by});
}

}  // namespace tengen
