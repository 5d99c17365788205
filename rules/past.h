#pragma once

#include <array>
#include <cstdint>

namespace tengen {

// The state keys of a game's earlier positions, as the board's code reads them: behind a Bloom
// filter, the newest in one array, older ones in full blocks. Owned by a History or a GameBatch.
struct PastBlock {
  static constexpr int kKeys = 64;
  std::array<std::uint64_t, kKeys> keys;
  const PastBlock* older = nullptr;
};

struct Past {
  const std::uint64_t* filter = nullptr;  // null: nothing is kept, as under simple ko
  std::uint64_t filter_mask = 0;          // its number of words - 1
  const std::uint64_t* keys = nullptr;
  int count = 0;
  const PastBlock* older = nullptr;
  std::uint64_t white_to_move = 0;  // what a key has beside the board's hash when White is to move

  bool is_kept() const { return filter != nullptr; }
};

// The filter has two bits of one word for each key.
constexpr std::uint64_t filter_bits(std::uint64_t key) {
  return 1ULL << (key & 63) | 1ULL << ((key >> 6) & 63);
}
constexpr std::uint64_t filter_word(std::uint64_t key, std::uint64_t mask) {
  return (key >> 12) & mask;
}

}  // namespace tengen
