#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "rules/bit_packing.h"
#include "rules/bitboard_avx2.h"
#include "rules/bitboard_avx512.h"
#include "rules/bitboard_words.h"
#include "rules/instruction_set.h"

// Sets of points as machine words, for the inside of rules/: points are numbered with a guard
// column (board_state.h), so a shift by one row or one column moves a whole set at once. One
// interface, and for each instruction set the types that are fastest there: see BitsFor.
//
// Traps, both measured: reading a register through another type's pointer is undefined and really
// miscompiles, so words go in and out by memcpy only; and a register built from words written one
// by one stalls, so sets are updated whole.
namespace tengen::TENGEN_INSTRUCTION_SET {

static_assert(std::endian::native == std::endian::little, "bit i lies in byte i / 8");

// The fastest type here for a layout's words.
#if defined(__AVX512VBMI2__)
template <int kWords>
using BitsFor =
    std::conditional_t<kWords == 2, Bits128, std::conditional_t<kWords == 4, Bits256, Bits512>>;
#elif defined(__AVX2__)
template <int kWords>
using BitsFor =
    std::conditional_t<kWords == 2, Bits128, std::conditional_t<kWords == 4, Bits256, Bits2x256>>;
#else
template <int kWords>
using BitsFor = WordBits<kWords, (kWords == 8 ? 7 : kWords)>;
#endif

template <class Bits>
int count_bits(const Bits& bits) {
  int n = 0;
  for (const std::uint64_t w : bits.words()) n += std::popcount(w);
  return n;
}

// Calls visit(bit) in rising order.
template <class Bits, class Visit>
void for_each_bit(const Bits& bits, Visit visit) {
  const auto words = bits.words();
  for (int i = 0; i < Bits::kWords; ++i) {
    for (std::uint64_t w = words[i]; w != 0; w &= w - 1) visit(64 * i + std::countr_zero(w));
  }
}

template <class Bits>
int first_bit(const Bits& bits) {  // requires any()
  const auto words = bits.words();
  int i = 0;
  while (words[i] == 0) ++i;
  return 64 * i + std::countr_zero(words[i]);
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
