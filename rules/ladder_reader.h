#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "rules/pitch_board.h"

namespace tengen::TENGEN_INSTRUCTION_SET {

// Whether a chain is taken if its liberties are filled one after the other and it answers each
// time: KataGo's ladders (cpp/game/board.cpp, searchIsLadderCaptured), of which the answers are
// these exactly; nn/README.md says what they are. Plays on the state it is given and takes every
// play back; hash, `ever` and `last` of that state are lost.
//
// Most questions are settled without a play. An extension's liberties are those of the chains that
// it joins: with three of them the chain is out, with one and nothing to capture it is taken.
template <int kPitch>
class LadderReader {
 public:
  using Board = PitchBoard<kPitch>;
  using L = Layout<kPitch>;
  using Near = typename Board::Near;
  using State = typename Board::State;
  using Words = typename Board::Words;
  using Bits = typename Board::Bits;
  using Roots = ChainRoots<kPitch>;

  explicit LadderReader(State& state) : s_(state), most_plies_(state.shape->size.area() * 3 / 2) {}

  struct Answer {
    bool is_captured = false;
    Bits working;  // attacker's first moves that capture; of a chain with two liberties
    Bits seen;     // the answer is the same on every board with the same chains here
  };
  // The chain of colour `c` has one liberty and its owner moves.
  Answer read_in_atari(const Bits& chain, int c) {
    begin(chain, c);
    const int ko = s_.ko;
    s_.ko = 0;  // a ko on the board is taken as won by the owner
    Answer answer;
    answer.is_captured = search(chain);
    s_.ko = static_cast<std::int16_t>(ko);
    answer.seen = Board::dilate(seen_);
    return answer;
  }
  // The chain of colour `c` has two liberties and its opponent moves; with `all_moves` both are
  // tried.
  Answer read_attack(const Bits& chain, const Bits& liberties, int c, bool all_moves) {
    begin(chain, c);
    seen_ = chain | liberties;
    const Pair pair = two_bits(liberties);
    Answer answer;
    for (int i = 0; i < 2 && (all_moves || !answer.is_captured); ++i) {
      const int move = i == 0 ? pair.first : pair.second;
      const int other = i == 0 ? pair.second : pair.first;
      bool works = false;
      if (move != s_.ko && !is_foreseen(chain, move, other, 0, works)) {
        Undo undo;
        play(undo, move, d_ ^ 1);
        s_.ko = 0;  // and so is one that this move leaves
        works = search(chain);
        take_back(undo, move, d_ ^ 1);
      }
      if (!works) continue;
      answer.is_captured = true;
      answer.working = answer.working | Bits::one(move);
    }
    answer.seen = Board::dilate(seen_);
    return answer;
  }

 private:
  static constexpr int kMostPlays = 25000;  // of a search; after that the chain is held for safe

  struct Pair {
    int first;
    int second;
  };
  static Pair two_bits(const Bits& bits) {
    const Words words = bits.words();
    Pair pair{-1, -1};
    for (int i = 0; i < L::kWords; ++i) {
      for (std::uint64_t w = words[i]; w != 0; w &= w - 1) {
        (pair.first < 0 ? pair.first : pair.second) = 64 * i + std::countr_zero(w);
      }
    }
    return pair;
  }

  // What a play changes: the stones, marks, and the records of the chains around it. Roots are kept
  // where chains are joined or taken.
  struct Undo {
    std::array<Words, 2> stones;
    Words atari;
    std::array<std::uint64_t, 4> records;
    std::array<int, 4> near;
    std::int16_t ko;
    bool has_roots;
    bool has_captured;
    alignas(64) std::array<typename L::Root, L::kRoots> roots;
  };

  void begin(const Bits& chain, int c) {
    d_ = c;
    stone_ = first_bit(chain);
    seen_ = Bits();
  }
  bool search(const Bits& chain) {
    plays_left_ = kMostPlays;
    is_exhausted_ = false;
    return is_captured(chain, 0) && !is_exhausted_;
  }

  // The owner moves, its chain having one liberty.
  bool is_captured(const Bits& chain, int plies);
  // The attacker moves.
  bool can_capture(int plies);
  bool is_double_ko_death(const Bits& chain, Pair liberties) const;
  bool is_ko_mouth(int p) const;

  // The chain that a play of the owner at p makes of `chain` and those that p joins to it.
  Bits extended(const Bits& chain, int p) const {
    Bits result = chain | Bits::one(p);
    const int root = s_.root[stone_];
    unsigned own = Near::of(s_.stones[d_], p);
    for (; own != 0; own &= own - 1) {
      const int other = s_.root[p + Near::kSteps[std::countr_zero(own)]];
      if (other != root) result = result | Board::chain(s_, other);
    }
    return result;
  }
  bool takes(int p, int c) const {  // whether a play of `c` at p captures
    return (Near::of(s_.stones[c ^ 1], p) & Near::of(s_.atari, p)) != 0;
  }
  bool is_suicide(int p, int c) const {
    const unsigned own = Near::of(s_.stones[c], p);
    const unsigned enemy = Near::of(s_.stones[c ^ 1], p);
    const unsigned atari = Near::of(s_.atari, p);
    const unsigned free = Near::of(s_.shape->on, p) & ~(own | enemy);
    return (free | (own & ~atari) | (enemy & atari)) == 0;
  }
  int free_beside(int p) const {
    return std::popcount(Near::of(s_.shape->on, p) &
                         ~(Near::of(s_.stones[0], p) | Near::of(s_.stones[1], p)));
  }
  // Whether the attacker gains nothing at p, as the answer at the other liberty gives the chain
  // three in `free`. Not if p takes stones: they may be what the answer would join.
  bool is_vain(const Bits& chain, int p, int other, const Bits& free) const {
    if (takes(p, d_ ^ 1)) return false;
    const Bits left = free.without(Bits::one(p) | Bits::one(other));
    return count_bits(Board::dilate(extended(chain, other)) & left) >= 3;
  }
  // Whether it can be told without a play what becomes of the chain if the attacker plays at p, not
  // on a ko, and the owner then has only the liberty `other`; if so, `works` says whether it is
  // captured. `plies` is the number of plays before the owner's turn.
  bool is_foreseen(const Bits& chain, int p, int other, int plies, bool& works) {
    works = false;
    if (takes(p, d_ ^ 1) || is_near_end(plies)) return false;
    if (is_suicide(p, d_ ^ 1)) return true;
    const Bits free = Board::empty(s_).without(Bits::one(p) | Bits::one(other));
    const Bits extension = extended(chain, other);
    const Bits liberties = Board::dilate(extension) & free;
    const int n = count_bits(liberties);
    if (n >= 3) return true;
    if (n == 2) return escapes_both(extension, liberties, free);
    works = !takes(other, d_) && has_two_liberties(p) && !captures(Board::dilate(chain)).any();
    return works;
  }
  // With its two liberties in `free` the chain is out whichever the attacker fills.
  bool escapes_both(const Bits& chain, const Bits& liberties, const Bits& free) {
    seen_ = seen_ | liberties;
    const auto [a, b] = two_bits(liberties);
    return is_vain(chain, a, b, free) && is_vain(chain, b, a, free);
  }
  // Whether an attacker at p has two liberties, if it takes nothing.
  bool has_two_liberties(int p) const {
    const Bits free = Board::empty(s_).without(Bits::one(p));
    Bits chain = Bits::one(p);
    for (unsigned own = Near::of(s_.stones[d_ ^ 1], p); own != 0; own &= own - 1) {
      chain = chain | Board::chain(s_, s_.root[p + Near::kSteps[std::countr_zero(own)]]);
    }
    return count_bits(Board::dilate(chain) & free) >= 2;
  }
  // So near the longest sequence that its end must be seen.
  bool is_near_end(int plies) const { return plies + 3 >= most_plies_; }
  // Where the owner takes attackers that touch the chain.
  Bits captures(const Bits& around) const {
    Bits result;
    const Bits attackers = Board::stones(s_, d_ ^ 1);
    if (!(attackers & Bits::load(s_.atari)).any()) return result;
    for_each_bit(around & attackers, [&](int p) {
      const std::uint64_t record = s_.record[s_.root[p]];
      if (has_one_liberty(record)) result = result | Bits::one(only_liberty(record));
    });
    return result;
  }

  void play(Undo& undo, int p, int c);
  void take_back(const Undo& undo, int p, int c);

  State& s_;
  int most_plies_;  // as deep as that the chain is held for captured
  int d_ = 0;       // the chain's colour
  int stone_ = 0;   // one of its stones
  Bits seen_;
  int plays_left_ = 0;
  bool is_exhausted_ = false;
};

template <int kPitch>
void LadderReader<kPitch>::play(Undo& undo, int p, int c) {
  undo.stones = s_.stones;
  undo.atari = s_.atari;
  undo.ko = s_.ko;
  const auto near = Near::neighbours(p);
  for (int i = 0; i < 4; ++i) {
    undo.near[i] = s_.root[near[i]];
    undo.records[i] = s_.record[undo.near[i]];
  }
  const auto placed = Board::place(s_, p, c);
  bool captures = false;
  for (unsigned left = placed.threatened; left != 0; left &= left - 1) {
    captures |= s_.record[undo.near[std::countr_zero(left)]] >> 52 == 0;
  }
  undo.has_captured = captures;
  undo.has_roots = captures || placed.to_join != 0;
  if (undo.has_roots) undo.roots = s_.root;
  Board::settle(s_, p, c, placed);
}

template <int kPitch>
void LadderReader<kPitch>::take_back(const Undo& undo, int p, int c) {
  if (undo.has_captured) {
    const Bits taken = Bits::load(undo.stones[c ^ 1]).without(Board::stones(s_, c ^ 1));
    for_each_bit(taken, [&](int q) {
      for (const int n : Near::neighbours(q)) {
        s_.record[s_.root[n]] -= kPitchTables<kPitch>.unit[q];
      }
    });
  }
  if (undo.has_roots) s_.root = undo.roots;
  s_.root[p] = 0;
  for (int i = 0; i < 4; ++i) s_.record[undo.near[i]] = undo.records[i];
  s_.stones = undo.stones;
  s_.atari = undo.atari;
  s_.ko = undo.ko;
}

template <int kPitch>
bool LadderReader<kPitch>::is_captured(const Bits& chain, int plies) {
  if (plies >= most_plies_) return true;
  if (s_.ko != 0) return false;  // the attacker must not depend on a ko
  const int liberty = only_liberty(s_.record[s_.root[stone_]]);
  const Bits only = Bits::one(liberty);
  seen_ = seen_ | chain | only;
  bool extends = takes(liberty, d_);
  if (!extends) {
    const Bits free = Board::empty(s_).without(only);
    const Bits extension = extended(chain, liberty);
    const Bits liberties = Board::dilate(extension) & free;
    const int n = count_bits(liberties);
    if (n >= 3) return false;
    if (n == 2) {
      if (!is_near_end(plies) && escapes_both(extension, liberties, free)) return false;
      extends = true;
    }
  }
  Bits moves = captures(Board::dilate(chain)).without(only);
  seen_ = seen_ | moves;
  const auto escapes = [&](int p) {
    if (--plays_left_ < 0) is_exhausted_ = true;
    if (is_exhausted_) return true;
    Undo undo;
    play(undo, p, d_);
    const bool escaped = !can_capture(plies + 1);
    take_back(undo, p, d_);
    return escaped;
  };
  while (moves.any()) {
    const int p = first_bit(moves);
    moves = moves.without(Bits::one(p));
    if (escapes(p)) return false;
  }
  return !extends || !escapes(liberty);
}

template <int kPitch>
bool LadderReader<kPitch>::can_capture(int plies) {
  if (plies >= most_plies_) return true;
  const Bits chain = Board::chain(s_, s_.root[stone_]);
  const Bits liberties = Board::dilate(chain) & Board::empty(s_);
  const int n = count_bits(liberties);
  if (n != 2) return n < 2;
  seen_ = seen_ | chain | liberties;
  Pair pair = two_bits(liberties);
  if (is_double_ko_death(chain, pair)) return true;
  if (free_beside(pair.second) > free_beside(pair.first)) std::swap(pair.first, pair.second);
  for (int i = 0; i < 2; ++i) {
    const int move = i == 0 ? pair.first : pair.second;
    if (move == s_.ko) continue;
    bool works = false;
    if (is_foreseen(chain, move, i == 0 ? pair.second : pair.first, plies + 1, works)) {
      if (works) return true;
      continue;
    }
    if (--plays_left_ < 0) is_exhausted_ = true;
    if (is_exhausted_) return false;
    Undo undo;
    play(undo, move, d_ ^ 1);
    works = is_captured(chain, plies + 1);
    take_back(undo, move, d_ ^ 1);
    if (works) return true;
  }
  return false;
}

// A point where the attacker would take a single stone by a ko.
template <int kPitch>
bool LadderReader<kPitch>::is_ko_mouth(int p) const {
  const unsigned own = Near::of(s_.stones[d_], p);
  if (Near::of(s_.shape->on, p) != own) return false;
  const unsigned weak = own & Near::of(s_.atari, p);
  return std::has_single_bit(weak) &&
         Near::of(s_.stones[d_], p + Near::kSteps[std::countr_zero(weak)]) == 0;
}

// Both liberties are ko mouths, neither connection gives a third liberty and no attacker can be
// taken.
template <int kPitch>
bool LadderReader<kPitch>::is_double_ko_death(const Bits& chain, Pair liberties) const {
  if (!is_ko_mouth(liberties.first) || !is_ko_mouth(liberties.second)) return false;
  for (const int p : {liberties.first, liberties.second}) {
    const Bits free = Board::empty(s_).without(Bits::one(p));
    if (count_bits(Board::dilate(extended(chain, p)) & free) > 2) return false;
  }
  return !captures(Board::dilate(chain)).any();
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
