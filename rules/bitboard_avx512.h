#pragma once

#include <array>
#include <cstdint>

#include "rules/instruction_set.h"

// Sets of points in one register of 512 bits.
#ifdef __AVX512VBMI2__
namespace tengen::TENGEN_INSTRUCTION_SET {

struct Bits512 {
  static constexpr int kWords = 8;
  using Words = std::array<std::uint64_t, kWords>;
  __m512i v = _mm512_setzero_si512();

  static Bits512 load(const Words& words) { return {_mm512_loadu_si512(words.data())}; }
  static Bits512 from_words(const Words& w) {
    const auto at = [&](int i) { return static_cast<long long>(w[i]); };
    return {_mm512_set_epi64(at(7), at(6), at(5), at(4), at(3), at(2), at(1), at(0))};
  }
  void store(Words& words) const { _mm512_storeu_si512(words.data(), v); }
  static Bits512 one(int bit) {
    return {_mm512_maskz_set1_epi64(static_cast<__mmask8>(1U << (bit >> 6)),
                                    static_cast<long long>(1ULL << (bit & 63)))};
  }
  static Bits512 window(std::uint64_t m, int first) {
    const int i = first >> 6;
    const int shift = first & 63;
    const auto low = static_cast<long long>(m << shift);
    const auto high = static_cast<long long>((m >> 1) >> (63 - shift));
    return {_mm512_or_si512(_mm512_maskz_set1_epi64(static_cast<__mmask8>(1U << i), low),
                            _mm512_maskz_set1_epi64(static_cast<__mmask8>(2U << i), high))};
  }
  Words words() const {
    Words w;
    _mm512_storeu_si512(w.data(), v);
    return w;
  }
  bool any() const { return _mm512_test_epi64_mask(v, v) != 0; }
  template <int kBits>
  Bits512 up() const {
    return {_mm512_shldi_epi64(v, _mm512_alignr_epi64(v, _mm512_setzero_si512(), 7), kBits)};
  }
  template <int kBits>
  Bits512 down() const {
    return {_mm512_shrdi_epi64(v, _mm512_alignr_epi64(_mm512_setzero_si512(), v, 1), kBits)};
  }
  Bits512 without(Bits512 o) const { return {_mm512_andnot_si512(o.v, v)}; }
  friend Bits512 operator|(Bits512 a, Bits512 b) { return {_mm512_or_si512(a.v, b.v)}; }
  friend Bits512 operator&(Bits512 a, Bits512 b) { return {_mm512_and_si512(a.v, b.v)}; }
  friend bool operator==(Bits512 a, Bits512 b) { return _mm512_cmpneq_epi64_mask(a.v, b.v) == 0; }
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
#endif  // __AVX512VBMI2__
