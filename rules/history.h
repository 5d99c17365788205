#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "rules/past.h"

namespace tengen {

// The hashes of all earlier positions of a game, for superko. Full blocks are immutable and shared,
// so a copy costs the Bloom filter and at most one block, and a push allocates once in a block's
// moves.
class History {
 public:
  History() = default;
  History(const History& other);
  History& operator=(const History& other);
  History(History&&) = default;
  History& operator=(History&&) = default;

  void push(std::uint64_t hash) {
    if (used_ == PastBlock::kKeys) [[unlikely]]
      seal();
    recent_[used_++] = hash;
    filter_[filter_word(hash, kFilterWords - 1)] |= filter_bits(hash);
  }
  bool has(std::uint64_t hash) const {
    const std::uint64_t bits = filter_bits(hash);
    return (filter_[filter_word(hash, kFilterWords - 1)] & bits) == bits && search(hash);
  }
  // How often it was pushed.
  int count(std::uint64_t hash) const;

  // The same for the board's code. Valid until the history changes.
  Past past() const {
    return {filter_.data(), kFilterWords - 1, recent_.data(), used_, older_.get(), 0};
  }
  // Room for the next hashes, at least one: whoever writes hashes behind the `past().count` first
  // ones sets their bits in the filter and tells add() how many they are.
  struct Room {
    std::uint64_t* hashes;
    std::uint64_t* filter;
    int end;  // hashes[end - 1] is the last place
  };
  Room room();
  void add(int hashes) { used_ += hashes; }

 private:
  static constexpr int kFilterWords = 32;
  struct Block : PastBlock {
    std::shared_ptr<const Block> owned_older;
  };
  void seal();
  bool search(std::uint64_t hash) const;

  std::shared_ptr<const Block> older_;
  int used_ = 0;
  std::array<std::uint64_t, kFilterWords> filter_{};
  std::array<std::uint64_t, PastBlock::kKeys> recent_;
};

}  // namespace tengen
