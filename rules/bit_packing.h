#pragma once

#include <bit>
#include <cstdint>

#include "rules/instruction_set.h"

// Packing and finding bits of one word.
namespace tengen::TENGEN_INSTRUCTION_SET {

// Bits of `x` under `mask`, packed to the low end (the instruction pext), and back (pdep).
constexpr std::uint64_t pack_bits_portable(std::uint64_t x, std::uint64_t mask) {
  std::uint64_t result = 0;
  for (std::uint64_t bit = 1; mask != 0; mask &= mask - 1, bit <<= 1) {
    if ((x & mask & -mask) != 0) result |= bit;
  }
  return result;
}
constexpr std::uint64_t unpack_bits_portable(std::uint64_t x, std::uint64_t mask) {
  std::uint64_t result = 0;
  for (; mask != 0; mask &= mask - 1, x >>= 1) {
    if ((x & 1) != 0) result |= mask & -mask;
  }
  return result;
}

// The k-th set bit of w, from 0; requires more than k of them.
#ifdef __BMI2__
inline constexpr bool kHasPack = true;
inline std::uint64_t pack_bits(std::uint64_t x, std::uint64_t mask) {
  return _pext_u64(x, mask);
}
inline std::uint64_t unpack_bits(std::uint64_t x, std::uint64_t mask) {
  return _pdep_u64(x, mask);
}
inline int nth_bit(std::uint64_t w, int k) {
  return std::countr_zero(_pdep_u64(1ULL << k, w));
}
#else
inline constexpr bool kHasPack = false;
inline std::uint64_t pack_bits(std::uint64_t x, std::uint64_t mask) {
  return pack_bits_portable(x, mask);
}
inline std::uint64_t unpack_bits(std::uint64_t x, std::uint64_t mask) {
  return unpack_bits_portable(x, mask);
}
inline int nth_bit(std::uint64_t w, int k) {
  // Counts of bits byte by byte, summed from below; the byte that reaches k; then one by one.
  std::uint64_t s = w - ((w >> 1) & 0x5555555555555555ULL);
  s = (s & 0x3333333333333333ULL) + ((s >> 2) & 0x3333333333333333ULL);
  s = ((s + (s >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL;
  int shift = 0;
  for (int i = 0; i < 7; ++i) shift += static_cast<int>((s >> (8 * i)) & 255) <= k ? 8 : 0;
  if (shift > 0) k -= static_cast<int>((s >> (shift - 8)) & 255);
  std::uint64_t rest = w >> shift;
  for (; k > 0; --k) rest &= rest - 1;
  return shift + std::countr_zero(rest);
}
#endif

// A value the compiler must take as it comes: keeps it from turning a computed choice, hard to
// predict, into a branch.
template <class T>
inline T opaque(T x) {
  asm("" : "+r"(x));
  return x;
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
