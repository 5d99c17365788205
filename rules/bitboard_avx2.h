#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "rules/instruction_set.h"

// Sets of points in registers of 128 and 256 bits. Shifts across words are one instruction where
// there is VBMI2.
#ifdef __AVX2__
namespace tengen::TENGEN_INSTRUCTION_SET {

// Row i is bit i of byte 16: a load that begins up to 16 bytes before has the bit where it should.
inline constexpr auto kOneBits = [] {
  std::array<std::array<std::uint8_t, 32>, 8> rows{};
  for (int i = 0; i < 8; ++i) rows[i][16] = static_cast<std::uint8_t>(1 << i);
  return rows;
}();

// One AVX register of 128 bits.
struct Bits128 {
  static constexpr int kWords = 2;
  using Words = std::array<std::uint64_t, kWords>;
  __m128i v = _mm_setzero_si128();

  static Bits128 load(const Words& words) {
    Bits128 r;
    std::memcpy(&r.v, &words, sizeof r.v);
    return r;
  }
  static Bits128 from_words(const Words& w) {
    return {_mm_set_epi64x(static_cast<long long>(w[1]), static_cast<long long>(w[0]))};
  }
  void store(Words& words) const { std::memcpy(&words, &v, sizeof v); }
  static Bits128 one(int bit) {
    Bits128 r;
    std::memcpy(&r.v, kOneBits[bit & 7].data() + 16 - (bit >> 3), sizeof r.v);
    return r;
  }
  static Bits128 window(std::uint64_t m, int first) {
    __extension__ typedef unsigned __int128 Wide;
    const Wide wide = Wide{m} << first;
    return from_words({static_cast<std::uint64_t>(wide), static_cast<std::uint64_t>(wide >> 64)});
  }
  Words words() const {
    return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(v)),
            static_cast<std::uint64_t>(_mm_extract_epi64(v, 1))};
  }
  bool any() const { return _mm_testz_si128(v, v) == 0; }
  template <int kBits>
  Bits128 up() const {
    const __m128i below = _mm_bslli_si128(v, 8);
#ifdef __AVX512VBMI2__
    return {_mm_shldi_epi64(v, below, kBits)};
#else
    return {_mm_or_si128(_mm_slli_epi64(v, kBits), _mm_srli_epi64(below, 64 - kBits))};
#endif
  }
  template <int kBits>
  Bits128 down() const {
    const __m128i above = _mm_bsrli_si128(v, 8);
#ifdef __AVX512VBMI2__
    return {_mm_shrdi_epi64(v, above, kBits)};
#else
    return {_mm_or_si128(_mm_srli_epi64(v, kBits), _mm_slli_epi64(above, 64 - kBits))};
#endif
  }
  Bits128 without(Bits128 o) const {
    return {_mm_andnot_si128(o.v, v)};
  }
  friend Bits128 operator|(Bits128 a, Bits128 b) {
    return {_mm_or_si128(a.v, b.v)};
  }
  friend Bits128 operator&(Bits128 a, Bits128 b) {
    return {_mm_and_si128(a.v, b.v)};
  }
  friend bool operator==(Bits128 a, Bits128 b) {
    const __m128i x = _mm_xor_si128(a.v, b.v);
    return _mm_testz_si128(x, x) != 0;
  }
};

// One AVX register of 256 bits.
struct Bits256 {
  static constexpr int kWords = 4;
  using Words = std::array<std::uint64_t, kWords>;
  __m256i v = _mm256_setzero_si256();

  static Bits256 load(const Words& words) {
    Bits256 r;
    std::memcpy(&r.v, &words, sizeof r.v);
    return r;
  }
  static Bits256 from_words(const Words& w) {
    return {_mm256_set_epi64x(static_cast<long long>(w[3]), static_cast<long long>(w[2]),
                              static_cast<long long>(w[1]), static_cast<long long>(w[0]))};
  }
  void store(Words& words) const { std::memcpy(&words, &v, sizeof v); }
  static Bits256 one(int bit) { return window(1, bit); }
  static Bits256 window(std::uint64_t m, int first) {
    const __m256i word = _mm256_set1_epi64x(first >> 6);
    const int shift = first & 63;
    const auto low = static_cast<long long>(m << shift);
    const auto high = static_cast<long long>((m >> 1) >> (63 - shift));
    return {
        _mm256_or_si256(_mm256_and_si256(_mm256_cmpeq_epi64(word, _mm256_set_epi64x(3, 2, 1, 0)),
                                         _mm256_set1_epi64x(low)),
                        _mm256_and_si256(_mm256_cmpeq_epi64(word, _mm256_set_epi64x(2, 1, 0, -1)),
                                         _mm256_set1_epi64x(high)))};
  }
  Words words() const {
    Words w;
    std::memcpy(&w, &v, sizeof v);
    return w;
  }
  bool any() const { return _mm256_testz_si256(v, v) == 0; }
  // Words moved by one place, those moved in being zero.
  static __m256i words_up(__m256i v) {
    return _mm256_blend_epi32(_mm256_permute4x64_epi64(v, _MM_SHUFFLE(2, 1, 0, 0)),
                              _mm256_setzero_si256(), 0x03);
  }
  static __m256i words_down(__m256i v) {
    return _mm256_blend_epi32(_mm256_permute4x64_epi64(v, _MM_SHUFFLE(3, 3, 2, 1)),
                              _mm256_setzero_si256(), 0xC0);
  }
  template <int kBits>
  static __m256i shifted_up(__m256i v, __m256i below) {
#ifdef __AVX512VBMI2__
    return _mm256_shldi_epi64(v, below, kBits);
#else
    return _mm256_or_si256(_mm256_slli_epi64(v, kBits), _mm256_srli_epi64(below, 64 - kBits));
#endif
  }
  template <int kBits>
  static __m256i shifted_down(__m256i v, __m256i above) {
#ifdef __AVX512VBMI2__
    return _mm256_shrdi_epi64(v, above, kBits);
#else
    return _mm256_or_si256(_mm256_srli_epi64(v, kBits), _mm256_slli_epi64(above, 64 - kBits));
#endif
  }
  template <int kBits>
  Bits256 up() const {
    return {shifted_up<kBits>(v, words_up(v))};
  }
  template <int kBits>
  Bits256 down() const {
    return {shifted_down<kBits>(v, words_down(v))};
  }
  Bits256 without(Bits256 o) const {
    return {_mm256_andnot_si256(o.v, v)};
  }
  friend Bits256 operator|(Bits256 a, Bits256 b) {
    return {_mm256_or_si256(a.v, b.v)};
  }
  friend Bits256 operator&(Bits256 a, Bits256 b) {
    return {_mm256_and_si256(a.v, b.v)};
  }
  friend bool operator==(Bits256 a, Bits256 b) {
    const __m256i x = _mm256_xor_si256(a.v, b.v);
    return _mm256_testz_si256(x, x) != 0;
  }
};

// Two AVX registers of 256 bits.
struct Bits2x256 {
  static constexpr int kWords = 8;
  using Words = std::array<std::uint64_t, kWords>;
  __m256i low = _mm256_setzero_si256();
  __m256i high = _mm256_setzero_si256();

  static Bits2x256 load(const Words& words) {
    Bits2x256 r;
    std::memcpy(&r.low, words.data(), sizeof r.low);
    std::memcpy(&r.high, words.data() + 4, sizeof r.high);
    return r;
  }
  static Bits2x256 from_words(const Words& w) {
    return {Bits256::from_words({w[0], w[1], w[2], w[3]}).v,
            Bits256::from_words({w[4], w[5], w[6], w[7]}).v};
  }
  void store(Words& words) const {
    std::memcpy(words.data(), &low, sizeof low);
    std::memcpy(words.data() + 4, &high, sizeof high);
  }
  static Bits2x256 one(int bit) { return window(1, bit); }
  static Bits2x256 window(std::uint64_t m, int first) {
    const __m256i word = _mm256_set1_epi64x(first >> 6);
    const int shift = first & 63;
    const __m256i a = _mm256_set1_epi64x(static_cast<long long>(m << shift));
    const __m256i b = _mm256_set1_epi64x(static_cast<long long>((m >> 1) >> (63 - shift)));
    const auto half = [&](__m256i here, __m256i next) {
      return _mm256_or_si256(_mm256_and_si256(_mm256_cmpeq_epi64(word, here), a),
                             _mm256_and_si256(_mm256_cmpeq_epi64(word, next), b));
    };
    return {half(_mm256_set_epi64x(3, 2, 1, 0), _mm256_set_epi64x(2, 1, 0, -1)),
            half(_mm256_set_epi64x(7, 6, 5, 4), _mm256_set_epi64x(6, 5, 4, 3))};
  }
  Words words() const {
    Words w;
    store(w);
    return w;
  }
  bool any() const {
    const __m256i x = _mm256_or_si256(low, high);
    return _mm256_testz_si256(x, x) == 0;
  }
  template <int kBits>
  Bits2x256 up() const {
    const __m256i carried =
        _mm256_blend_epi32(_mm256_permute4x64_epi64(high, _MM_SHUFFLE(2, 1, 0, 0)),
                           _mm256_permute4x64_epi64(low, _MM_SHUFFLE(3, 3, 3, 3)), 0x03);
    return {Bits256::shifted_up<kBits>(low, Bits256::words_up(low)),
            Bits256::shifted_up<kBits>(high, carried)};
  }
  template <int kBits>
  Bits2x256 down() const {
    const __m256i carried =
        _mm256_blend_epi32(_mm256_permute4x64_epi64(low, _MM_SHUFFLE(3, 3, 2, 1)),
                           _mm256_permute4x64_epi64(high, _MM_SHUFFLE(0, 0, 0, 0)), 0xC0);
    return {Bits256::shifted_down<kBits>(low, carried),
            Bits256::shifted_down<kBits>(high, Bits256::words_down(high))};
  }
  Bits2x256 without(Bits2x256 o) const {
    return {_mm256_andnot_si256(o.low, low), _mm256_andnot_si256(o.high, high)};
  }
  friend Bits2x256 operator|(Bits2x256 a, Bits2x256 b) {
    return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
  }
  friend Bits2x256 operator&(Bits2x256 a, Bits2x256 b) {
    return {_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
  }
  friend bool operator==(Bits2x256 a, Bits2x256 b) {
    const __m256i x =
        _mm256_or_si256(_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high));
    return _mm256_testz_si256(x, x) != 0;
  }
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
#endif  // __AVX2__
