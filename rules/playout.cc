#include "rules/playout.h"

#include <algorithm>

#include "rules/board_access.h"
#include "rules/legality.h"

namespace tengen {
namespace {

template <int kPitch>
Move to_move_value(int p) {
  return p == 0 ? Move::pass() : Move(Layout<kPitch>::to_point(p));
}

}  // namespace

struct RandomGame {
  // Whether nothing but board and history decides what is legal and when play ends.
  static bool is_plain(const Position& position) {
    const Rules& rules = position.rules_;
    return position.phase_ == 0 && !position.counts_repetitions() &&
           !position.ends_by_same_pass() && !rules.button && !rules.three_ko_draw &&
           rules.move_cap == 0 && rules.scoring == Scoring::kArea;
  }

  // A lane of one game. The lane reads the position, which must outlive it.
  template <class State>
  static RandomLane lane_of(const Position& position, const State& state) {
    RandomLane lane;
    lane.state = const_cast<State*>(&state);
    lane.past = superko_past(position.rules_, position.history_);
    lane.suicide = {position.rules_.multi_stone_suicide, position.rules_.single_stone_suicide};
    lane.to_move = index_of(position.to_move_);
    lane.passes = position.passes_;
    return lane;
  }

  static Move move(const Position& position, Rng& rng) {
    if (position.clean_up_) return clean_up_move(position, rng);
    return BoardAccess::visit(position.board_, [&]<int kPitch>(const BoardState<kPitch>& s,
                                                               const PitchEngine<kPitch>& engine) {
      return to_move_value<kPitch>(engine.random_move(lane_of(position, s), rng));
    });
  }

  // The legal points of a clean-up phase are few and known to Position alone.
  static Move clean_up_move(const Position& position, Rng& rng) {
    const PointSet points =
        position.legal_points() - position.board_.single_point_eyes(position.to_move_);
    if (points.is_empty()) return Move::pass();
    int left = static_cast<int>(rng.below(static_cast<std::uint32_t>(points.count())));
    Move chosen = Move::pass();
    points.for_each([&](int i) {
      if (left-- == 0) chosen = position.size().point(i);
    });
    return chosen;
  }

  static int play(Position& position, Rng& rng, int max_moves) {
    int moves = 0;
    if (!is_plain(position)) {
      for (; !position.is_over() && moves < max_moves; ++moves) position.play(move(position, rng));
      return moves;
    }
    moves = play_plain(position, rng, max_moves);
    if (position.passes_ >= 2) position.ending_ = PlayEnding::kPasses;
    return moves;
  }

  // The last two moves are made one by one, as the boards before them are kept.
  static int play_plain(Position& position, Rng& rng, int max_moves) {
    return BoardAccess::visit(
        position.board_, [&]<int kPitch>(BoardState<kPitch>& s, const PitchEngine<kPitch>& engine) {
          int moves = 0;
          while (position.passes_ < 2 && moves < max_moves) {  // as far as a history's block goes
            position.past_boards_[position.ply_ % 2] = position.board_.past_board();
            moves += play_some(position, s, engine, rng, std::max(1, max_moves - moves - 2));
          }
          // Both passes may have been among many moves. (A ko before the first one is forgotten.)
          if (position.passes_ >= 2) position.past_boards_.fill(position.board_.past_board());
          return moves;
        });
  }

 private:
  template <int kPitch>
  static int play_some(Position& position, BoardState<kPitch>& s, const PitchEngine<kPitch>& engine,
                       Rng& rng, int max_moves) {
    const History::Room room = position.history_.room();
    RandomLane lane = lane_of(position, s);
    lane.rng = &rng;
    lane.filter = room.filter;
    lane.keys = room.hashes;
    lane.key_room = room.end;
    lane.max_moves = max_moves;
    const int keys_before = lane.past.count;
    engine.random_moves(lane);
    position.history_.add(lane.past.count - keys_before);
    for (int n = std::max(0, lane.moves - Position::kRecent); n < lane.moves; ++n) {
      const bool is_own = (lane.moves - n) % 2 == (lane.to_move == 0 ? 0 : 1);
      position.recent_[(position.ply_ + n) % Position::kRecent] = {
          is_own ? Color::kBlack : Color::kWhite,
          to_move_value<kPitch>(lane.recent[n % lane.recent.size()])};
    }
    position.to_move_ = lane.to_move == 0 ? Color::kBlack : Color::kWhite;
    position.passes_ = lane.passes;
    position.ply_ += lane.moves;
    return lane.moves;
  }
};

Move random_move(const Position& position, Rng& rng) {
  return RandomGame::move(position, rng);
}

std::vector<Move> random_opening(const Rules& rules, int count, Rng& rng) {
  Position position(rules);
  std::vector<Move> moves;
  while (std::ssize(moves) < count) {
    moves.push_back(random_move(position, rng));
    position.play(moves.back());
    if (position.is_over()) break;
  }
  return moves;
}

int play_random_game(Position& position, Rng& rng, int max_moves) {
  return RandomGame::play(position, rng, max_moves);
}

}  // namespace tengen
