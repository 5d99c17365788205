// A net that was imported from KataGo's file, trained, and exported again.

#include <gtest/gtest.h>

#include <sstream>

#include "nn/kata_net_reader.h"
#include "nn/kata_net_writer.h"
#include "nn/net_compare.h"
#include "nn/net_export.h"
#include "nn/net_import.h"
#include "nn/network_outputs.h"
#include "nn/reference_network.h"
#include "rows.h"
#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/nn/random_net_model.h"
#include "train/run_context.h"
#include "train/run_training.h"
#include "train/trainer.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

constexpr BoardSize kBoard = {5, 5};

class ImportedNet : public ::testing::TestWithParam<int> {
 protected:
  ImportedNet() {
    RandomNetOptions options;
    options.version = GetParam();
    options.activations = {Activation::kRelu};
    if (GetParam() < 11) options.blocks.pop_back();  // nested
    model_ = random_net_model(4, options);
    model_.scales = default_scales(model_.version);
    model_.options = {};
    write_kata_net(file("original.bin.gz"), model_);
    import_kata_net(file("original.bin.gz"), file("imported"));
  }
  fs::path file(const std::string& name) const { return folder_.path() / name; }

  NetModel exported(const fs::path& net) const {
    const Network network = load_net(net).network;
    std::ostringstream told;
    const fs::path out = file("out.bin.gz");
    export_net(
        {net.string(), "katago", out.string(), {}},
        [&](std::span<const EvaluationInput> inputs) { return raw_outputs(network, inputs); },
        told);
    return read_kata_net(out);
  }

  TemporaryDirectory folder_;
  NetModel model_;
};

Network trained(Network network) {
  TrainOptions options;
  options.precision = "fp32";
  options.warmup_steps = 0;
  options.ema_decay = 0;
  options.learning_rate = 0.01;
  Trainer trainer(std::move(network), options, "cpu");
  trainer.step(random_rows(kBoard, 8, 1), 0);
  return trainer.averaged();
}

// What a model file says and LibTorch's network says, of the same positions.
OutputDifference difference(const NetModel& model, const Network& network) {
  const auto inputs = game_positions(24, {&kBoard, 1}, FeatureSchema::kV7);
  std::vector<RawOutputs> raw(inputs.size());
  make_reference_network(std::make_shared<const NetModel>(model))->compute(inputs, raw);
  return largest_difference(net_outputs(raw, inputs, model),
                            net_outputs(raw_outputs(network, inputs), inputs, model));
}

TEST_P(ImportedNet, TrainedAndExportedIsTheTrainedNetInTheOriginalsForm) {
  LoadedNet net = load_net(file("imported"));
  const Network network = trained(std::move(net.network));
  NetInfo info;
  info.index = 1;
  save_net(file("trained"), network, info, file("imported"));

  const NetModel after = exported(file("trained"));
  const OutputDifference d = difference(after, network);
  EXPECT_LT(d.policy, 1e-4);
  EXPECT_LT(d.value, 1e-4);
  EXPECT_LT(d.ownership, 1e-3);
  EXPECT_GT(difference(model_, network).policy, 1e-3);  // the step changed it

  EXPECT_EQ(after.name, info.id);
  EXPECT_EQ(after.version, model_.version);
  EXPECT_EQ(after.scales, model_.scales);
  EXPECT_EQ(after.options, model_.options);
  EXPECT_EQ(after.widths, model_.widths);
  EXPECT_EQ(after.trunk_name, model_.trunk_name);
  EXPECT_EQ(after.stem.name, model_.stem.name);
  EXPECT_NE(after.stem.weights, model_.stem.weights);
  EXPECT_EQ(after.policy.channels(), model_.policy.channels());
  EXPECT_EQ(exported(file("imported")), model_);
}

// From a folder as from the file itself.
TEST_P(ImportedNet, TheNetsOfARunThatBeganWithItKeepItsFile) {
  for (const char* start : {"imported", "original.bin.gz"}) {
    RunConfig config;
    config.run.threads = 1;
    config.games.sizes = {5};
    config.evaluator.device = "cpu";
    config.net.start = file(start).string();
    const fs::path run = file(std::string("run of ") + start);
    fs::create_directories(run);
    RunContext context(config, run, "", "test");
    fs::path candidate;
    {
      TrainingPart training(context);
      candidate = training.add_candidate();
    }
    const fs::path first = context.nets.first();
    EXPECT_EQ(exported(first), model_) << "not trained yet";
    EXPECT_EQ(read_kata_net(candidate / kNetOriginalFile), model_);
    EXPECT_TRUE(fs::equivalent(candidate / kNetOriginalFile, first / kNetOriginalFile));

    // A later start, from the champion, and a net that its predecessors' removal does not hurt.
    TrainingPart training(context);
    const fs::path next = training.add_candidate();
    fs::remove_all(candidate);
    EXPECT_EQ(read_kata_net(next / kNetOriginalFile), model_);
  }
}

TEST_P(ImportedNet, ANetOfOurOwnKeepsNone) {
  NetInfo info;
  save_net(file("own"), Network(network_shape("b2c16"), 1), info);
  NetInfo next;
  save_net(file("next"), Network(network_shape("b2c16"), 2), next, file("own"));
  EXPECT_FALSE(fs::exists(file("next") / kNetOriginalFile));
  EXPECT_EQ(exported(file("next")).version, 11);
}

INSTANTIATE_TEST_SUITE_P(Versions, ImportedNet, ::testing::Values(8, 11, 14, 16));

}  // namespace
}  // namespace tengen
