#pragma once

#include <array>
#include <cstdint>

#include "rules/board_state.h"
#include "rules/cross.h"
#include "rules/instruction_set.h"

// What the records of chains tell: number, sum and sum of squares of pseudo-liberties, see
// BoardState.
namespace tengen::TENGEN_INSTRUCTION_SET {

// One liberty at most: exact for any chain, also true without any.
inline bool has_one_liberty(std::uint64_t record) {
  const std::uint64_t n = record >> 52;
  const std::uint64_t sum = (record >> 32) & 0xFFFFF;
  const std::uint64_t squares = record & 0xFFFFFFFF;
  return n * squares == sum * sum;
}
// The same of four records at once, one bit each.
inline unsigned have_one_liberty(const std::array<std::uint64_t, 4>& records) {
#ifdef __AVX2__
  const auto at = [&](int i) { return static_cast<long long>(records[i]); };
  const __m256i r = _mm256_set_epi64x(at(3), at(2), at(1), at(0));
  const __m256i n = _mm256_srli_epi64(r, 52);
  const __m256i sum = _mm256_and_si256(_mm256_srli_epi64(r, 32), _mm256_set1_epi64x(0xFFFFF));
  const __m256i one = _mm256_cmpeq_epi64(_mm256_mul_epu32(n, r), _mm256_mul_epu32(sum, sum));
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(one)));
#else
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= static_cast<unsigned>(has_one_liberty(records[i])) << i;
  }
  return result;
#endif
}
inline int only_liberty(std::uint64_t record) {  // the sum divided by 1 ... 4
  static constexpr std::array<std::uint32_t, 8> kReciprocal = {0, 65536, 32768, 21846, 16384};
  const auto sum = static_cast<std::uint32_t>((record >> 32) & 0xFFFFF);
  return static_cast<int>((sum * kReciprocal[(record >> 52) & 7]) >> 16);
}
// The record of a lone stone at p whose liberties are the neighbours in `free`. A neighbour at a
// distance d adds 1, p + d and p^2 + 2 p d + d^2.
template <int kPitch>
std::uint64_t record_of(int p, unsigned free) {
  struct Sums {
    std::array<std::uint64_t, 16> count{};
    std::array<std::uint64_t, 16> steps{};
    std::array<std::uint64_t, 16> twice{};
    constexpr Sums() {
      for (unsigned set = 0; set < 16; ++set) {
        for (unsigned i = 0; i < 4; ++i) {
          if ((set >> i & 1) == 0) continue;
          const auto d =
              static_cast<std::uint64_t>(static_cast<std::int64_t>(Cross<kPitch>::kSteps[i]));
          count[set] += 1;
          steps[set] += (d << 32) + d * d;
          twice[set] += 2 * d;
        }
      }
    }
  };
  static constexpr Sums kSums;
  return kSums.count[free] * kPitchTables<kPitch>.unit[p] + kSums.steps[free] +
         kSums.twice[free] * static_cast<std::uint64_t>(p);
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
