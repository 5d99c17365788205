// Sets of points against plain arrays of bits, for one instruction set: compiled once for each,
// like the code it checks, and without a test library, whose functions would not stay apart.

#include <array>
#include <cstdint>

#include "rules/bitboard.h"
#include "rules/ranks.h"
#include "rules/board_state.h"
#include "rules/chain_roots.h"

namespace tengen::TENGEN_INSTRUCTION_SET {
namespace {

struct Chance {
  std::uint64_t n = 1;
  std::uint64_t next() { return mix64(n++); }
};

template <class Bits>
struct Check {
  static constexpr int kUsed = Bits::kWords == 8 ? 448 : 64 * Bits::kWords;  // points end before
  using Plain = std::array<bool, kUsed>;

  static Bits random(Chance& chance) {
    typename Bits::Words words{};
    for (int i = 0; i < kUsed / 64; ++i) words[i] = chance.next() & chance.next();
    return Bits::from_words(words);
  }
  static bool has(const Bits& bits, int i) {
    return i >= 0 && i < kUsed && ((bits.words()[i / 64] >> (i % 64)) & 1) != 0;
  }
  // Whether bit i of `bits` is wanted(i) for all i.
  template <class Wanted>
  static bool is(const Bits& bits, Wanted wanted) {
    for (int i = 0; i < kUsed; ++i) {
      if (has(bits, i) != wanted(i)) return false;
    }
    return true;
  }

  // What is wrong, or null.
  static const char* run() {
    Chance chance;
    for (int round = 0; round < 200; ++round) {
      const Bits a = random(chance);
      const Bits b = random(chance);
      const auto in_a = [&](int i) { return has(a, i); };
      const auto in_b = [&](int i) { return has(b, i); };
      if (!is(a | b, [&](int i) { return in_a(i) || in_b(i); })) return "union";
      if (!is(a & b, [&](int i) { return in_a(i) && in_b(i); })) return "intersection";
      if (!is(a.without(b), [&](int i) { return in_a(i) && !in_b(i); })) return "difference";
      if (!is(a.template up<1>(), [&](int i) { return in_a(i - 1); })) return "up by 1";
      if (!is(a.template up<21>(), [&](int i) { return in_a(i - 21); })) return "up by 21";
      if (!is(a.template down<1>(), [&](int i) { return in_a(i + 1); })) return "down by 1";
      if (!is(a.template down<20>(), [&](int i) { return in_a(i + 20); })) return "down by 20";
      if (!(a == a) || a == b) return "equality";
      if (!a.any() || Bits().any()) return "any";
      typename Bits::Words words;
      a.store(words);
      if (words != a.words() || !(Bits::load(words) == a)) return "words";
      const Ranks<Bits> ranks(a);
      int k = 0;
      bool in_order = ranks.size() == count_bits(a);
      for_each_bit(a, [&](int bit) { in_order = in_order && in_a(bit) && ranks[k++] == bit; });
      if (!in_order || k != ranks.size() || ranks[0] != first_bit(a)) return "ranks";
    }
    constexpr std::uint64_t kCross = 1ULL << 40 | 1ULL << 21 | 1ULL << 19 | 1;  // as on 19x19
    for (int first = 0; first + 41 <= kUsed; ++first) {
      if (!is(Bits::one(first), [&](int i) { return i == first; })) return "one";
      if (!is(Bits::window(kCross, first), [&](int i) {
            return i >= first && i <= first + 40 && ((kCross >> (i - first)) & 1) != 0;
          })) {
        return "window";
      }
    }
    return nullptr;
  }
};

const char* check_packing() {
  Chance chance;
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t x = chance.next();
    const std::uint64_t mask = chance.next() & chance.next();
    if (pack_bits(x, mask) != pack_bits_portable(x, mask)) return "pack";
    if (unpack_bits(x, mask) != unpack_bits_portable(x, mask)) return "unpack";
    int k = 0;
    for (std::uint64_t w = mask; w != 0; w &= w - 1) {
      if (nth_bit(mask, k++) != std::countr_zero(w)) return "nth bit";
    }
  }
  return nullptr;
}

template <int kPitch>
const char* check_roots() {
  using L = Layout<kPitch>;
  using Roots = ChainRoots<kPitch>;
  Chance chance;
  alignas(64) std::array<typename L::Root, L::kRoots> roots{};
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < L::kPoints; ++i) {
      roots[i] = static_cast<typename L::Root>(L::kPoints - 1 - chance.next() % 5);
    }
    const auto before = roots;
    const int from = before[7];
    const auto points = Roots::points_of(roots.data(), from);
    if (roots != before) return "points_of changed the roots";
    for (int i = 0; i < L::kPoints; ++i) {
      const bool in = ((points[i / 64] >> (i % 64)) & 1) != 0;
      if (in != (before[i] == from)) return "points of a root";
    }
    Roots::replace(roots.data(), from, 3);
    for (int i = 0; i < L::kRoots; ++i) {
      if (roots[i] != (before[i] == from ? 3 : before[i])) return "replaced roots";
    }
  }
  return nullptr;
}

}  // namespace

// What is wrong with this instruction set's sets of points, or null.
const char* check_bitboards();
const char* check_bitboards() {
  for (const char* wrong :
       {Check<BitsFor<2>>::run(), Check<BitsFor<4>>::run(), Check<BitsFor<8>>::run(),
        Check<WordBits<2>>::run(), Check<WordBits<8, 7>>::run(), check_packing(), check_roots<10>(),
        check_roots<14>(), check_roots<20>()}) {
    if (wrong != nullptr) return wrong;
  }
  return nullptr;
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
