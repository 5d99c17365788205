#pragma once

#include <algorithm>
#include <cstdint>

#include "rules/engine.h"
#include "rules/pitch_board.h"
#include "rules/ranks.h"

namespace tengen::TENGEN_INSTRUCTION_SET {

// Uniformly random moves of one or two games on one processor core. Two games in turn overlap their
// waits: both draw, both place their stone, none of which branches; then one after the other does
// what only some plays need, where the processor guesses wrong about once a move.
template <int kPitch>
class RandomMoves {
 public:
  using Board = PitchBoard<kPitch>;
  using State = typename Board::State;
  using Bits = typename Board::Bits;

  // A uniform draw from the legal moves that fill no own eye; 0 for a pass. Superko is tested on
  // the drawn point only: drawing again without it gives the same distribution.
  template <bool kMaySuicide = true>
  [[gnu::always_inline]] static inline int draw(const RandomLane& lane, Rng& rng) {
    const State& s = *static_cast<const State*>(lane.state);
    const int c = lane.to_move;
    const Suicide suicide = kMaySuicide ? suicide_of(lane) : Suicide{};
    Bits candidates = Board::legal(s, c, suicide) & Board::no_single_point_eyes(s, c);
    while (true) {
      const Ranks<Bits> ranks(candidates);
      if (ranks.size() == 0) return 0;
      const int p = ranks[static_cast<int>(rng.below(static_cast<std::uint32_t>(ranks.size())))];
      if (!Board::is_repetition(s, p, c, suicide, lane.past)) [[likely]]
        return p;
      candidates = candidates.without(Bits::one(p));
    }
  }

  // The same from the whole set of legal moves, superko included, which it leaves in `legal`.
  static int draw_and_show(const RandomLane& lane, Rng& rng, PointSet& legal) {
    const State& s = *static_cast<const State*>(lane.state);
    const int c = lane.to_move;
    const Suicide suicide = suicide_of(lane);
    const Bits playable = Board::legal(s, c, suicide);
    const Bits all = playable.without(Board::repetitions(s, playable, c, suicide, lane.past));
    legal = Board::to_set(s, all);
    const Ranks<Bits> ranks(all & Board::no_single_point_eyes(s, c));
    if (ranks.size() == 0) return 0;
    return ranks[static_cast<int>(rng.below(static_cast<std::uint32_t>(ranks.size())))];
  }

  static void step(RandomLane& lane, PointSet& legal) {
    Turn turn(lane, draw_and_show(lane, *lane.rng, legal));
    turn.place();
    turn.settle();
  }
  static void step_two(RandomLane& a, RandomLane& b, PointSet& legal_of_a, PointSet& legal_of_b) {
    Turn first(a, draw_and_show(a, *a.rng, legal_of_a));
    Turn second(b, draw_and_show(b, *b.rng, legal_of_b));
    first.place();
    second.place();
    first.settle();
    second.settle();
  }
  static void play(RandomLane& lane) {
    const int moves = moves_left(lane);
    for (int n = 0; n < moves && lane.passes < 2; ++n) {
      Turn turn(lane, draw(lane, *lane.rng));
      turn.place();
      turn.settle();
    }
  }
  static void play_two(RandomLane& a, RandomLane& b) {
    if (suicide_of(a).is_allowed() || suicide_of(b).is_allowed()) {
      play_two_by<true>(a, b);
    } else {
      play_two_by<false>(a, b);
    }
  }

 private:
  template <bool kMaySuicide>
  static void play_two_by(RandomLane& a, RandomLane& b) {
    const int moves = std::min(moves_left(a), moves_left(b));
    for (int n = 0; n < moves && a.passes < 2 && b.passes < 2; ++n) {
      Turn first(a, draw<kMaySuicide>(a, *a.rng));
      Turn second(b, draw<kMaySuicide>(b, *b.rng));
      first.place();
      second.place();
      first.settle();
      second.settle();
    }
  }

  static Suicide suicide_of(const RandomLane& lane) {
    return {lane.suicide.multi_stone, lane.suicide.single_stone};
  }
  static int moves_left(const RandomLane& lane) {
    const int moves = lane.max_moves - lane.moves;
    return lane.past.is_kept() ? std::min(moves, lane.key_room - lane.past.count) : moves;
  }

  class Turn {
   public:
    Turn(RandomLane& lane, int point) : lane_(lane), point_(point) {}
    [[gnu::always_inline]] void place() {
      if (point_ != 0) [[likely]]
        placed_ = Board::place(state(), point_, lane_.to_move);
    }
    [[gnu::always_inline]] void settle() {
      State& s = state();
      if (point_ != 0) [[likely]] {
        Board::settle(s, point_, lane_.to_move, placed_);
        lane_.passes = 0;
      } else {
        s.ko = 0;
        ++lane_.passes;
      }
      lane_.recent[lane_.moves & (std::ssize(lane_.recent) - 1)] =
          static_cast<std::int16_t>(point_);
      lane_.to_move ^= 1;
      ++lane_.moves;
      if (lane_.past.is_kept()) {
        const std::uint64_t key = s.hash ^ Board::side(lane_.past, lane_.to_move);
        lane_.keys[lane_.past.count++] = key;
        lane_.filter[filter_word(key, lane_.past.filter_mask)] |= filter_bits(key);
      }
    }

   private:
    State& state() { return *static_cast<State*>(lane_.state); }
    RandomLane& lane_;
    int point_;
    typename Board::Placed placed_{};
  };
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
