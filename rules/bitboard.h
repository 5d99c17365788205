#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

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

#ifdef __AVX2__
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
#endif  // __AVX2__

#ifdef __AVX512VBMI2__
// One AVX-512 register.
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
#endif  // __AVX512VBMI2__

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

// A value the compiler must take as it comes: keeps it from turning a computed choice, hard to
// predict, into a branch.
template <class T>
inline T opaque(T x) {
  asm("" : "+r"(x));
  return x;
}

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
  typename Bits::Words words_;
  std::array<int, Bits::kWords> before_;
  int size_ = 0;
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
