#include "rules/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "rules/rng.h"

namespace tengen {
namespace {

// Files keep these numbers: they may never change.
TEST(Hash, IsTheFormulaOfTheHeader) {
  EXPECT_EQ(hash_of_bytes(std::string_view()), mix64(0));
  EXPECT_EQ(hash_of_bytes("abc"), mix64(mix64(0x636261) ^ 3));
  EXPECT_EQ(hash_of_bytes("abcdefgh"), mix64(mix64(0x6867666564636261) ^ 8));
  EXPECT_EQ(hash_of_bytes("abcdefghi"), mix64(mix64(mix64(0x6867666564636261) ^ 0x69) ^ 9));
}

TEST(Hash, GoesOnFromAnother) {
  EXPECT_EQ(hash_of_bytes("abc", 7), mix64(mix64(7 ^ 0x636261) ^ 3));
  EXPECT_NE(hash_of_bytes("bc", hash_of_bytes("a")), hash_of_bytes("c", hash_of_bytes("ab")));
}

TEST(Hash, SeesEveryBitAndTheLength) {
  std::set<std::uint64_t> seen;
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string zeros(length, '\0');
    EXPECT_TRUE(seen.insert(hash_of_bytes(zeros)).second);
    for (std::size_t bit = 0; bit < 8 * length; ++bit) {
      std::string flipped = zeros;
      flipped[bit / 8] = static_cast<char>(1 << bit % 8);
      EXPECT_TRUE(seen.insert(hash_of_bytes(flipped)).second);
    }
  }
}

}  // namespace
}  // namespace tengen
