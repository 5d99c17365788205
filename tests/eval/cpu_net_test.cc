#include "eval/cpu_net.h"

#include <gtest/gtest.h>

#include <vector>

#include "nn/kata_net_writer.h"
#include "nn/net_compare.h"
#include "nn/reference_network.h"
#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"
#include "tests/nn/net_folder.h"
#include "tests/nn/random_inputs.h"
#include "tests/nn/random_net_model.h"

namespace tengen {
namespace {

const std::vector<BoardSize> kBoards = {{9, 9}, {5, 5}, {7, 9}};

class CpuNetTest : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }
  std::vector<NetOutputs> outputs(const std::vector<RawOutputs>& raw, const NetModel& model) const {
    std::vector<NetOutputs> result;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      result.push_back(net_outputs(raw[i], model, can_have_no_result(inputs_[i].features)));
    }
    return result;
  }
  void expect_near_reference(PlayableNet& net, const std::shared_ptr<const NetModel>& model) const {
    std::vector<RawOutputs> exact(inputs_.size());
    make_reference_network(model)->compute(inputs_, exact);
    const OutputDifference d =
        largest_difference(outputs(exact, *model), outputs(net.answers(inputs_), *model));
    EXPECT_LT(d.policy, 1e-4);
    EXPECT_LT(d.value, 1e-4);
    EXPECT_LT(d.ownership, 1e-3);
  }

  TemporaryDirectory folder_;
  std::shared_ptr<const NetModel> model_ =
      std::make_shared<const NetModel>(random_net_model(6, lively_net()));
  std::vector<EvaluationInput> inputs_ = random_inputs(12, kBoards, 7);
};

TEST_F(CpuNetTest, AModelFileSaysWhatTheReferenceSays) {
  const auto model = std::make_shared<const NetModel>(random_net_model(5));
  write_kata_net(file("net.bin.gz"), *model);
  const auto net = open_cpu_net(file("net.bin.gz"));
  EXPECT_EQ(net->id(), model->name);
  EXPECT_EQ(net->features(), FeatureSchema::kV7);
  expect_near_reference(*net, model);
}

TEST_F(CpuNetTest, AFolderSaysTheSameAndKeepsWhatItSees) {
  NetInfo info;
  info.id = "net-000001-00000000";
  write_net_folder(file("net"), *model_, info, FeatureSchema::kV7NoLadders);
  const auto net = open_cpu_net(file("net"));
  EXPECT_EQ(net->id(), info.id);
  EXPECT_EQ(net->features(), FeatureSchema::kV7NoLadders);
  EXPECT_EQ(net->evaluator({9, 9})->features(), FeatureSchema::kV7NoLadders);
  expect_near_reference(*net, model_);
}

TEST_F(CpuNetTest, PlaysByTheFastestPathThatStaysNearFp32) {
  const auto paths = available_cpu_paths(*model_);
  EXPECT_EQ(playing_path(model_, {9, 9}, FeatureSchema::kV7), paths.back());
}

TEST_F(CpuNetTest, ANetThatRoundingSpoilsPlaysInFp32) {
  // Ten thousand times as sure of the result, and in doubt on the fifth position: what bf16 and
  // fp16 round off decides it.
  NetModel steep = random_net_model(7, lively_net());
  for (float& w : steep.value.value.weights) w *= 10000;
  const BoardSize board{9, 9};
  const auto doubtful = game_positions(12, {&board, 1}, FeatureSchema::kV7)[4];
  std::vector<RawOutputs> raw(1);
  make_reference_network(std::make_shared<const NetModel>(steep))->compute({&doubtful, 1}, raw);
  for (std::size_t i = 0; i < 3; ++i) steep.value.value_bias.weights[i] -= raw[0].value[i];
  const auto model = std::make_shared<const NetModel>(steep);
  auto paths = available_cpu_paths(*model);
  std::erase_if(paths, [](CpuPath path) { return precision_of(path) != "fp32"; });
  EXPECT_EQ(playing_path(model, board, FeatureSchema::kV7), paths.back());
}

TEST_F(CpuNetTest, ABrokenFileIsNamed) {
  write_durable(file("bad.bin.gz"), "no net at all");
  const std::string error = error_of([&] { open_cpu_net(file("bad.bin.gz")); });
  EXPECT_EQ(error.find(file("bad.bin.gz").string()), 0U) << error;
}

}  // namespace
}  // namespace tengen
