#include "eval/gtp.h"
#include "eval/gtp_failure.h"
#include "rules/dead_stones.h"

// The engine's commands that count, and those by which players agree on dead stones.
namespace tengen {
namespace {

std::string joined(const PointSet& points, BoardSize size) {
  std::string text;
  points.for_each(
      [&](int i) { (text += text.empty() ? "" : " ") += to_text(size.point(i), size); });
  return text;
}

}  // namespace

// --- counting ---

// The count as it stands: with the marks, if players are marking and have said anything; else with
// what a judge finds dead, where the rules would have dead stones found or played out.
ScoreSheet GtpEngine::sheet() const {
  if (marking_ && marking_->state() == MatchState::kFinished) return *marking_->result().sheet;
  if (marking_ && has_marks_) return marking_->count();
  Rules rules = rules_;
  const bool is_played_out = rules.dead_stones == DeadStones::kPlayedOut && position_.is_over();
  if (rules.dead_stones < DeadStones::kMarked || is_played_out) return position_.score_sheet();
  if (rules.dead_stones == DeadStones::kPlayedOut) rules.dead_stones = DeadStones::kAutomatic;
  const auto dead = judge_dead_stones(position_.board(), rules, judge()).dead;
  return count_score(position_.board(), rules, position_.play_count(), dead);
}

std::string GtpEngine::final_score(const Arguments&) {
  if (position_.is_scored()) return to_text(sheet().score());
  const Outcome outcome = position_.outcome();
  if (!outcome.winner) return "0";
  return *outcome.winner == Color::kBlack ? "B+F" : "W+F";
}

// "tengen-score": the same with all its parts, and why every point counts.
std::string GtpEngine::score(const Arguments&) {
  const ScoreSheet counted = sheet();
  std::string text = to_text(counted.score()) + "\n" + to_text(counted, position_.board());
  text.pop_back();  // the end of its last line
  return text;
}

// Chains of the set, a line each.
std::string GtpEngine::listed(const PointSet& stones) const {
  const Board& board = position_.board();
  std::string text;
  PointSet done;
  stones.for_each([&](int index) {
    if (done.contains(index)) return;
    const PointSet chain = board.chain(rules_.size.point(index));
    done |= chain;
    (text += text.empty() ? "" : "\n") += joined(chain, rules_.size);
  });
  return text;
}

std::string GtpEngine::final_status_list(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const std::string status = lower_case(arguments[0]);
  if (status != "alive" && status != "dead" && status != "seki") throw GtpFailure{"syntax error"};
  const ScoreSheet counted = sheet();
  const Board& board = position_.board();
  PointSet dead;
  if (marking_ && has_marks_) {
    dead = marking_->dead();
  } else {
    for (const Color c : {Color::kBlack, Color::kWhite}) {
      dead |= board.stones(c) & counted.owned[index_of(opponent(c))];
    }
  }
  if (status == "dead") return listed(dead);
  const PointSet stones = board.stones(Color::kBlack) | board.stones(Color::kWhite);
  return status == "alive" ? listed(stones - dead) : "";
}

// --- agreeing on dead stones ---

Match& GtpEngine::marking() {
  if (marking_) return *marking_;
  throw GtpFailure{rules_.dead_stones == DeadStones::kMarked
                       ? "dead stones are marked after two passes"
                       : "dead stones are not marked under these rules"};
}

// "tengen-mark D4 ...": turns the chains there dead or alive; answers the stones marked dead.
std::string GtpEngine::mark(const Arguments& arguments) {
  require_arguments(arguments, 1);
  Match changed = marking();
  PointSet done;  // two stones of a chain stand for it once
  for (const std::string& word : arguments) {
    const Point p = required(parse_point(word, rules_.size));
    if (done.contains(rules_.size.index(p))) continue;
    changed.toggle_dead(p);
    done |= position_.board().chain(p);
  }
  *marking_ = changed;
  has_marks_ = true;
  return joined(marking_->dead(), rules_.size);
}

// "tengen-suggest": marks what the judge finds dead; answers what decided, the dead, the unsettled.
std::string GtpEngine::suggest(const Arguments&) {
  const DeadStonesVerdict verdict = marking().suggest();
  has_marks_ = true;
  std::string text = "level " + std::string(name_of(verdict.level));
  const auto add = [&](const char* name, const PointSet& stones) {
    if (!stones.is_empty()) text += std::string("\n") + name + " " + joined(stones, rules_.size);
  };
  add("dead", verdict.dead);
  add("unsettled", verdict.unsettled);
  return text;
}

// "tengen-confirm black": agrees with the marks; answers the result once both have.
std::string GtpEngine::confirm(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const Color color = required(parse_gtp_color(arguments[0]));
  marking().confirm(color);
  has_marks_ = true;
  if (marking_->state() != MatchState::kFinished) return "waiting for the other side";
  return to_text(marking_->result());
}

// "tengen-resume black": play goes on without marks, and it is the other side's turn.
std::string GtpEngine::resume(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const Color color = required(parse_gtp_color(arguments[0]));
  marking().resume(color);
  position_ = marking_->position();
  marking_.reset();
  return std::string(name_of(position_.to_move())) + " to move";
}

// "tengen-marks": where the agreement stands.
std::string GtpEngine::marks(const Arguments&) {
  const Match& match = marking();
  std::string text(name_of(match.state()));
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    if (match.is_confirmed_by(c)) text += std::string("\nconfirmed ") + name_of(c);
  }
  if (!match.dead().is_empty()) text += "\ndead " + joined(match.dead(), rules_.size);
  return text;
}

}  // namespace tengen
