#pragma once

#include <bit>
#include <cstdint>

#include "rules/pitch_board.h"

// Sets of points with guards as a PointSet, and back. Included by pitch_board.h.
namespace tengen::TENGEN_INSTRUCTION_SET {

template <int kPitch>
PointSet PitchBoard<kPitch>::to_set(const State& s, const Bits& bits) {
  PointSet result;
  auto& to = result.words();
  const Words from = bits.words();
  if constexpr (kHasPack && L::kWords == 2) {  // the first of the words holds 1 to 63 points
    const auto& on = s.shape->on;
    const int first = std::popcount(on[0]);
    const std::uint64_t rest = pack_bits(from[1], on[1]);
    to[0] = pack_bits(from[0], on[0]) | rest << first;
    to[1] = rest >> (64 - first);
    return result;
  }
  [[maybe_unused]] const BoardSize size = s.shape->size;
  std::uint64_t filling = 0;  // the word of `to` that is not full yet
  int word = 0;
  int filled = 0;
  const auto append = [&](std::uint64_t packed, int n) {
    filling |= packed << filled;
    filled += n;
    if (filled < 64) return;
    to[word++] = filling;
    filled -= 64;
    filling = filled == 0 ? 0 : packed >> (n - filled);
  };
  if constexpr (kHasPack) {
    for (int i = 0; i < L::kWords; ++i) {
      const std::uint64_t mask = s.shape->on[i];
      append(pack_bits(from[i], mask), std::popcount(mask));
    }
  } else {
    const std::uint64_t row_mask = (1ULL << size.width) - 1;
    for (int row = 0; row < size.height; ++row) {
      const int first = L::point_at(row, 0);
      std::uint64_t w = from[first >> 6] >> (first & 63);
      if ((first >> 6) + 1 < L::kWords) w |= (from[(first >> 6) + 1] << 1) << (63 - (first & 63));
      append(w & row_mask, size.width);
    }
  }
  if (filled != 0) to[word] = filling;
  return result;
}

template <int kPitch>
auto PitchBoard<kPitch>::from_set(const State& s, const PointSet& set) -> Bits {
  const auto& words = set.words();
  Words result{};
  int at = 0;
  for (int i = 0; i < L::kWords && at < s.shape->size.area(); ++i) {
    const std::uint64_t mask = s.shape->on[i];
    const int shift = at & 63;
    std::uint64_t next = words[at >> 6] >> shift;
    if (shift != 0 && (at >> 6) + 1 < PointSet::kWords)
      next |= words[(at >> 6) + 1] << (64 - shift);
    result[i] = unpack_bits(next, mask);
    at += std::popcount(mask);
  }
  return Bits::from_words(result);
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
