#include "train/batch.h"

#include <gtest/gtest.h>

#include "rows.h"

namespace tengen {
namespace {

std::uint8_t plane_at(const Batch& batch, int row, int plane, int y, int x) {
  return batch.planes[((row * batch.canvas + y) * batch.canvas + x) * kPlanes + plane];
}

TEST(Batch, BoardsOfAllSizesSitInTheTopLeftCornerOfTheSmallestCanvas) {
  const Sample small = random_row({3, 2}, 1);  // three columns, two rows
  const Sample large = random_row(BoardSize::square(5), 2);
  Batch batch;
  fill_batch(std::vector<Sample>{small, large}, batch);
  ASSERT_EQ(batch.canvas, 5);
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 5; ++x) {
      const bool on_small = y < 2 && x < 3;
      EXPECT_EQ(plane_at(batch, 0, 0, y, x), on_small ? 1 : 0);
      EXPECT_EQ(batch.ownership[y * 5 + x], on_small ? small.ownership[y * 3 + x] : 0);
      EXPECT_EQ(batch.policy[y * 5 + x], on_small ? small.policy[y * 3 + x] : 0.F);
      for (int p = 0; p < kPlanes; ++p) {
        EXPECT_EQ(plane_at(batch, 1, p, y, x), large.features.planes[p].contains(y * 5 + x));
      }
    }
  }
  EXPECT_EQ(batch.short_term[3], small.short_term[1].win);
  EXPECT_EQ(batch.short_term[9 + 8], large.short_term[2].no_result);
  EXPECT_EQ(batch.policy[25], small.policy[6]);           // pass, mover
  EXPECT_EQ(batch.policy[51], small.opponent_policy[6]);  // pass, opponent
  EXPECT_FLOAT_EQ(batch.weights[kInverseArea], 1.F / 6);
}

TEST(Batch, MissingTargetsHaveNoWeight) {
  Sample row = random_row(BoardSize::square(3), 1);
  row.weight = 0.5F;
  row.opponent_policy.clear();
  row.score_weight = 0;
  row.short_term_weight = 0;
  Batch batch;
  fill_batch(std::vector<Sample>{row}, batch);
  EXPECT_EQ(batch.weights[kRowWeight], 0.5F);
  EXPECT_EQ(batch.weights[kPolicyRowWeight], 0.5F);
  EXPECT_EQ(batch.weights[kReplyRowWeight], 0.F);
  EXPECT_EQ(batch.weights[kScoreRowWeight], 0.F);
  EXPECT_EQ(batch.weights[kShortTermRowWeight], 0.F);
}

TEST(Batch, ASymmetryGivesTheBatchOfTheTransformedRow) {
  for (const BoardSize size : {BoardSize::square(5), BoardSize{4, 7}}) {
    const Sample row = random_row(size, 3);
    for (int s = 0; s < Symmetry::count(size); ++s) {
      Batch seen, expected;
      fill_batch(std::vector<SeenSample>{{&row, Symmetry(s)}}, seen);
      fill_batch(std::vector<Sample>{transformed(row, Symmetry(s))}, expected);
      EXPECT_EQ(seen.planes, expected.planes);
      EXPECT_EQ(seen.policy, expected.policy);
      EXPECT_EQ(seen.ownership, expected.ownership);
    }
  }
}

TEST(Batch, FillingAgainLeavesNothingOfTheRowsBefore) {
  Batch reused, fresh;
  fill_batch(random_rows(BoardSize::square(7), 5, 1), reused);
  const std::vector<Sample> rows = random_rows(BoardSize::square(4), 3, 2);
  fill_batch(rows, reused);
  fill_batch(rows, fresh);
  EXPECT_EQ(reused.planes, fresh.planes);
  EXPECT_EQ(reused.policy, fresh.policy);
  EXPECT_EQ(reused.ownership, fresh.ownership);
  EXPECT_EQ(reused.weights, fresh.weights);
}

}  // namespace
}  // namespace tengen
