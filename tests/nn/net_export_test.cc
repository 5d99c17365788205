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
#include "nn/network_outputs.h"
#include "random_features.h"
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

TEST_F(NetExport, AFileThatSaysSomethingElseIsDeleted) {
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
  save_net(net(), loaded.network, loaded.info, &before);
  exported("katago", file("x.bin.gz"));
  NetModel after = read_kata_net(file("x.bin.gz"));
  EXPECT_NE(after.blocks[2].read1.norm, before.blocks[2].read1.norm);
  after.blocks[2].read1.norm = before.blocks[2].read1.norm;
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace tengen
