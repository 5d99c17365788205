#include "nn/net_export.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <fstream>
#include <sstream>

#include "nn/gzip.h"
#include "nn/kata_net_reader.h"
#include "nn/kata_net_writer.h"
#include "nn/net_files.h"
#include "nn/net_import.h"
#include "nn/network_model.h"
#include "nn/network_outputs.h"
#include "random_features.h"
#include "random_net_model.h"
#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/reference_data.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

NetworkShape small_shape(Activation activation, NormKind norm) {
  NetworkShape shape = network_shape("b2c16");
  shape.activation = activation;
  shape.norm = norm;
  return shape;
}

class NetExport : public ::testing::Test {
 protected:
  fs::path net() const { return folder_.path() / "net"; }
  fs::path file(const std::string& name) const { return folder_.path() / name; }

  void save(const NetworkShape& shape) {
    const Network network(shape, 3);
    shake(network, 4);
    NetInfo info;
    save_net(net(), network, info);
  }
  // What the command tells.
  std::string exported(const std::string& to, const std::string& out,
                       std::optional<int> version = {}) const {
    const Network network = load_net(net()).network;
    std::ostringstream told;
    export_net(
        {net().string(), to, out, version},
        [&](std::span<const EvaluationInput> inputs) { return raw_outputs(network, inputs); },
        told);
    return told.str();
  }
  std::string error(const std::string& to, const std::string& out,
                    std::optional<int> version = {}) const {
    try {
      exported(to, out, version);
    } catch (const Error& e) {
      return e.what();
    }
    return "none";
  }

 private:
  TemporaryDirectory folder_;
};

TEST_F(NetExport, EveryKindOfNetGoesOutAsItIs) {
  int index = 0;
  for (const Activation activation : {Activation::kRelu, Activation::kMish, Activation::kSilu}) {
    for (const NormKind norm : {NormKind::kFixed, NormKind::kBatch}) {
      save(small_shape(activation, norm));
      const std::string name = std::to_string(index++);
      EXPECT_NE(exported("katago", file(name + ".bin.gz")).find("model version 11"),
                std::string::npos);
      EXPECT_NE(exported("onnx", file(name + ".onnx")).find("onnx"), std::string::npos);
      fs::remove_all(net());
    }
  }
}

TEST_F(NetExport, OldEnginesGetVersion8OfReluNetsOnly) {
  save(small_shape(Activation::kRelu, NormKind::kFixed));
  exported("katago", file("a.bin.gz"), 8);
  EXPECT_EQ(read_kata_net(file("a.bin.gz")).version, 8);
  fs::remove_all(net());
  save(small_shape(Activation::kMish, NormKind::kFixed));
  EXPECT_NE(error("katago", file("b.bin.gz"), 8).find("version 8"), std::string::npos);
  EXPECT_FALSE(fs::exists(file("b.bin.gz")));
}

TEST_F(NetExport, AFileThatWouldSaySomethingElseIsNotWritten) {
  save(small_shape(Activation::kRelu, NormKind::kFixed));
  const Network network = load_net(net()).network;
  const auto lying = [&](std::span<const EvaluationInput> inputs) {
    auto outputs = raw_outputs(network, inputs);
    outputs[7].policy[0][3] += 0.1F;
    return outputs;
  };
  for (const std::string to : {"katago", "onnx"}) {
    const fs::path out = file(to == "onnx" ? "x.onnx" : "x.bin.gz");
    std::ostringstream told;
    EXPECT_THROW(export_net({net().string(), to, out, {}}, lying, told), Error);
    EXPECT_FALSE(fs::exists(out));
    write_durable(out, "an earlier export");
    EXPECT_THROW(export_net({net().string(), to, out, {}}, lying, told), Error);
    EXPECT_EQ(read_file(out), "an earlier export");
  }
}

TEST_F(NetExport, ANetWithoutLaddersSaysSo) {
  NetworkShape shape = small_shape(Activation::kRelu, NormKind::kFixed);
  shape.features = FeatureSchema::kV7NoLadders;
  save(shape);
  EXPECT_NE(exported("katago", file("x.bin.gz")).find("without ladder planes"), std::string::npos);
}

TEST_F(NetExport, WhatMakesNoSenseIsRefused) {
  save(small_shape(Activation::kRelu, NormKind::kFixed));
  EXPECT_EQ(error("tar", file("x.bin.gz")), "--to 'tar': expected katago or onnx");
  EXPECT_NE(error("katago", file("x.gz")).find("end in .bin.gz"), std::string::npos);
  EXPECT_NE(error("onnx", file("x.onnx"), 8).find("--version"), std::string::npos);
}

// With values of moves among its policy's planes, which LibTorch's network does not compute.
TEST_F(NetExport, AModelFileOfVersion16GoesOutAsItCame) {
  RandomNetOptions options;
  options.version = 16;
  options.activations = {Activation::kMish};
  NetModel model = random_net_model(5, options);
  model.scales = default_scales(16);
  write_kata_net(file("v16.bin.gz"), model);
  const Network network = network_of(model, 1);
  std::ostringstream told;
  export_net(
      {file("v16.bin.gz").string(), "katago", file("out.bin.gz").string(), {}},
      [&](std::span<const EvaluationInput> inputs) { return raw_outputs(network, inputs); }, told);
  EXPECT_EQ(read_kata_net(file("out.bin.gz")), model);
}

TEST_F(NetExport, WhatAFolderCouldNotSayIsNotImported) {
  RandomNetOptions options;
  options.activations = {Activation::kRelu};
  options.stem_kernel = 21;
  write_kata_net(file("wide.bin.gz"), random_net_model(5, options));
  EXPECT_THROW(import_kata_net(file("wide.bin.gz"), net()), Error);
  EXPECT_FALSE(fs::exists(net()));
}

class KataGoNet : public NetExport {
 protected:
  void SetUp() override {
    original_ = katago_data() / "g170-b6c96-s175395328-d26788732.bin.gz";
    if (!fs::exists(original_)) GTEST_SKIP() << original_ << " is not there";
    import_kata_net(original_, net());
  }
  fs::path original_;
};

TEST_F(KataGoNet, ImportedAndExportedIsTheSameBytes) {
  exported("katago", file("x.bin.gz"));
  const auto unpacked = [](const fs::path& path) {
    return gunzip(read_file(path), kMaxKataNetBytes, path.string());
  };
  EXPECT_TRUE(unpacked(file("x.bin.gz")) == unpacked(original_));
}

TEST_F(KataGoNet, OnlyWhatWasTrainedChanges) {
  LoadedNet loaded = load_net(net());
  for (const auto& [name, t] : loaded.network.parameters()) {
    if (name == "block2.norm1.scale") t.mul_(1.5);
  }
  const NetModel before = read_kata_net(original_);
  fs::remove_all(net());
  save_net(net(), loaded.network, loaded.info, original_);
  exported("katago", file("x.bin.gz"));
  NetModel after = read_kata_net(file("x.bin.gz"));
  EXPECT_NE(after.blocks[2].read1.norm, before.blocks[2].read1.norm);
  after.blocks[2].read1.norm = before.blocks[2].read1.norm;
  EXPECT_EQ(after.name, loaded.info.id);
  after.name = before.name;
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace tengen
