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

TEST(OnnxWriter, WritesAFile) {
  std::string name = fs::temp_directory_path() / "onnx.XXXXXX";
  const fs::path folder = mkdtemp(name.data());
  write_onnx(folder / "a.onnx", random_net_model(1));
  EXPECT_TRUE(read_file(folder / "a.onnx") == to_onnx(random_net_model(1)));
  fs::remove_all(folder);
}

TEST(OnnxWriter, RefusesWhatIsNoNet) {
  NetModel model = random_net_model(1);
  model.tip.norm.channels = 5;
  EXPECT_EQ(error_of([&] { to_onnx(model); }),
            "the net to be written: norm 'tip.norm': expected 6 channels, found 5");
}

}  // namespace
}  // namespace tengen
