#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "rules/bitboard.h"
#include "rules/board_state.h"

// The roots of all points of a board at once. Which points a chain has is a comparison of all roots
// with its own, joining chains is a replacement: a few registers' work without a branch, where
// walking a list of stones mispredicts its end. So chains need no lists.
namespace tengen::TENGEN_INSTRUCTION_SET {

template <int kPitch>
class ChainRoots {
 public:
  using L = Layout<kPitch>;
  using Root = typename L::Root;
  using Words = typename L::Words;

  // The points whose root is `root`, one bit each; with kReplace, they get the root `by`.
  template <bool kReplace>
  static Words select(Root* roots, Root root, Root by) {
    Words found{};
#if defined(__AVX512BW__)
    if constexpr (sizeof(Root) == 1) {
      const __m512i wanted = _mm512_set1_epi8(static_cast<char>(root));
      for (int i = 0; i < L::kRootBytes / 64; ++i) {
        const __m512i here = _mm512_load_si512(roots + 64 * i);
        const __mmask64 equal = _mm512_cmpeq_epi8_mask(here, wanted);
        found[i] = _cvtmask64_u64(equal);
        if constexpr (kReplace) {
          _mm512_store_si512(
              roots + 64 * i,
              _mm512_mask_mov_epi8(here, equal, _mm512_set1_epi8(static_cast<char>(by))));
        }
      }
    } else {
      const __m512i wanted = _mm512_set1_epi16(static_cast<short>(root));
      const __m512i instead = _mm512_set1_epi16(static_cast<short>(by));
      static_assert(sizeof(Root) == 1 || L::kRootBytes % 128 == 0);
      for (int i = 0; i < L::kRootBytes / 128; ++i) {
        const __m512i low = _mm512_load_si512(roots + 64 * i);
        const __m512i high = _mm512_load_si512(roots + 64 * i + 32);
        const __mmask32 equal_low = _mm512_cmpeq_epi16_mask(low, wanted);
        const __mmask32 equal_high = _mm512_cmpeq_epi16_mask(high, wanted);
        found[i] = _cvtmask64_u64(_mm512_kunpackd(equal_high, equal_low));
        if constexpr (kReplace) {
          _mm512_store_si512(roots + 64 * i, _mm512_mask_mov_epi16(low, equal_low, instead));
          _mm512_store_si512(roots + 64 * i + 32, _mm512_mask_mov_epi16(high, equal_high, instead));
        }
      }
    }
#elif defined(__AVX2__)
    auto* const blocks = reinterpret_cast<__m256i*>(roots);
    const auto exchange = [&](int i, __m256i wanted, __m256i instead) {
      const __m256i here = _mm256_load_si256(blocks + i);
      const __m256i equal =
          sizeof(Root) == 1 ? _mm256_cmpeq_epi8(here, wanted) : _mm256_cmpeq_epi16(here, wanted);
      if constexpr (kReplace) {
        _mm256_store_si256(blocks + i, _mm256_blendv_epi8(here, instead, equal));
      }
      return equal;
    };
    const auto fill = [](Root r) {
      return sizeof(Root) == 1 ? _mm256_set1_epi8(static_cast<char>(r))
                               : _mm256_set1_epi16(static_cast<short>(r));
    };
    const __m256i wanted = fill(root);
    const __m256i instead = fill(by);
    for (int i = 0; i < (L::kRoots + 31) / 32; ++i) {
      std::uint32_t bits;
      if constexpr (sizeof(Root) == 1) {
        bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(exchange(i, wanted, instead)));
      } else {
        const __m256i a = exchange(2 * i, wanted, instead);
        const __m256i b = exchange(2 * i + 1, wanted, instead);
        const __m256i both =
            _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), _MM_SHUFFLE(3, 1, 2, 0));
        bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(both));
      }
      found[i / 2] |= static_cast<std::uint64_t>(bits) << (32 * (i % 2));
    }
#elif defined(__SSE2__)
    auto* const blocks = reinterpret_cast<__m128i*>(roots);
    const auto exchange = [&](int i, __m128i wanted, __m128i instead) {
      const __m128i here = _mm_load_si128(blocks + i);
      const __m128i equal =
          sizeof(Root) == 1 ? _mm_cmpeq_epi8(here, wanted) : _mm_cmpeq_epi16(here, wanted);
      if constexpr (kReplace) {
        _mm_store_si128(blocks + i,
                        _mm_or_si128(_mm_andnot_si128(equal, here), _mm_and_si128(equal, instead)));
      }
      return equal;
    };
    const auto fill = [](Root r) {
      return sizeof(Root) == 1 ? _mm_set1_epi8(static_cast<char>(r))
                               : _mm_set1_epi16(static_cast<short>(r));
    };
    const __m128i wanted = fill(root);
    const __m128i instead = fill(by);
    for (int i = 0; i < L::kRoots / 16; ++i) {
      __m128i equal;
      if constexpr (sizeof(Root) == 1) {
        equal = exchange(i, wanted, instead);
      } else {
        const __m128i low = exchange(2 * i, wanted, instead);
        equal = _mm_packs_epi16(low, exchange(2 * i + 1, wanted, instead));
      }
      const auto bits = static_cast<std::uint64_t>(_mm_movemask_epi8(equal));
      found[i / 4] |= bits << (16 * (i % 4));
    }
#else
    for (int i = 0; i < L::kRoots; ++i) {
      const bool equal = roots[i] == root;
      found[i >> 6] |= static_cast<std::uint64_t>(equal) << (i & 63);
      if constexpr (kReplace) roots[i] = equal ? by : roots[i];
    }
#endif
    return found;
  }

  static void replace(Root* roots, int from, int to) {
    select<true>(roots, static_cast<Root>(from), static_cast<Root>(to));
  }
  static Words points_of(const Root* roots, int root) {
    return select<false>(const_cast<Root*>(roots), static_cast<Root>(root), 0);
  }
  static Words take(Root* roots, int root) {
    return select<true>(roots, static_cast<Root>(root), 0);
  }
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
