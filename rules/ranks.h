#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "rules/bit_packing.h"
#include "rules/bitboard.h"

namespace tengen::TENGEN_INSTRUCTION_SET {

// The points of a set by rank, rank 0 the lowest. Finding one takes no branch, as its word is hard
// to predict.
template <class Bits>
class Ranks {
 public:
  explicit Ranks(const Bits& bits) : words_(bits.words()) {
    for (int i = 0; i < Bits::kWords; ++i) {
      before_[i] = size_;
      size_ += std::popcount(words_[i]);
    }
  }
  int size() const { return size_; }
  int operator[](int k) const {  // requires 0 <= k < size()
    if constexpr (Bits::kWords == 2) {
      const std::uint64_t in_second = opaque(-static_cast<std::uint64_t>(k >= before_[1]));
      const std::uint64_t word = words_[0] ^ ((words_[0] ^ words_[1]) & in_second);
      k -= before_[1] & static_cast<int>(in_second);
      return static_cast<int>(in_second & 64) + nth_bit(word, k);
    } else {
      int i = 0;
      for (int j = 1; j < Bits::kWords; ++j) i += k >= before_[j] ? 1 : 0;
      return 64 * i + nth_bit(words_[i], k - before_[i]);
    }
  }

 private:
  alignas(8 * Bits::kWords) typename Bits::Words words_;
  std::array<int, Bits::kWords> before_;
  int size_ = 0;
};

#ifdef __AVX512VPOPCNTDQ__
// Counts of all words at once, summed from below in lanes of 16 bits.
template <>
class Ranks<Bits256> {
 public:
  explicit Ranks(const Bits256& bits) : words_(bits.words()) {
    const __m128i counts = _mm256_cvtepi64_epi16(_mm256_popcnt_epi64(bits.v));
    through_ = static_cast<std::uint64_t>(_mm_cvtsi128_si64(counts)) * kEach;
  }
  int size() const { return static_cast<int>(through_ >> 48); }
  int operator[](int k) const {
    const auto rank = static_cast<std::uint64_t>(k);
    const std::uint64_t is_below = ((rank * kEach | kTops) - through_) & kTops;
    const int i = std::popcount(is_below);
    const auto before = static_cast<int>((through_ << 16) >> (16 * i) & 0xFFFF);
    return 64 * i + nth_bit(words_[i], k - before);
  }

 private:
  static constexpr std::uint64_t kEach = 0x0001000100010001;
  static constexpr std::uint64_t kTops = 0x8000800080008000;
  alignas(32) Bits256::Words words_;
  std::uint64_t through_;
};

template <>
class Ranks<Bits512> {
 public:
  explicit Ranks(const Bits512& bits) : words_(bits.words()) {
    __m128i n = _mm512_cvtepi64_epi16(_mm512_popcnt_epi64(bits.v));
    n = _mm_add_epi16(n, _mm_bslli_si128(n, 2));
    n = _mm_add_epi16(n, _mm_bslli_si128(n, 4));
    through_ = _mm_add_epi16(n, _mm_bslli_si128(n, 8));
    std::memcpy(sums_.data() + 8, &through_, sizeof through_);
  }
  int size() const { return _mm_extract_epi16(through_, 7); }
  int operator[](int k) const {
    const __mmask8 is_below = _mm_cmple_epu16_mask(through_, _mm_set1_epi16(static_cast<short>(k)));
    const int i = std::popcount(static_cast<unsigned>(_cvtmask8_u32(is_below)));
    return 64 * i + nth_bit(words_[i], k - sums_[7 + i]);
  }

 private:
  alignas(64) Bits512::Words words_;
  __m128i through_;
  alignas(16) std::array<std::uint16_t, 16> sums_{};
};
#endif

}  // namespace tengen::TENGEN_INSTRUCTION_SET
