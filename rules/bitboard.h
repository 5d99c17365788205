#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__BMI2__) || defined(__AVX512VBMI2__)
#ifndef __clang__
#pragma GCC diagnostic push  // within its own code, GCC bug 105593
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#ifndef __clang__
#pragma GCC diagnostic pop
#endif
#endif

// Sets of points as machine words, for the inside of rules/: PitchBoard numbers its points with a
// guard column, so a shift by one row or one column moves a whole set at once. Three types with one
// interface: Bits128 (boards up to 9x9), Bits512 (one AVX-512 register) and WordBits (the same in
// portable C++, also where AVX-512 is not there).
//
// Traps, both measured: reading a register through another type's pointer is undefined and really
// miscompiles, so words go in and out by memcpy only; and a set updated word by word stalls the
// next whole-register load, so sets are updated whole.
namespace tengen {

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
#ifdef __BMI2__
inline std::uint64_t pack_bits(std::uint64_t x, std::uint64_t mask) {
  return _pext_u64(x, mask);
}
inline std::uint64_t unpack_bits(std::uint64_t x, std::uint64_t mask) {
  return _pdep_u64(x, mask);
}
#else
inline std::uint64_t pack_bits(std::uint64_t x, std::uint64_t mask) {
  return pack_bits_portable(x, mask);
}
inline std::uint64_t unpack_bits(std::uint64_t x, std::uint64_t mask) {
  return unpack_bits_portable(x, mask);
}
#endif

struct Bits128 {
  __extension__ typedef unsigned __int128 Word;
  static constexpr int kWords = 2;
  Word v = 0;

  static Bits128 one(int bit) { return {Word{1} << bit}; }
  // The 64 bits of `m` from bit `first` on, and back.
  static Bits128 window(std::uint64_t m, int first) { return {Word{m} << first}; }
  std::uint64_t window_at(int first) const { return static_cast<std::uint64_t>(v >> first); }
  static Bits128 from_words(const std::uint64_t* words) {
    return {Word{words[1]} << 64 | words[0]};
  }
  std::uint64_t word(int i) const { return static_cast<std::uint64_t>(v >> (64 * i)); }
  bool has(int bit) const { return ((v >> bit) & 1) != 0; }
  bool any() const { return v != 0; }

  template <int kBits>
  Bits128 up() const {
    return {v << kBits};
  }
  template <int kBits>
  Bits128 down() const {
    return {v >> kBits};
  }
  Bits128 without(Bits128 o) const { return {v & ~o.v}; }
  friend Bits128 operator|(Bits128 a, Bits128 b) { return {a.v | b.v}; }
  friend Bits128 operator&(Bits128 a, Bits128 b) { return {a.v & b.v}; }
  friend bool operator==(Bits128 a, Bits128 b) { return a.v == b.v; }
};

// The portable form; the loops are short enough to be unrolled.
template <int kWordCount>
struct WordBits {
  static constexpr int kWords = kWordCount;
  std::array<std::uint64_t, kWords> v{};

  static WordBits one(int bit) {
    WordBits r;
    r.v[bit >> 6] = 1ULL << (bit & 63);
    return r;
  }
  static WordBits window(std::uint64_t m, int first) {
    WordBits r;
    const int i = first >> 6;
    const int shift = first & 63;
    r.v[i] = m << shift;
    if (shift != 0 && i + 1 < kWords) r.v[i + 1] = m >> (64 - shift);
    return r;
  }
  std::uint64_t window_at(int first) const {
    const int i = first >> 6;
    const int shift = first & 63;
    std::uint64_t r = v[i] >> shift;
    if (shift != 0 && i + 1 < kWords) r |= v[i + 1] << (64 - shift);
    return r;
  }
  static WordBits from_words(const std::uint64_t* words) {
    WordBits r;
    std::memcpy(r.v.data(), words, sizeof r.v);
    return r;
  }
  std::uint64_t word(int i) const { return v[i]; }
  bool has(int bit) const { return ((v[bit >> 6] >> (bit & 63)) & 1) != 0; }
  bool any() const {
    std::uint64_t all = 0;
    for (const auto w : v) all |= w;
    return all != 0;
  }

  template <int kBits>
  WordBits up() const {
    WordBits r;
    r.v[0] = v[0] << kBits;
    for (int i = 1; i < kWords; ++i) r.v[i] = v[i] << kBits | v[i - 1] >> (64 - kBits);
    return r;
  }
  template <int kBits>
  WordBits down() const {
    WordBits r;
    for (int i = 0; i + 1 < kWords; ++i) r.v[i] = v[i] >> kBits | v[i + 1] << (64 - kBits);
    r.v[kWords - 1] = v[kWords - 1] >> kBits;
    return r;
  }
  WordBits without(const WordBits& o) const {
    WordBits r;
    for (int i = 0; i < kWords; ++i) r.v[i] = v[i] & ~o.v[i];
    return r;
  }
  friend WordBits operator|(const WordBits& a, const WordBits& b) {
    WordBits r;
    for (int i = 0; i < kWords; ++i) r.v[i] = a.v[i] | b.v[i];
    return r;
  }
  friend WordBits operator&(const WordBits& a, const WordBits& b) {
    WordBits r;
    for (int i = 0; i < kWords; ++i) r.v[i] = a.v[i] & b.v[i];
    return r;
  }
  friend bool operator==(const WordBits& a, const WordBits& b) { return a.v == b.v; }
};

#ifdef __AVX512VBMI2__
struct Bits512 {
  static constexpr int kWords = 8;
  __m512i v = _mm512_setzero_si512();

  static Bits512 one(int bit) {
    return {_mm512_maskz_set1_epi64(static_cast<__mmask8>(1U << (bit >> 6)),
                                    static_cast<long long>(1ULL << (bit & 63)))};
  }
  static Bits512 window(std::uint64_t m, int first) {
    const int i = first >> 6;
    const int shift = first & 63;
    const std::uint64_t low = m << shift;
    const std::uint64_t high = (m >> 1) >> (63 - shift);
    return {_mm512_or_si512(
        _mm512_maskz_set1_epi64(static_cast<__mmask8>(1U << i), static_cast<long long>(low)),
        _mm512_maskz_set1_epi64(static_cast<__mmask8>(2U << i), static_cast<long long>(high)))};
  }
  // Exact in its low 57 bits, from one unaligned load; the board's windows are 41 bits wide. The
  // last load ends at bit 63 + 8 * 56: `first` must stay below 456.
  std::uint64_t window_at(int first) const {
    std::uint64_t w;
    std::memcpy(&w, reinterpret_cast<const char*>(&v) + (first >> 3), sizeof w);
    return w >> (first & 7);
  }
  static Bits512 from_words(const std::uint64_t* words) { return {_mm512_loadu_si512(words)}; }
  std::uint64_t word(int i) const {
    std::uint64_t w;
    std::memcpy(&w, reinterpret_cast<const char*>(&v) + 8 * i, sizeof w);
    return w;
  }
  bool has(int bit) const { return ((word(bit >> 6) >> (bit & 63)) & 1) != 0; }
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
template <int kBitCount>
using WideBits = Bits512;
#else
template <int kBitCount>
using WideBits = WordBits<(kBitCount + 63) / 64>;
#endif

// The fastest type here for `kBitCount` points.
template <int kBitCount>
using BitsFor = std::conditional_t<(kBitCount <= 128), Bits128, WideBits<kBitCount>>;

template <class Bits>
int count_bits(const Bits& bits) {
  int n = 0;
  for (int i = 0; i < Bits::kWords; ++i) n += std::popcount(bits.word(i));
  return n;
}

// Calls visit(bit) in rising order.
template <class Bits, class Visit>
void for_each_bit(const Bits& bits, Visit visit) {
  for (int i = 0; i < Bits::kWords; ++i) {
    for (std::uint64_t w = bits.word(i); w != 0; w &= w - 1) visit(64 * i + std::countr_zero(w));
  }
}

// The points of a set by rank, rank 0 the lowest. Finding one takes no branch, as its word is hard
// to predict.
template <class Bits>
class Ranks {
 public:
  explicit Ranks(const Bits& bits) {
    for (int i = 0; i < Bits::kWords; ++i) {
      words_[i] = bits.word(i);
      before_[i] = size_;
      size_ += std::popcount(words_[i]);
    }
  }
  int size() const { return size_; }
  int operator[](int k) const {  // requires 0 <= k < size()
    int i = 0;
    for (int j = 1; j < Bits::kWords; ++j) i += k >= before_[j] ? 1 : 0;
    return 64 * i + std::countr_zero(unpack_bits(1ULL << (k - before_[i]), words_[i]));
  }

 private:
  std::array<std::uint64_t, Bits::kWords> words_;
  std::array<int, Bits::kWords> before_;
  int size_ = 0;
};

template <class Bits>
int first_bit(const Bits& bits) {  // requires any()
  int i = 0;
  while (bits.word(i) == 0) ++i;
  return 64 * i + std::countr_zero(bits.word(i));
}

}  // namespace tengen
