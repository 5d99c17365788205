#include "nn/calibration.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <limits>

#include "nn/cpu_network.h"
#include "nn/net_compare.h"
#include "nn/network_model.h"
#include "random_features.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

constexpr BoardSize kBoard = {5, 5};

Calibration kept_in(const char* precision, const char* cpu_path = "") {
  return {"cpu", precision, 16, {}, cpu_path};
}

Network calm_network() {
  return Network(network_shape("b2c16"), 1);
}

std::vector<EvaluationInput> positions() {
  return game_positions(16, {&kBoard, 1}, FeatureSchema::kV7);
}

std::shared_ptr<Network> spoiled_network() {
  auto network = std::make_shared<Network>(network_shape("b2c16"), 4);
  shake(*network, 5);
  spoil_by_rounding(*network, positions());
  return network;
}

std::string fastest_fp32_path(const Network& network) {
  auto paths = available_cpu_paths(net_model(network, "net"));
  std::erase_if(paths, [](CpuPath path) { return precision_of(path) != "fp32"; });
  return std::string(name_of(paths.back()));
}

// Of evaluations by `how` and by LibTorch's fp32: the largest difference of a chance to win.
double difference_from_fp32(const std::shared_ptr<Network>& network, const Calibration& how) {
  const auto inputs = positions();
  std::vector<Evaluation> a(inputs.size()), b(inputs.size());
  NetEvaluator(network, "net", kept_in("fp32"), kBoard).evaluate(inputs, a);
  NetEvaluator(network, "net", how, kBoard).evaluate(inputs, b);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i].win) - b[i].win));
  }
  return largest;
}

TEST(CheckedCalibration, ANetNearFp32KeepsWhatWasChosen) {
  const auto found = checked(kept_in("bf16"), calm_network(), kBoard);
  EXPECT_FALSE(found.fell_back);
  EXPECT_EQ(found.how.precision, "bf16");
}

TEST(CheckedCalibration, ANetThatRoundingSpoilsFallsBackToFp32) {
  const auto network = spoiled_network();
  const auto found = checked(kept_in("bf16"), *network, kBoard);
  EXPECT_TRUE(found.fell_back);
  EXPECT_GT(std::max(found.policy_difference, found.value_difference), 0.02);
  EXPECT_EQ(found.how.precision, "fp32");
  EXPECT_EQ(found.how.cpu_path, "");
  EXPECT_GT(difference_from_fp32(network, kept_in("bf16")), 0.02);
  EXPECT_EQ(difference_from_fp32(network, found.how), 0);
}

TEST(CheckedCalibration, TheFastestOfWhatWasAcceptedAndAgreesIsNext) {
  const auto network = spoiled_network();
  const std::string path = fastest_fp32_path(*network);
  Calibration kept = kept_in("bf16");
  kept.timings = {{"fp32", 32, 100, 0, 0, true},
                  {"bf16", 16, 900, 0, 0, true},
                  {"fp32", 16, 300, 0, 0, true, path},
                  {"fp32", 64, 500, 0, 0, true, path},
                  {"fp32", 16, 800, 0, 0, true, "of another machine"},
                  {"fp32", 16, 700, 1, 1, false, "reference"}};
  const auto found = checked(kept, *network, kBoard);
  EXPECT_TRUE(found.fell_back);
  EXPECT_EQ(found.how.cpu_path, path);
  EXPECT_EQ(found.how.batch, 64);
  EXPECT_LT(difference_from_fp32(network, found.how), 0.02);
}

TEST(CheckedCalibration, ANetThatOverflowsFp16FallsBack) {
  auto network = std::make_shared<Network>(network_shape("b2c16"), 4);
  for (const auto& [name, t] : network->parameters()) {
    if (name == "stem.conv" || name == "stem" || name == "conv1") t.mul_(1e6);
  }
  const auto paths = available_cpu_paths(net_model(*network, "net"));
  if (std::ranges::count(paths, CpuPath::kFp16) == 0) GTEST_SKIP() << "no fp16 on this machine";
  const auto found = checked(kept_in("fp16", "fp16"), *network, kBoard);
  EXPECT_TRUE(found.fell_back);
  EXPECT_EQ(found.how.precision, "fp32");
}

TEST(CheckedCalibration, ANetThatIsNotFiniteIsLeftForPlayToRefuse) {
  const auto network = std::make_shared<Network>(network_shape("b2c16"), 4);
  for (const auto& [name, t] : network->parameters()) t.fill_(1e30F);
  const auto found = checked(kept_in("bf16"), *network, kBoard);
  EXPECT_FALSE(found.fell_back);
  EXPECT_EQ(found.how.precision, "bf16");
}

TEST(CalibrationJson, KeepsEverything) {
  Calibration c{"cuda:1", "fp16", 512, {16, 64}, "amx"};
  c.timings = {{"bf16", 32, 123.5, 0.25, 0.125, false, "fp16"}};
  const Calibration read = calibration_from_json(to_json(c));
  EXPECT_EQ(to_json(read), to_json(c));
  EXPECT_EQ(read.device, "cuda:1");
  EXPECT_EQ(read.short_batches, (std::vector<int>{16, 64}));
  ASSERT_EQ(read.timings.size(), 1U);
  EXPECT_EQ(read.timings[0].rows_per_s, 123.5);
  EXPECT_FALSE(read.timings[0].accepted);
}

TEST(CalibrationJson, WhatItCannotBeIsRefused) {
  const auto error = [](const char* json) {
    return error_of([&] { calibration_from_json(json); });
  };
  const auto with = [](const std::string& fields) {
    return R"({"device": "cpu", "timings": [], "cpu_path": "", )" + fields + "}";
  };
  const std::string good = R"("precision": "fp32", "batch": 64, "short_batches": [16])";
  EXPECT_EQ(error(with(good).c_str()), "");
  for (const char* bad : {R"("precision": "fp8", "batch": 64, "short_batches": [])",
                          R"("precision": "fp32", "batch": 0, "short_batches": [])",
                          R"("precision": "fp32", "batch": 99999, "short_batches": [])",
                          R"("precision": "fp32", "batch": "64", "short_batches": [])",
                          R"("precision": "fp32", "batch": 64, "short_batches": [32, 16])",
                          R"("precision": "fp32", "batch": 64, "short_batches": [64])",
                          R"("precision": "fp32", "batch": 64)"}) {
    EXPECT_NE(error(with(bad).c_str()), "") << bad;
  }
  for (const char* bad : {"", "[]", "7", "{", "{}"}) EXPECT_NE(error(bad), "") << bad;
}

}  // namespace
}  // namespace tengen
