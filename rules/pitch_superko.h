#pragma once

#include <bit>
#include <cstdint>

#include "rules/pitch_board.h"

// How a PitchBoard answers for superko: hashes after plays, repetitions. Included by pitch_board.h.
namespace tengen::TENGEN_INSTRUCTION_SET {

// What the hash loses with the chains at those neighbours of p that are in `at`, all of colour `c`,
// each once.
template <int kPitch>
std::uint64_t PitchBoard<kPitch>::hash_of_chains(const State& s, int p, unsigned at, int c) {
  const auto& keys = kPitchTables<kPitch>.zobrist[c];
  std::uint64_t result = 0;
  while (at != 0) {
    const int q = p + Near::kSteps[std::countr_zero(at)];
    const int root = s.root[q];
    if (Near::of(s.stones[c], q) == 0) {  // a lone stone, as most are
      result ^= keys[q];
    } else {
      for_each_bit(chain(s, root), [&](int stone) { result ^= keys[stone]; });
    }
    for (unsigned rest = at; rest != 0; rest &= rest - 1) {
      if (s.root[p + Near::kSteps[std::countr_zero(rest)]] == root) at &= ~(rest & -rest);
    }
  }
  return result;
}

template <int kPitch>
std::uint64_t PitchBoard<kPitch>::hash_after(const State& s, int p, int c) {
  const unsigned own = Near::of(s.stones[c], p);
  const unsigned enemy = Near::of(s.stones[c ^ 1], p);
  const std::uint64_t result = s.hash ^ kPitchTables<kPitch>.zobrist[c][p];
  const unsigned captured = enemy & Near::of(s.atari, p);
  if (captured != 0) return result ^ hash_of_chains(s, p, captured, c ^ 1);
  if (Near::of(s.shape->on, p) != (own | enemy) || (own & ~Near::of(s.atari, p)) != 0)
    return result;
  return s.hash ^ hash_of_chains(s, p, own, c);  // suicide
}

// All keys of a run are compared: an early end saves less than a loop without one gains.
inline bool holds(const std::uint64_t* keys, int count, std::uint64_t key) {
  std::uint64_t found = 0;
  for (int i = 0; i < count; ++i) found |= static_cast<std::uint64_t>(keys[i] == key);
  return found != 0;
}

template <int kPitch>
bool PitchBoard<kPitch>::is_in(const Past& past, std::uint64_t key) {
  if (filter_hit(past, key) == 0) return false;
  if (holds(past.keys, past.count, key)) return true;
  for (const PastBlock* block = past.older; block != nullptr; block = block->older) {
    if (holds(block->keys.data(), PastBlock::kKeys, key)) return true;
  }
  return false;
}

template <int kPitch>
bool PitchBoard<kPitch>::is_suspect_repetition(const State& s, int p, int c, Suicide suicide,
                                               const Past& past) {
  if (!has(s.ever[c], p) && !(suicide.is_allowed() && !has(unsuicidal(s, c).words(), p))) {
    return false;
  }
  return is_in(past, hash_after(s, p, c) ^ side(past, c ^ 1));
}

template <int kPitch>
auto PitchBoard<kPitch>::repetitions(const State& s, const Bits& candidates, int c, Suicide suicide,
                                     const Past& past) -> Bits {
  Bits banned;
  if (!past.is_kept()) return banned;
  const auto test = [&](int p, std::uint64_t key) {
    if (is_in(past, key ^ side(past, c ^ 1))) [[unlikely]]
      banned = banned | Bits::one(p);
  };
  const Bits retakes = candidates & ever(s, c);
  if (suicide.is_allowed()) [[unlikely]] {
    const Bits suicides = candidates.without(unsuicidal(s, c));
    for_each_bit(retakes | suicides, [&](int p) { test(p, hash_after(s, p, c)); });
    return banned;
  }
  // No earlier board had the stone played last if its colour never stood there before, and without
  // suicide it is still there. So only a play that captures it can bring one back.
  if (const int p = s.last; ((s.ever_before >> (p & 63)) & 1) == 0) {
    const std::uint64_t record = s.record[s.root[p]];
    const int liberty = only_liberty(record);
    if (has_one_liberty(record) && has(retakes.words(), liberty) && has(s.stones[c ^ 1], p))
      test(liberty, hash_after(s, liberty, c));
    return banned;
  }
  if (!retakes.any()) return banned;
  // A play that captures nothing changes the hash by its own stone.
  const Bits captures = dilate(stones(s, c ^ 1) & Bits::load(s.atari));
  const auto& keys = kPitchTables<kPitch>.zobrist[c];
  const std::uint64_t base = s.hash ^ side(past, c ^ 1);
  for_each_bit(retakes.without(captures), [&](int p) {
    if (filter_hit(past, base ^ keys[p]) != 0) test(p, s.hash ^ keys[p]);
  });
  for_each_bit(retakes & captures, [&](int p) { test(p, hash_after(s, p, c)); });
  return banned;
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
