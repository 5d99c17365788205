#include "train/run_context.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nn/net_compare.h"
#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/nn/random_features.h"
#include "train/run_info.h"

namespace tengen {
namespace {

constexpr BoardSize kBoard = {5, 5};

RunConfig config_in(const char* precision) {
  RunConfig config;
  config.run.threads = 1;
  config.games.sizes = {5};
  config.net.size = "b2c16";
  config.evaluator.device = "cpu";
  config.evaluator.kernels = "libtorch";
  config.evaluator.precision = precision;
  config.evaluator.batch = 16;
  return config;
}

std::vector<EvaluationInput> positions() {
  return game_positions(16, {&kBoard, 1}, FeatureSchema::kV7);
}

LoadedNet calm_net(const char* id) {
  NetInfo info;
  info.id = id;
  return {Network(network_shape("b2c16"), 4), info};
}

LoadedNet spoiled_net(const char* id) {
  LoadedNet net = calm_net(id);
  shake(net.network, 5);
  spoil_by_rounding(net.network, positions());
  return net;
}

std::vector<Evaluation> answers(Evaluator& evaluator) {
  const auto inputs = positions();
  std::vector<Evaluation> outputs(inputs.size());
  evaluator.evaluate(inputs, outputs);
  return outputs;
}

std::vector<MetricRecord> fallbacks(const std::filesystem::path& run) {
  std::vector<MetricRecord> found;
  read_metrics(run, [&](const MetricRecord& r) {
    if (r.kind == "fallback") found.push_back(r);
  });
  return found;
}

TEST(RunContext, ANetThatRoundingSpoilsIsComputedInFp32AndTheNextOneAsBefore) {
  const TemporaryDirectory run, other;
  RunContext context(config_in("bf16"), run.path(), "", "test");
  RunContext exact(config_in("fp32"), other.path(), "", "test");
  context.evaluators(calm_net("calm"), 1);
  EXPECT_TRUE(fallbacks(run.path()).empty());
  const std::string chosen = run_fact(run.path(), "calibration");

  for (int again = 0; again < 2; ++again) {
    const auto rough = answers(*context.evaluators(spoiled_net("steep"), 1)[0]);
    const auto right = answers(*exact.evaluators(spoiled_net("steep"), 1)[0]);
    for (std::size_t i = 0; i < right.size(); ++i) EXPECT_EQ(rough[i].win, right[i].win);
  }
  const auto said = fallbacks(run.path());
  ASSERT_EQ(said.size(), 1U);  // once, however often it is asked for
  EXPECT_EQ(said[0].text("net"), "steep");
  EXPECT_EQ(said[0].text("from"), "bf16");
  EXPECT_EQ(said[0].text("to"), "fp32");
  EXPECT_NE(read_file(run.path() / "logs" / "run.log").find("steep is computed in fp32: bf16"),
            std::string::npos);

  const auto rough = answers(*context.evaluators(calm_net("next"), 1)[0]);
  const auto right = answers(*exact.evaluators(calm_net("next"), 1)[0]);
  EXPECT_NE(rough[0].win, right[0].win);
  EXPECT_EQ(fallbacks(run.path()).size(), 1U);
  EXPECT_EQ(run_fact(run.path(), "calibration"), chosen);
}

TEST(RunContext, KeepsTheCalibrationOfItsFirstStart) {
  const TemporaryDirectory run;
  {
    RunContext context(config_in("fp32"), run.path(), "", "test");
    context.evaluators(calm_net("calm"), 1);
  }
  auto kept = nlohmann::ordered_json::parse(run_fact(run.path(), "calibration"));
  kept["batch"] = 77;
  set_run_fact(run.path(), "calibration", kept.dump());
  {
    RunContext context(config_in("fp32"), run.path(), "", "test");
    EXPECT_EQ(context.evaluators(calm_net("calm"), 1)[0]->batch_size(), 77);
  }
  kept["precision"] = "fp8";
  set_run_fact(run.path(), "calibration", kept.dump());
  RunContext context(config_in("fp32"), run.path(), "", "test");
  EXPECT_THROW(context.evaluators(calm_net("calm"), 1), Error);
}

}  // namespace
}  // namespace tengen
