// The sets of points inside rules/, on every instruction set this processor knows.

#include <gtest/gtest.h>

#include "rules/engine.h"

namespace tengen {
namespace portable {
const char* check_bitboards();
}
#ifdef TENGEN_HAS_X86_PATHS
namespace avx2 {
const char* check_bitboards();
}
namespace avx512 {
const char* check_bitboards();
}
#endif

namespace {

TEST(Bitboard, OperationsEqualThoseOfPlainBitsOnEveryInstructionSet) {
  for (const InstructionSet set : available_instruction_sets()) {
    const char* wrong = nullptr;
    if (set == InstructionSet::kPortable) wrong = portable::check_bitboards();
#ifdef TENGEN_HAS_X86_PATHS
    if (set == InstructionSet::kAvx2) wrong = avx2::check_bitboards();
    if (set == InstructionSet::kAvx512) wrong = avx512::check_bitboards();
#endif
    EXPECT_EQ(wrong, nullptr) << wrong << " on "
                              << kInstructionSetNames[static_cast<std::size_t>(set)];
  }
}

}  // namespace
}  // namespace tengen
