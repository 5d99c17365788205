#pragma once

#include <array>
#include <cstdint>

#include "rules/instruction_set.h"

// Sets of points as an array of words, for any processor. The interface is told in bitboard.h.
namespace tengen::TENGEN_INSTRUCTION_SET {

// The portable form. `kUsed` words of `kWords` can hold bits; the loops are short enough to be
// unrolled.
template <int kWordCount, int kUsed = kWordCount>
struct WordBits {
  static constexpr int kWords = kWordCount;
  using Words = std::array<std::uint64_t, kWords>;
  Words v{};

  static WordBits load(const Words& words) { return {words}; }
  static WordBits from_words(const Words& words) { return {words}; }
  void store(Words& words) const { words = v; }
  static WordBits one(int bit) {
    WordBits r;
    r.v[bit >> 6] = 1ULL << (bit & 63);
    return r;
  }
  // The 41 low bits of `m` from bit `first` on.
  static WordBits window(std::uint64_t m, int first) {
    WordBits r;
    const int i = first >> 6;
    const int shift = first & 63;
    r.v[i] = m << shift;
    if (i + 1 < kWords) r.v[i + 1] = (m >> 1) >> (63 - shift);
    return r;
  }
  Words words() const { return v; }
  bool any() const {
    std::uint64_t all = 0;
    for (int i = 0; i < kUsed; ++i) all |= v[i];
    return all != 0;
  }
  template <int kBits>
  WordBits up() const {
    WordBits r;
    r.v[0] = v[0] << kBits;
    for (int i = 1; i < kUsed; ++i) r.v[i] = v[i] << kBits | v[i - 1] >> (64 - kBits);
    return r;
  }
  template <int kBits>
  WordBits down() const {
    WordBits r;
    for (int i = 0; i + 1 < kUsed; ++i) r.v[i] = v[i] >> kBits | v[i + 1] << (64 - kBits);
    r.v[kUsed - 1] = v[kUsed - 1] >> kBits;
    return r;
  }
  WordBits without(const WordBits& o) const {
    WordBits r;
    for (int i = 0; i < kUsed; ++i) r.v[i] = v[i] & ~o.v[i];
    return r;
  }
  friend WordBits operator|(const WordBits& a, const WordBits& b) {
    WordBits r;
    for (int i = 0; i < kUsed; ++i) r.v[i] = a.v[i] | b.v[i];
    return r;
  }
  friend WordBits operator&(const WordBits& a, const WordBits& b) {
    WordBits r;
    for (int i = 0; i < kUsed; ++i) r.v[i] = a.v[i] & b.v[i];
    return r;
  }
  friend bool operator==(const WordBits& a, const WordBits& b) { return a.v == b.v; }
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
