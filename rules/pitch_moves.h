#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "rules/pitch_board.h"

// How a PitchBoard plays: set_up(), place() and settle(). Included by pitch_board.h.
namespace tengen::TENGEN_INSTRUCTION_SET {

template <int kPitch>
bool PitchBoard<kPitch>::set_up(State& s, const Bits& black, const Bits& white) {
  s = State(s.shape->size);
  black.store(s.stones[0]);
  white.store(s.stones[1]);
  s.ever = s.stones;
  const Words free = empty(s).words();
  bool alive = true;
  for (int c = 0; c < 2; ++c) {
    for_each_bit(stones(s, c), [&](int p) {
      if (s.root[p] == 0) alive = found_chain(s, p, c, free) && alive;
    });
  }
  return alive;
}

template <int kPitch>
bool PitchBoard<kPitch>::found_chain(State& s, int start, int c, const Words& free) {
  const auto& tables = kPitchTables<kPitch>;
  std::uint64_t record = 0;
  for_each_bit(spread(Bits::one(start), stones(s, c)), [&](int p) {
    s.root[p] = static_cast<typename L::Root>(start);
    s.hash ^= tables.zobrist[c][p];
    for (const int q : Near::neighbours(p)) record += has(free, q) ? tables.unit[q] : 0;
  });
  s.record[start] = record;
  if (has_one_liberty(record) && record != 0) mark_atari(s, only_liberty(record), start);
  return record != 0;
}

template <int kPitch>
[[gnu::always_inline]] auto PitchBoard<kPitch>::place(State& s, int p, int c) -> Placed {
  const auto& tables = kPitchTables<kPitch>;
  const unsigned own = Near::of(s.stones[c], p);
  const unsigned enemy = Near::of(s.stones[c ^ 1], p);
  const unsigned free = Near::of(s.shape->on, p) & ~(own | enemy);
  const auto near = Near::neighbours(p);
  const std::uint64_t unit = tables.unit[p];
  std::array<std::uint64_t, 4> records;
  for (int i = 0; i < 4; ++i) {  // one after the other: two may be of the same chain
    std::uint64_t& record = s.record[s.root[near[i]]];  // the dummy takes what is no chain
    records[i] = record -= unit;
  }
  const unsigned threatened = have_one_liberty(records) & enemy;
  s.hash ^= tables.zobrist[c][p];
  const Bits bit = Bits::one(p);
  (Bits::load(s.stones[c]) | bit).store(s.stones[c]);
  s.last = static_cast<std::int16_t>(p);
  s.ever_before = s.ever[c][p >> 6];
  (Bits::load(s.ever[c]) | bit).store(s.ever[c]);
  // An own chain in atari beside p had p as its liberty and is joined; an enemy one is captured.
  Bits::load(s.atari).without(Bits::window(Near::kMask, p - kPitch)).store(s.atari);

  // The root of the first own neighbour, or p: as p is empty, its own root is still 0.
  int root = s.root[p + Near::kSteps[std::countr_zero(own | 16U)]];
  root |= p & opaque(-static_cast<int>(own == 0));
  s.record[p] = 0;
  s.record[root] += record_of<kPitch>(p, free);
  unsigned others = 0;
  for (int i = 0; i < 4; ++i) others |= static_cast<unsigned>(s.root[near[i]] != root) << i;
  return {own, own & opaque(others), threatened, root};
}

template <int kPitch>
[[gnu::always_inline]] inline int PitchBoard<kPitch>::settle(State& s, int p, int c,
                                                             Placed placed) {
  const int root = placed.root;
  for (unsigned left = placed.to_join; left != 0; left &= left - 1) {
    const int other = s.root[p + Near::kSteps[std::countr_zero(left)]];
    if (other == root) continue;  // a chain that touches p twice, already joined
    Roots::replace(s.root.data(), other, root);
    s.record[root] += s.record[other];
  }
  int captured = 0;
  int last_captured = 0;
  for (unsigned left = placed.threatened; left != 0; left &= left - 1) {
    const int q = p + Near::kSteps[std::countr_zero(left)];
    const int enemy = s.root[q];
    if (enemy == 0) continue;  // a chain that touches p twice, already gone
    const std::uint64_t record = s.record[enemy];
    if (record >> 52 != 0) {
      mark_atari(s, only_liberty(record), enemy);
    } else {
      last_captured = q;
      captured += remove_chain(s, enemy, c ^ 1, p, root);
    }
  }
  s.root[p] = static_cast<typename L::Root>(root);
  s.ko = 0;
  const std::uint64_t record = s.record[root];
  if (has_one_liberty(record)) {
    if (record >> 52 == 0) [[unlikely]] {
      remove_chain(s, root, c, 0, 0);  // suicide
    } else {
      mark_atari(s, only_liberty(record), root);
      if (captured == 1 && placed.own == 0) {
        s.ko = static_cast<std::int16_t>(last_captured);
        s.ko_color = static_cast<std::int8_t>(c ^ 1);
      }
    }
  }
  return captured;
}

// Takes the chain `root` of colour `c` off and gives its points to the neighbours as liberties.
// Returns the number of stones. The root of the point just played is set here only, after all roots
// were read at once: a read that spans a write just made waits for it.
template <int kPitch>
[[gnu::noinline]] int PitchBoard<kPitch>::remove_chain(State& s, int root, int c, int played,
                                                       int played_root) {
  const auto& tables = kPitchTables<kPitch>;
  const Words gone = Roots::take(s.root.data(), root);
  Bits::load(s.stones[c]).without(Bits::from_words(gone)).store(s.stones[c]);
  s.root[played] = static_cast<typename L::Root>(played_root);
  int n = 0;
  unsigned freed = 0;
  std::uint64_t hash = s.hash;
  for (int i = 0; i < L::kWords; ++i) {
    for (std::uint64_t w = gone[i]; w != 0; w &= w - 1) {
      const int p = 64 * i + std::countr_zero(w);
      hash ^= tables.zobrist[c][p];
      std::array<std::uint64_t, 4> before;
      const auto near = Near::neighbours(p);
      for (int j = 0; j < 4; ++j) {
        std::uint64_t& record = s.record[s.root[near[j]]];
        before[j] = record;
        record += tables.unit[p];
      }
      freed |= have_one_liberty(before);
      ++n;
    }
  }
  s.hash = hash;
  if (freed != 0) unmark_freed(s, c ^ 1);
  return n;
}

// Some chains of `c` in atari may have gained a liberty.
template <int kPitch>
void PitchBoard<kPitch>::unmark_freed(State& s, int c) {
  const Words marked = (Bits::load(s.atari) & stones(s, c)).words();
  Words unmarked{};
  for (int i = 0; i < L::kWords; ++i) {
    for (std::uint64_t w = marked[i]; w != 0; w &= w - 1) {
      const int p = 64 * i + std::countr_zero(w);
      if (!has_one_liberty(s.record[s.root[p]])) unmarked[i] |= w & -w;
    }
  }
  Bits::load(s.atari).without(Bits::from_words(unmarked)).store(s.atari);
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
