#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace tengen {

// The hashes of all earlier positions of a game, for superko. Full blocks are immutable and shared,
// so a copy costs the Bloom filter and at most one block, and a push allocates once in kBlock
// moves.
class History {
 public:
  History() = default;
  History(const History& other);
  History& operator=(const History& other);
  History(History&&) = default;
  History& operator=(History&&) = default;

  void push(std::uint64_t hash) {
    if (used_ == kBlock) [[unlikely]]
      seal();
    recent_[used_++] = hash;
    const auto bit = hash % (64 * kBloomWords);
    bloom_[bit / 64] |= 1ULL << (bit % 64);
  }
  bool has(std::uint64_t hash) const {
    const auto bit = hash % (64 * kBloomWords);
    return ((bloom_[bit / 64] >> (bit % 64)) & 1) != 0 && search(hash);
  }

 private:
  static constexpr int kBlock = 64;
  static constexpr int kBloomWords = 32;
  struct Block {
    std::shared_ptr<const Block> older;
    std::array<std::uint64_t, kBlock> hashes;
  };
  void seal();
  bool search(std::uint64_t hash) const;

  std::shared_ptr<const Block> older_;
  int used_ = 0;
  std::array<std::uint64_t, kBloomWords> bloom_{};
  std::array<std::uint64_t, kBlock> recent_;
};

}  // namespace tengen
