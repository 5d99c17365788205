#include "selfplay/signature.h"

#include <gtest/gtest.h>

namespace tengen {
namespace {

// A change of search or games that moves this says so in its commit, and changes it here.
constexpr const char* kSignature = "8ceb3bc9";

TEST(Signature, IsAsItWas) {
  EXPECT_EQ(search_signature(), kSignature);
}

TEST(Signature, DoesNotDependOnThePool) {
  EXPECT_EQ(search_signature(1), search_signature(50));
}

}  // namespace
}  // namespace tengen
