#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "rules/bit_packing.h"
#include "rules/board_state.h"

// The four neighbours of a point, as points and as bits of a set.
namespace tengen::TENGEN_INSTRUCTION_SET {

template <int kPitch>
class Cross {
 public:
  using L = Layout<kPitch>;
  using Words = typename L::Words;

  static constexpr std::array<int, 4> neighbours(int p) {
    return {p - kPitch, p - 1, p + 1, p + kPitch};
  }
  // From a point to its neighbours, and to itself.
  static constexpr std::array<int, 5> kSteps = {-kPitch, -1, 1, kPitch, 0};
  static constexpr std::uint64_t kMask =
      1ULL | 1ULL << (kPitch - 1) | 1ULL << (kPitch + 1) | 1ULL << (2 * kPitch);

  // Four bits in the order of neighbours(), from and to a window that begins kPitch before a point.
  static unsigned pack(std::uint64_t window) {
    if constexpr (kHasPack) {
      return static_cast<unsigned>(pack_bits(window, kMask));
    } else {
      return static_cast<unsigned>((window & 1) | ((window >> (kPitch - 1)) & 1) << 1 |
                                   ((window >> (kPitch + 1)) & 1) << 2 |
                                   ((window >> (2 * kPitch)) & 1) << 3);
    }
  }
  static std::uint64_t unpack(unsigned bits) {
    if constexpr (kHasPack) {
      return unpack_bits(bits, kMask);
    } else {
      const std::uint64_t b = bits;
      return (b & 1) | ((b >> 1) & 1) << (kPitch - 1) | ((b >> 2) & 1) << (kPitch + 1) |
             ((b >> 3) & 1) << (2 * kPitch);
    }
  }
  // Which of the four neighbours of p are in the set.
  static unsigned of(const Words& words, int p) {
    const int first = p - kPitch;
    int byte = first >> 3;
    if constexpr (L::kWords == 2) byte = byte < 8 ? byte : 8;  // the load ends within the set
    std::uint64_t window;
    std::memcpy(&window, reinterpret_cast<const char*>(words.data()) + byte, sizeof window);
    return pack(window >> (first - 8 * byte));
  }
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
