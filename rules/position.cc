#include "rules/position.h"

#include <algorithm>

#include "rules/dead_stones.h"
#include "rules/handicap.h"
#include "rules/ko_shape.h"
#include "rules/legality.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr int kRepetitions = 3;  // of a position before the rules speak of repetition

Board start_board(const Rules& rules) {
  if (rules.handicap == 0) return Board(rules.size);
  check(rules.handicap_placement != HandicapPlacement::kFree, "a free handicap needs a set-up");
  PointSet black;
  for (const Point p :
       fixed_handicap_points(rules.size, rules.handicap, rules.handicap_placement)) {
    black.insert(rules.size.index(p));
  }
  return *Board::from_stones(rules.size, black, PointSet());
}

}  // namespace

std::string_view name_of(PlayEnding ending) {
  switch (ending) {
    case PlayEnding::kPasses:
      return "passes";
    case PlayEnding::kMoveCap:
      return "move-cap";
    case PlayEnding::kRepetition:
      return "repetition";
    case PlayEnding::kThreeKos:
      return "three-kos";
  }
  return "unknown";
}

std::string_view name_of(const Outcome& outcome) {
  if (outcome.winner) return name_of(*outcome.winner);
  return outcome.is_no_result ? "no-result" : "draw";
}

Position::Position(const Rules& rules)
    : Position(rules, start_board(rules), rules.handicap == 0 ? Color::kBlack : Color::kWhite) {}

Position::Position(const Rules& rules, const Board& board, Color to_move)
    : rules_(rules), to_move_(to_move), board_(board) {
  check(board.size() == rules.size, "the board has the size of the rules");
  if (keeps_history()) history_.push(state());
}

// What repetition compares. Where repetitions are counted, the side to move always matters.
std::uint64_t Position::state() const {
  return counts_repetitions() ? pass_state() : state_key(board_.hash(), to_move_, rules_.ko);
}

std::uint64_t Position::pass_state() const {
  return state_key(board_.hash(), to_move_, Ko::kSituational) ^
         (clean_up_ ? clean_up_->blocked_hash() : 0);
}

bool Position::is_legal(Move m) const {
  if (m.is_pass()) return true;
  if (!clean_up_) return tengen::is_legal(board_, m.point(), to_move_, rules_, history_);
  return size().contains(m.point()) && legal_points().contains(size().index(m.point()));
}

PointSet Position::legal_points() const {
  if (!clean_up_) return tengen::legal_points(board_, to_move_, rules_, history_);
  // No ko rule but its own; a lone stone's suicide would be a pass that ends nothing.
  const PointSet playable = board_.legal(to_move_, rules_.multi_stone_suicide, false);
  return (playable - clean_up_->spent(board_, to_move_)) |
         clean_up_->lifting_points(board_, to_move_);
}

PointSet Position::ko_banned() const {
  if (!clean_up_) return tengen::ko_banned(board_, to_move_, rules_, history_);
  return clean_up_->spent(board_, to_move_);
}

void Position::play(Move m) {
  ending_.reset();
  past_boards_[ply_ % 2] = board_.past_board();
  bool phase_ends = false;
  if (m.is_pass()) {
    phase_ends = play_pass();
  } else {
    play_stone(m.point());
  }
  recent_[ply_ % kRecent] = {to_move_, m};
  ++ply_;
  set_to_move(opponent(to_move_));
  if (phase_ends) {
    end_phase();
  } else if (!m.is_pass() && counts_repetitions() && history_.count(state()) >= kRepetitions) {
    ending_ = PlayEnding::kRepetition;
  } else if (rules_.three_ko_draw && phase_ == 0 && is_three_ko_draw()) {
    ending_ = PlayEnding::kThreeKos;
  }
  if (!ending_ && rules_.move_cap > 0 && ply_ >= rules_.move_cap) ending_ = PlayEnding::kMoveCap;
}

void Position::play_stone(Point p) {
  const int own = index_of(to_move_);
  passes_ = 0;
  if (clean_up_ && clean_up_->lifts_block(board_, p, to_move_)) {
    clean_up_->lift_block(board_, p, to_move_);
    return;
  }
  const std::uint64_t hash_before = board_.hash();
  const bool may_be_suicide = rules_.multi_stone_suicide || rules_.single_stone_suicide;
  const int own_before = may_be_suicide ? board_.stones(to_move_).count() : 0;
  const int captured = board_.play(p, to_move_);
  if (phase_ < 2) {
    count_.lost[own ^ 1] += captured;
    if (may_be_suicide) count_.lost[own] += own_before + 1 - board_.stones(to_move_).count();
  }
  if (!clean_up_) return;
  if (board_.ko_point()) clean_up_->note_ko_capture(hash_before, p, to_move_, size());
  board_.pass();  // the block takes the place of the simple ko
  clean_up_->forget_blocks_on(board_.empty());
}

// Returns whether the phase ends.
bool Position::play_pass() {
  board_.pass();
  if (has_button()) {
    count_.button = to_move_;
    passes_ = 0;
    history_ = History();
    passed_in_.clear();
    return false;
  }
  const bool ends = pass_would_end_phase();
  if (counts_repetitions()) history_ = History();
  if (ends_by_same_pass()) passed_in_.push_back(pass_state());
  ++passes_;
  return ends;
}

bool Position::pass_would_end_phase() const {
  if (has_button()) return false;
  return passes_ >= 1 ||
         (ends_by_same_pass() && std::ranges::find(passed_in_, pass_state()) != passed_in_.end());
}

void Position::end_phase() {
  if (is_last_phase()) {
    ending_ = PlayEnding::kPasses;
    return;
  }
  ++phase_;
  phase_start_ply_ = ply_;
  passes_ = 0;
  passed_in_.clear();
  clean_up_.emplace();
  if (phase_ == 2) {
    count_.phase = 2;
    count_.phase_two_start = {board_.stones(Color::kBlack), board_.stones(Color::kWhite)};
  }
  history_ = History();
  history_.push(state());
}

bool Position::is_three_ko_draw() const {
  const PointSet retakes = ko_captures(board_, to_move_);
  if (retakes.is_empty()) return false;
  if ((retakes | ko_captures(board_, opponent(to_move_))).count() < 3) return false;
  PointSet refused = retakes & ko_banned();
  if (const auto ko = board_.ko_point()) refused.erase(size().index(*ko));
  return !refused.is_empty();
}

void Position::set_to_move(Color c) {
  if (c == to_move_) return;
  to_move_ = c;
  if (keeps_history()) history_.push(state());
}

void Position::resume(Color c) {
  check(ending_ == PlayEnding::kPasses && phase_ == 0, "play that passes ended");
  ending_.reset();
  passes_ = 0;
  passed_in_.clear();
  set_to_move(c);
}

Outcome Position::outcome() const {
  check(is_over(), "an outcome of a game that is over");
  if (is_scored()) return {score().winner()};
  if (*ending_ == PlayEnding::kThreeKos) return {};
  switch (rules_.repetition) {
    case Repetition::kDraw:
      return {};
    case Repetition::kLoss:
      return {to_move_};
    default:
      return {std::nullopt, true};
  }
}

int Position::white_bonus_half_points() const {
  int half_points = 2 * handicap_bonus(rules_);
  if (count_.button) half_points += *count_.button == Color::kWhite ? 1 : -1;
  if (rules_.scoring == Scoring::kTerritory) {
    half_points += 2 * (stones_charged(board_, count_, Color::kBlack) -
                        stones_charged(board_, count_, Color::kWhite));
  }
  return half_points;
}

ScoreSheet Position::score_sheet() const {
  const bool needs_judge =
      rules_.dead_stones == DeadStones::kMarked || rules_.dead_stones == DeadStones::kAutomatic;
  return score_sheet(needs_judge ? judge_dead_stones(board_, rules_).dead : PointSet());
}

ScoreSheet Position::score_sheet(const PointSet& dead) const {
  return count_score(board_, rules_, count_, dead);
}

std::optional<Score> Position::settled_score() const {
  std::array<PointSet, 2> owned;
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    const PassAlive alive = pass_alive(board_, c, rules_.multi_stone_suicide);
    owned[index_of(c)] = alive.stones | alive.territory;
  }
  if ((owned[0] | owned[1]).count() != size().area()) return std::nullopt;
  PlayCount count = count_;
  if (has_button()) count.button = to_move_;
  return count_settled(board_, rules_, count, owned).score();
}

std::array<PastBoard, 2> Position::past_boards() const {
  return {past_boards_[(ply_ + 1) % 2], past_boards_[ply_ % 2]};
}

Position::Played Position::recent(int back) const {
  check(back >= 0 && back < kRecent && back < ply_, "one of the last moves");
  return recent_[(ply_ - 1 - back) % kRecent];
}

}  // namespace tengen
