#include "rules/position.h"

#include "rules/legality.h"

namespace tengen {

Position::Position(const Rules& rules) : Position(rules, Board(rules.size), Color::kBlack) {}

Position::Position(const Rules& rules, const Board& board, Color to_move)
    : rules_(rules), to_move_(to_move), board_(board) {
  check(board.size() == rules.size, "the board has the size of the rules");
  if (rules_.ko != Ko::kSimple) {
    history_.push(state_key(board_.hash(), to_move, rules_.ko));
  }
}

bool Position::is_legal(Move m) const {
  return m.is_pass() || tengen::is_legal(board_, m.point(), to_move_, rules_, history_);
}

PointSet Position::legal_points() const {
  return tengen::legal_points(board_, to_move_, rules_, history_);
}

PointSet Position::ko_banned() const {
  return tengen::ko_banned(board_, to_move_, rules_, history_);
}

void Position::play(Move m) {
  if (m.is_pass()) {
    board_.pass();
    ++passes_;
  } else {
    board_.play(m.point(), to_move_);
    passes_ = 0;
  }
  recent_[ply_ % kRecent] = {to_move_, m};
  ++ply_;
  set_to_move(opponent(to_move_));
}

void Position::set_to_move(Color c) {
  to_move_ = c;
  if (rules_.ko != Ko::kSimple) history_.push(state_key(board_.hash(), c, rules_.ko));
}

Score Position::score() const {
  const auto owned = rules_.scoring == AreaScoring::kAsItStands
                         ? area(board_)
                         : area_pass_dead_removed(board_, rules_.multi_stone_suicide);
  return {owned[0], owned[1], rules_.komi};
}

std::optional<Score> Position::settled_score() const {
  std::array<PointSet, 2> owned;
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    const PassAlive alive = pass_alive(board_, c, rules_.multi_stone_suicide);
    owned[index_of(c)] = alive.stones | alive.territory;
  }
  if ((owned[0] | owned[1]).count() != size().area()) return std::nullopt;
  return Score{owned[0], owned[1], rules_.komi};
}

Position::Played Position::recent(int back) const {
  check(back >= 0 && back < kRecent && back < ply_, "one of the last moves");
  return recent_[(ply_ - 1 - back) % kRecent];
}

}  // namespace tengen
