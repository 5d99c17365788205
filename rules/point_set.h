#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "rules/point.h"

namespace tengen {

// A set of points of one board, as bits numbered by BoardSize::index. The size is not kept: sets of
// one board are combined with one another only.
class PointSet {
 public:
  static constexpr int kWords = (kMaxArea + 63) / 64;

  constexpr bool contains(int index) const { return (words_[index >> 6] >> (index & 63)) & 1; }
  constexpr void insert(int index) { words_[index >> 6] |= 1ULL << (index & 63); }
  constexpr void erase(int index) { words_[index >> 6] &= ~(1ULL << (index & 63)); }

  constexpr int count() const {
    int n = 0;
    for (const auto w : words_) n += std::popcount(w);
    return n;
  }
  constexpr bool is_empty() const {
    std::uint64_t any = 0;
    for (const auto w : words_) any |= w;
    return any == 0;
  }

  // Calls visit(index) for each point, in rising order.
  template <class Visit>
  constexpr void for_each(Visit visit) const {
    for (int i = 0; i < kWords; ++i) {
      for (std::uint64_t w = words_[i]; w != 0; w &= w - 1) visit(i * 64 + std::countr_zero(w));
    }
  }

  constexpr PointSet& operator|=(const PointSet& o) {
    for (int i = 0; i < kWords; ++i) words_[i] |= o.words_[i];
    return *this;
  }
  constexpr PointSet& operator&=(const PointSet& o) {
    for (int i = 0; i < kWords; ++i) words_[i] &= o.words_[i];
    return *this;
  }
  constexpr PointSet& operator-=(const PointSet& o) {  // set difference
    for (int i = 0; i < kWords; ++i) words_[i] &= ~o.words_[i];
    return *this;
  }
  friend constexpr PointSet operator|(PointSet a, const PointSet& b) { return a |= b; }
  friend constexpr PointSet operator&(PointSet a, const PointSet& b) { return a &= b; }
  friend constexpr PointSet operator-(PointSet a, const PointSet& b) { return a -= b; }
  friend constexpr bool operator==(const PointSet&, const PointSet&) = default;

  static constexpr PointSet of(BoardSize size, Point p) {
    PointSet s;
    s.insert(size.index(p));
    return s;
  }
  static constexpr PointSet all(BoardSize size) {
    PointSet s;
    for (int i = 0; i < size.area(); ++i) s.insert(i);
    return s;
  }

  // Bit i of words()[i / 64] is point i; bits from area() on are zero.
  constexpr const std::array<std::uint64_t, kWords>& words() const { return words_; }
  constexpr std::array<std::uint64_t, kWords>& words() { return words_; }

 private:
  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace tengen
