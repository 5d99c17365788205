#pragma once

#include <array>
#include <cstdint>

#include "rules/bitboard.h"
#include "rules/board_state.h"
#include "rules/chain_record.h"
#include "rules/chain_roots.h"
#include "rules/cross.h"
#include "rules/past.h"
#include "rules/point_set.h"

namespace tengen::TENGEN_INSTRUCTION_SET {

struct Suicide {
  bool multi_stone = false;
  bool single_stone = false;
  bool is_allowed() const { return multi_stone || single_stone; }
};

// The board proper: what can be asked of a BoardState and done to it. Functions take the state, so
// that several games can be played in turn, their waits overlapping (RandomMoves).
//
// `atari` is kept so that the exact legal moves are one dilation, see unsuicidal(). Every change of
// it lies around one point.
template <int kPitchValue>
class PitchBoard {
 public:
  static constexpr int kPitch = kPitchValue;
  using L = Layout<kPitch>;
  using State = BoardState<kPitch>;
  using Words = typename L::Words;
  using Bits = BitsFor<L::kWords>;
  using Roots = ChainRoots<kPitch>;
  using Near = Cross<kPitch>;

  static Bits on_board(const State& s) { return Bits::load(s.shape->on); }
  static Bits stones(const State& s, int c) { return Bits::load(s.stones[c]); }
  static Bits ever(const State& s, int c) { return Bits::load(s.ever[c]); }
  static Bits empty(const State& s) { return on_board(s).without(stones(s, 0) | stones(s, 1)); }
  static bool has(const Words& words, int p) { return ((words[p >> 6] >> (p & 63)) & 1) != 0; }

  static Bits dilate(const Bits& b) {
    return (b.template up<1>() | b.template down<1>()) |
           (b.template up<kPitch>() | b.template down<kPitch>());
  }
  // All points of `within` that connect to `from` through `within`, and `from`.
  static Bits spread(Bits from, const Bits& within) {
    while (true) {
      const Bits next = from | (dilate(from) & within);
      if (next == from) return from;
      from = next;
    }
  }

  // Empty points where a stone of `c` has a liberty afterwards: beside an empty point, an own chain
  // not in atari or an enemy chain in atari. Stones of a chain in atari that do not touch its
  // liberty touch no empty point at all, so they need no mark.
  [[gnu::always_inline]] static Bits unsuicidal(const State& s, int c) {
    const Bits e = empty(s);
    const Bits atari = Bits::load(s.atari);
    return e & dilate(e | stones(s, c).without(atari) | (stones(s, c ^ 1) & atari));
  }
  // Legal but for the ko.
  [[gnu::always_inline]] static Bits playable(const State& s, int c, Suicide suicide) {
    Bits result = unsuicidal(s, c);
    if (suicide.is_allowed()) [[unlikely]] {
      const Bits joins = dilate(stones(s, c));
      if (suicide.multi_stone) result = result | (empty(s) & joins);
      if (suicide.single_stone) result = result | empty(s).without(joins);
    }
    return result;
  }
  // The ko point if it is closed to `c`. Bit 0 is never a point.
  static Bits ko(const State& s, int c) {
    return Bits::one(s.ko & opaque(-static_cast<int>(s.ko_color == c)));
  }
  static Bits legal(const State& s, int c, Suicide suicide) {
    return playable(s, c, suicide).without(ko(s, c));
  }
  // What a random player does not see as an own eye: a point with an enemy stone or an empty point
  // beside it, or enough enemy diagonals to break it.
  [[gnu::always_inline]] static Bits no_single_point_eyes(const State& s, int c) {
    const Bits enemy = stones(s, c ^ 1);
    const Bits a = enemy.template up<kPitch + 1>();
    const Bits b = enemy.template up<kPitch - 1>();
    const Bits x = enemy.template down<kPitch + 1>();
    const Bits y = enemy.template down<kPitch - 1>();
    const Bits above = a | b;
    const Bits below = x | y;
    const Bits two = (a & b) | (x & y) | (above & below);
    return dilate(empty(s) | enemy) | two | ((above | below) & Bits::load(s.shape->edge));
  }

  // A play in two steps. place() does what every play needs, without a branch; settle() does what
  // only some plays need: joins chains, marks chains in atari, takes stones off. Between them
  // another game's place() may run. Together they return the number of stones captured.
  struct Placed {
    unsigned own;      // which neighbours are own stones; bits in the order of Cross::neighbours()
    unsigned to_join;  // which of them belong to further chains
    unsigned threatened;  // which are stones of enemy chains with one liberty or none
    int root;             // of the chain of the new stone
  };
  [[gnu::always_inline]] static inline Placed place(State& s, int p, int c);
  [[gnu::always_inline]] static inline int settle(State& s, int p, int c, Placed placed);
  static int play(State& s, int p, int c) { return settle(s, p, c, place(s, p, c)); }

  // Replaces the stones. False, with the board unusable, if a chain has no liberty.
  static bool set_up(State& s, const Bits& black, const Bits& white);
  // Enters the chain of colour `c` at `start`: its roots, record, marks, and its part of the hash.
  // False if it has no liberty. Requires roots of 0 there and the empty points in `free`.
  static bool found_chain(State& s, int start, int c, const Words& free);

  static std::uint64_t hash_after(const State& s, int p, int c);
  static Bits chain(const State& s, int root) {
    return Bits::from_words(Roots::points_of(s.root.data(), root));
  }
  // At most this many liberties, without looking: each counts for one to four stones.
  static int pseudo_liberties(const State& s, int root) {
    return static_cast<int>(s.record[root] >> 52);
  }

  // Whether superko forbids a play that is otherwise legal, and the points in `candidates` where it
  // does. Only a point that held the colour before can bring a state back, or a suicide: after any
  // other play the board has a stone it never had.
  static bool is_repetition(const State& s, int p, int c, Suicide suicide, const Past& past) {
    if (!past.is_kept()) return false;
    const std::uint64_t key = s.hash ^ kPitchTables<kPitch>.zobrist[c][p] ^ side(past, c ^ 1);
    const unsigned captures = Near::of(s.stones[c ^ 1], p) & Near::of(s.atari, p);
    const auto suspect = opaque(
        static_cast<unsigned>(has(s.ever[c], p)) &
        (static_cast<unsigned>(captures != 0) | static_cast<unsigned>(filter_hit(past, key))));
    if (suspect == 0 && !suicide.is_allowed()) [[likely]]
      return false;
    return is_suspect_repetition(s, p, c, suicide, past);
  }
  static Bits repetitions(const State& s, const Bits& candidates, int c, Suicide suicide,
                          const Past& past);

  // Row-major sets without guards, and back: the order of the points is the same.
  static PointSet to_set(const State& s, const Bits& bits);
  static Bits from_set(const State& s, const PointSet& set);

  static std::uint64_t side(const Past& past, int to_move) {
    return past.white_to_move & -static_cast<std::uint64_t>(to_move);
  }
  static std::uint64_t filter_hit(const Past& past, std::uint64_t key) {  // 0 or 1
    const std::uint64_t word = past.filter[filter_word(key, past.filter_mask)];
    return (word >> (key & 63)) & (word >> ((key >> 6) & 63)) & 1;
  }

 private:
  template <int>
  friend class LadderReader;

  // Marks the stones of the chain `root` around its only liberty.
  [[gnu::always_inline]] static void mark_atari(State& s, int liberty, int root) {
    const auto near = Near::neighbours(liberty);
    unsigned mine = 0;
    for (int i = 0; i < 4; ++i) mine |= static_cast<unsigned>(s.root[near[i]] == root) << i;
    (Bits::load(s.atari) | Bits::window(Near::unpack(mine), liberty - kPitch)).store(s.atari);
  }
  static int remove_chain(State& s, int root, int c, int played, int played_root);
  static void unmark_freed(State& s, int c);
  static bool is_suspect_repetition(const State& s, int p, int c, Suicide suicide,
                                    const Past& past);
  static std::uint64_t hash_of_chains(const State& s, int p, unsigned at, int c);
  static bool is_in(const Past& past, std::uint64_t key);
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET

#include "rules/pitch_moves.h"    // IWYU pragma: export
#include "rules/pitch_sets.h"     // IWYU pragma: export
#include "rules/pitch_superko.h"  // IWYU pragma: export
