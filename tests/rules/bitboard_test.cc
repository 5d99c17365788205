// The sets of points inside rules/: each backend against plain arrays of bits, and whole games on
// the portable backend against the one in use.

#include "rules/bitboard.h"

#include <gtest/gtest.h>

#include <bitset>

#include "rules/pitch_board.h"
#include "rules/rng.h"

namespace tengen {
namespace {

template <class Bits>
class Bitboard : public testing::Test {
 protected:
  static constexpr int kSize = 64 * Bits::kWords;
  using Plain = std::bitset<kSize>;

  Bits random() {
    std::array<std::uint64_t, Bits::kWords> words;
    for (auto& w : words) w = rng_.next() & rng_.next();
    return Bits::from_words(words.data());
  }
  static Plain plain(const Bits& bits) {
    Plain result;
    for (int i = 0; i < kSize; ++i) result[i] = bits.has(i);
    return result;
  }
  Rng rng_{1};
};

#ifdef __AVX512VBMI2__
using Backends =
    testing::Types<Bits128, WordBits<2>, WordBits<4>, WordBits<7>, WordBits<8>, Bits512>;
#else
using Backends = testing::Types<Bits128, WordBits<2>, WordBits<4>, WordBits<7>, WordBits<8>>;
#endif
TYPED_TEST_SUITE(Bitboard, Backends);

TYPED_TEST(Bitboard, OperationsEqualThoseOfPlainBits) {
  using Bits = TypeParam;
  for (int round = 0; round < 200; ++round) {
    const Bits a = this->random();
    const Bits b = this->random();
    const auto x = this->plain(a);
    const auto y = this->plain(b);
    EXPECT_EQ(this->plain(a | b), x | y);
    EXPECT_EQ(this->plain(a & b), x & y);
    EXPECT_EQ(this->plain(a.without(b)), x & ~y);
    EXPECT_EQ(this->plain(a.template up<1>()), x << 1);
    EXPECT_EQ(this->plain(a.template up<21>()), x << 21);
    EXPECT_EQ(this->plain(a.template down<1>()), x >> 1);
    EXPECT_EQ(this->plain(a.template down<20>()), x >> 20);
    EXPECT_TRUE(a == a);
    EXPECT_EQ(a == b, x == y);
    EXPECT_EQ(count_bits(a), static_cast<int>(x.count()));
    EXPECT_TRUE(a.any());
    EXPECT_FALSE(Bits().any());
    const Ranks ranks(a);
    EXPECT_EQ(ranks.size(), count_bits(a));
    int k = 0;
    for_each_bit(a, [&](int bit) {
      EXPECT_TRUE(x[bit]);
      EXPECT_EQ(ranks[k++], bit);
    });
    EXPECT_EQ(k, count_bits(a));
    EXPECT_EQ(ranks[0], first_bit(a));
  }
}

TYPED_TEST(Bitboard, SingleBitsAndWindowsLieWhereTheyShould) {
  using Bits = TypeParam;
  const std::uint64_t cross = 0x1ULL << 40 | 1ULL << 21 | 1ULL << 19 | 1;  // 41 bits, as on 19x19
  for (int first = 0; first + 41 < std::min(this->kSize, 440); ++first) {
    EXPECT_EQ(first_bit(Bits::one(first)), first);
    EXPECT_EQ(count_bits(Bits::one(first)), 1);
    const Bits window = Bits::window(cross, first);
    EXPECT_EQ(count_bits(window), 4);
    EXPECT_TRUE(window.has(first + 40));
    EXPECT_EQ(window.window_at(first) & ((1ULL << 57) - 1), cross);
    const Bits a = this->random();
    for (int i = 0; i < 41; ++i) EXPECT_EQ((a.window_at(first) >> i) & 1, a.has(first + i));
  }
}

TEST(Bitboard, PackingIsTheSameWithAndWithoutTheInstruction) {
  Rng rng(2);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t x = rng.next();
    const std::uint64_t mask = rng.next() & rng.next();
    EXPECT_EQ(pack_bits(x, mask), pack_bits_portable(x, mask));
    EXPECT_EQ(unpack_bits(x, mask), unpack_bits_portable(x, mask));
    EXPECT_EQ(unpack_bits(pack_bits(x, mask), mask), x & mask);
  }
}

// Plays the same random game on two boards and compares what they say.
template <class A, class B>
void compare_games(BoardSize size, std::uint64_t seed) {
  A a(size);
  B b(size);
  Rng rng(seed);
  int c = 0;
  for (int move = 0; move < 2 * size.area(); ++move, c ^= 1) {
    for (const int color : {0, 1}) {
      ASSERT_EQ(a.to_set(a.legal(color, move % 2 == 0, false)),
                b.to_set(b.legal(color, move % 2 == 0, false)));
      ASSERT_EQ(a.to_set(a.single_point_eyes(color)), b.to_set(b.single_point_eyes(color)));
      ASSERT_EQ(a.to_set(a.stones(color)), b.to_set(b.stones(color)));
      ASSERT_EQ(a.to_set(a.from_set(b.to_set(b.ever(color)))), a.to_set(a.ever(color)));
    }
    ASSERT_EQ(a.hash(), b.hash());
    const auto legal = a.legal(c, true, false);
    if (!legal.any()) {
      a.pass();
      b.pass();
      continue;
    }
    const Ranks ranks(legal);
    const auto k = rng.below(static_cast<std::uint32_t>(ranks.size()));
    const Point p = A::to_point(ranks[static_cast<int>(k)]);
    const auto ours = A::point_of(p);
    const auto theirs = B::point_of(p);
    ASSERT_EQ(a.hash_after(ours, c), b.hash_after(theirs, c));
    ASSERT_EQ(a.play(ours, c), b.play(theirs, c));
  }
}

TEST(PitchBoard, GamesAreTheSameOnEveryBackendAndPitch) {
  constexpr int kSmall = PitchBoard<10>::kPoints;
  constexpr int kLarge = PitchBoard<20>::kPoints;
  using PortableSmall = PitchBoard<10, WordBits<(kSmall + 63) / 64>>;
  using PortableMedium = PitchBoard<14, WordBits<4>>;
  using PortableLarge = PitchBoard<20, WordBits<(kLarge + 63) / 64>>;
  for (int seed = 0; seed < 10; ++seed) {
    compare_games<PitchBoard<10>, PortableSmall>({9, 8}, seed);
    compare_games<PitchBoard<14>, PortableMedium>({12, 13}, seed);
    compare_games<PitchBoard<20>, PortableLarge>({19, 17}, seed);
    compare_games<PitchBoard<10>, PitchBoard<14>>({7, 9}, seed);
    compare_games<PitchBoard<10>, PitchBoard<20>>({9, 5}, seed);
  }
}

}  // namespace
}  // namespace tengen
