// What the files compute is tested with onnxruntime, in tests/interop/onnx_runs_net.py.
#include "nn/onnx_writer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "rules/durable_file.h"
#include "tests/error_of.h"
#include "tests/nn/random_net_model.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

TEST(OnnxWriter, TheSameNetGivesTheSameBytes) {
  EXPECT_TRUE(to_onnx(random_net_model(1)) == to_onnx(random_net_model(1)));
  EXPECT_FALSE(to_onnx(random_net_model(1)) == to_onnx(random_net_model(2)));
}

TEST(OnnxWriter, RefusesWhatIsNoNet) {
  NetModel model = random_net_model(1);
  model.tip.norm.channels = 5;
  EXPECT_EQ(error_of([&] { to_onnx(model); }),
            "the net to be written: norm 'tip.norm': expected 6 channels, found 5");
}

TEST(OnnxWriter, WeightsAreAllButTheNodesOfAFile) {
  for (const int channels : {6, 24, 48}) {
    const NetModel model = random_net_model(1, {.channels = channels});
    const auto weights = onnx_weight_bytes(model), file = std::uint64_t{to_onnx(model).size()};
    EXPECT_LT(weights, file);
    EXPECT_GT(weights + 32'000, file) << "layers and nodes: some 300 of 100 bytes";
  }
}

// The widths alone are asked: the weights of this one are not there.
TEST(OnnxWriter, ANetThatProtobufCannotHoldIsRefusedBeforeItIsWritten) {
  NetModel model = random_net_model(1);
  ConvLayer& conv = model.blocks[0].conv1;
  conv.in = conv.out = 7'600;
  conv.height = conv.width = 3;
  EXPECT_EQ(onnx_weight_bytes(model) >> 20, 1983U);
  EXPECT_EQ(error_of([&] { to_onnx(model); }),
            "net 'random-v11' has 1983 MiB of weights, which one ONNX file cannot hold: protobuf "
            "ends at 2048 MiB");
  conv.in = conv.out = 7'300;
  EXPECT_LT(onnx_weight_bytes(model) >> 20, 1920U);  // then the weights are missed
  EXPECT_NE(error_of([&] { to_onnx(model); }).find("input channels"), std::string::npos);
}

}  // namespace
}  // namespace tengen
