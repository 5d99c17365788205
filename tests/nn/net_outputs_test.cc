#include "nn/net_outputs.h"

#include <gtest/gtest.h>

#include "rules/position.h"
#include "tests/nn/random_net_model.h"

namespace tengen {
namespace {

// Expected numbers: worked out with another program from the formulas.
RawOutputs raw_outputs(const NetModel& model) {
  RawOutputs raw;
  for (int k = 0; k < model.policy.channels(); ++k) {
    raw.policy.push_back({1.F * k, 0.5F, -0.5F, 2, 0});  // 2x2 and pass
  }
  raw.value = {0.5, -0.25, 1};
  raw.misc = {0.3F, -0.5F, 0.2F, 0.1F, -1, 0.4F};
  raw.misc.resize(model.value.misc.out);
  raw.ownership = {0.5, -2, 0, 100};
  return raw;
}

NetOutputs outputs(int version, bool can_have_no_result) {
  const NetModel model = random_net_model(1, {.version = version});
  return net_outputs(raw_outputs(model), model, can_have_no_result);
}

TEST(NetOutputs, WithoutNoResultItsLogitDoesNotCount) {
  const NetOutputs out = outputs(8, false);
  EXPECT_FLOAT_EQ(out.win, 0.67917870F);
  EXPECT_FLOAT_EQ(out.loss, 0.32082130F);
  EXPECT_EQ(out.no_result, 0);
  EXPECT_FLOAT_EQ(out.score_mean, 6);
  EXPECT_FLOAT_EQ(out.score_mean_square, 125.899595F);
  EXPECT_FLOAT_EQ(out.lead, 4);
}

TEST(NetOutputs, WithNoResultScoresAreThoseOfAllGames) {
  const NetOutputs out = outputs(8, true);
  EXPECT_FLOAT_EQ(out.win, 0.32040111F);
  EXPECT_FLOAT_EQ(out.loss, 0.15134677F);
  EXPECT_FLOAT_EQ(out.no_result, 0.52825212F);
  EXPECT_FLOAT_EQ(out.score_mean, 2.8304873F);
  EXPECT_FLOAT_EQ(out.score_mean_square, 59.392867F);
  EXPECT_FLOAT_EQ(out.lead, 1.8869916F);
}

TEST(NetOutputs, Version8SaysNothingOfErrors) {
  const NetOutputs out = outputs(8, false);
  EXPECT_EQ(out.variance_time, -1);
  EXPECT_EQ(out.winloss_error, -1);
  EXPECT_EQ(out.score_error, -1);
}

TEST(NetOutputs, ErrorsMeanSomethingElseInEachGroupOfVersions) {
  const NetOutputs nine = outputs(9, false);
  EXPECT_FLOAT_EQ(nine.variance_time, 29.775866F);
  EXPECT_FLOAT_EQ(nine.winloss_error, 0.31326169F);
  EXPECT_FLOAT_EQ(nine.score_error, 9.1301525F);
  for (const int version : {10, 11, 12}) {
    const NetOutputs out = outputs(version, false);
    EXPECT_FLOAT_EQ(out.variance_time, 29.775866F);
    EXPECT_FLOAT_EQ(out.winloss_error, 0.27984893F);
    EXPECT_FLOAT_EQ(out.score_error, 5.2335894F);
  }
}

TEST(NetOutputs, ScalesComeFromTheFileSinceVersion13) {
  for (const int version : {13, 14, 15, 16}) {
    NetModel model = random_net_model(1, {.version = version});
    model.scales.score_mean.value = 18;
    model.scales.score_stdev.value = 22;
    model.scales.lead.value = 19;
    const NetOutputs out = net_outputs(raw_outputs(model), model, false);
    EXPECT_FLOAT_EQ(out.score_mean, 5.4F);
    EXPECT_FLOAT_EQ(out.score_mean_square, 137.93851F);
    EXPECT_FLOAT_EQ(out.lead, 3.8F);
    EXPECT_FLOAT_EQ(out.variance_time, 26.053883F);  // scales 35, 0.3 and 140
    EXPECT_FLOAT_EQ(out.winloss_error, version == 13 ? 0.30655914F : 0.25966266F);
    EXPECT_FLOAT_EQ(out.score_error, version == 13 ? 11.305845F : 9.4437065F);
  }
}

TEST(NetOutputs, ThePolicyIsTheFirstPlaneAndTheOptimisticOneTheSecond) {
  for (int version = 8; version <= 16; ++version) {
    const NetOutputs out = outputs(version, false);
    EXPECT_EQ(out.policy_logits, (std::vector<float>{0, 0.5, -0.5, 2, 0}));
    const std::vector<float> optimistic = {1, 0.5, -0.5, 2, 0};
    EXPECT_EQ(out.optimistic_logits, version < 12 ? std::vector<float>{} : optimistic) << version;
  }
}

TEST(NetOutputs, OwnershipGoesThroughTanh) {
  const NetOutputs out = outputs(8, false);
  ASSERT_EQ(out.ownership.size(), 4U);
  EXPECT_FLOAT_EQ(out.ownership[0], 0.46211716F);
  EXPECT_FLOAT_EQ(out.ownership[1], -0.96402758F);
  EXPECT_EQ(out.ownership[2], 0);
  EXPECT_EQ(out.ownership[3], 1);
}

TEST(NetOutputs, LargeNumbersStayFinite) {
  const NetModel model = random_net_model(1, {.version = 14});
  RawOutputs raw = raw_outputs(model);
  raw.value = {500, -500, 499};
  raw.misc = {0, 1000, 0, 1000, 1000, 2000};
  const NetOutputs out = net_outputs(raw, model, true);
  EXPECT_FLOAT_EQ(out.win, 0.73105858F);
  EXPECT_EQ(out.loss, 0);
  EXPECT_FLOAT_EQ(out.variance_time, 35'000);
  EXPECT_FLOAT_EQ(out.winloss_error, 273.86128F);  // 500 sqrt(0.3)
}

TEST(NetOutputs, GamesCanEndWithoutResultUnderSimpleKoOrTerritoryScoring) {
  const auto can = [](Ko ko, Scoring scoring) {
    Rules rules;
    rules.ko = ko;
    rules.scoring = scoring;
    return can_have_no_result(features_of(Position(rules)));
  };
  EXPECT_TRUE(can(Ko::kSimple, Scoring::kArea));
  EXPECT_TRUE(can(Ko::kSimple, Scoring::kTerritory));
  EXPECT_TRUE(can(Ko::kPositional, Scoring::kTerritory));
  EXPECT_FALSE(can(Ko::kPositional, Scoring::kArea));
  EXPECT_FALSE(can(Ko::kSituational, Scoring::kArea));
}

}  // namespace
}  // namespace tengen
