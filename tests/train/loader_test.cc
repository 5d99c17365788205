#include "train/loader.h"

#include <gtest/gtest.h>

#include "rows.h"

namespace tengen {
namespace {

class LoaderTest : public testing::Test {
 protected:
  LoaderTest() { last_ = write_random_shard(directory_.path(), 0, 60); }
  Window window() const { return Window(directory_.path(), {}, 1, {}); }

  TemporaryDirectory directory_;
  ShardInfo last_;
};

TEST_F(LoaderTest, GivesTheWindowsRowsInOrder) {
  Window plain = window(), ahead = window();
  BatchLoader loader(ahead, 16, 40);
  for (int i = 0; i < 40; ++i) {
    Batch expected;
    plain.draw(16, expected);
    const Batch& batch = loader.next();
    EXPECT_EQ(batch.planes, expected.planes);
    EXPECT_EQ(batch.policy, expected.policy);
    EXPECT_EQ(batch.window_state, expected.window_state);
  }
}

TEST_F(LoaderTest, LeavesTheWindowWhereTheLastGivenBatchLeftIt) {
  Window plain = window(), ahead = window();
  Batch expected, found;
  {
    BatchLoader loader(ahead, 16, 1000);
    for (int i = 0; i < 5; ++i) {
      loader.next();
      plain.draw(16, expected);
    }
  }
  EXPECT_EQ(ahead.state(), plain.state());
  plain.draw(16, expected);
  ahead.draw(16, found);
  EXPECT_EQ(found.planes, expected.planes);
}

TEST_F(LoaderTest, IsStoppedWithoutHavingBeenAsked) {
  Window w = window();
  const std::string state = w.state();
  { const BatchLoader loader(w, 16, 1000); }
  EXPECT_EQ(w.state(), state);
}

TEST_F(LoaderTest, ThrowsWhatTheWindowThrows) {
  Window w = window();
  damage(shard_path(directory_.path(), last_));
  BatchLoader loader(w, 16, 10);
  EXPECT_THROW(loader.next(), Error);
}

}  // namespace
}  // namespace tengen
