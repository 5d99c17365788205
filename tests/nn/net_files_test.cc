#include "nn/net_files.h"

#include <gtest/gtest.h>
#include <torch/torch.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "nn/named_tensors.h"
#include "random_features.h"
#include "rules/check.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

class NetFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("tengen-nets-" + std::to_string(::getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    net_ = folder_ / "net";
    info_.index = 12;
    info_.step = 3000;
    info_.samples = 384000;
    info_.evaluations = 99;
    info_.parent = "net-000011-00000000";
    info_.rules = "size 5";
    save_net(net_, network_, info_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void edit_json(const std::function<void(nlohmann::json&)>& edit) const {
    std::ifstream in(net_ / "net.json");
    nlohmann::json object = nlohmann::json::parse(in);
    edit(object);
    std::ofstream(net_ / "net.json") << object;
  }
  void edit_weights(const std::function<void(NamedTensors&)>& edit) const {
    NamedTensors tensors = read_tensors(net_ / "weights.safetensors");
    edit(tensors);
    write_tensors(net_ / "weights.safetensors", tensors, {});
  }
  // What load_net says, without the folder's name.
  std::string error() const {
    try {
      load_net(net_);
    } catch (const Error& e) {
      const std::string text = e.what(), prefix = net_.string() + "/";
      EXPECT_TRUE(text.starts_with(prefix)) << text;
      return text.substr(prefix.size());
    }
    return "none";
  }

  fs::path folder_, net_;
  NetInfo info_;
  Network network_{network_shape("b2c16"), 6};
};

TEST_F(NetFiles, ANetIsReadAsItWasWritten) {
  EXPECT_TRUE(info_.id.starts_with("net-000012-")) << info_.id;
  EXPECT_EQ(info_.id, net_id(network_, 12));
  const LoadedNet loaded = load_net(net_);
  EXPECT_EQ(loaded.network.shape(), network_.shape());
  const auto before = network_.parameters(), after = loaded.network.parameters();
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].first, after[i].first);
    EXPECT_TRUE(at::equal(before[i].second, after[i].second));
  }
  const NetInfo alone = load_net_info(net_);
  for (const NetInfo& read : {loaded.info, alone}) {
    EXPECT_EQ(read.id, info_.id);
    EXPECT_EQ(read.index, 12);
    EXPECT_EQ(read.step, 3000);
    EXPECT_EQ(read.samples, 384000);
    EXPECT_EQ(read.evaluations, 99);
    EXPECT_EQ(read.parent, info_.parent);
    EXPECT_EQ(read.rules, info_.rules);
  }
}

TEST_F(NetFiles, AnIdChangesWithTheWeights) {
  const std::string before = net_id(network_, 12);
  network_.parameters().back().second.flatten()[0] += 1e-3;
  EXPECT_NE(net_id(network_, 12), before);
}

TEST_F(NetFiles, ANetIsNotOverwritten) {
  EXPECT_THROW(save_net(net_, network_, info_), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(NetFiles, WhatIsWrongWithNetJsonIsNamed) {
  EXPECT_EQ(error(), "none");
  edit_json([](auto& o) { o["features_version"] = 99; });
  EXPECT_EQ(error(), "net.json: features_version 99, this program has 1 and 2");
  edit_json([](auto& o) { o["features_version"] = 2, o.erase("step"); });
  EXPECT_EQ(error(), "net.json: step is missing");
  edit_json([](auto& o) { o["step"] = -1; });
  EXPECT_TRUE(error().starts_with("net.json: step: expected a whole number")) << error();
  edit_json([](auto& o) { o["step"] = 1, o["shape"]["channels"] = 1e9; });
  EXPECT_TRUE(error().starts_with("net.json: shape.channels: expected")) << error();
  edit_json([](auto& o) { o["shape"]["channels"] = 16, o["shape"]["blocks"][1].erase("kind"); });
  EXPECT_EQ(error(), "net.json: shape.blocks[1].kind is missing");
  edit_json([](auto& o) { o["shape"]["blocks"][1]["kind"] = "round"; });
  EXPECT_EQ(error(),
            "net.json: shape.blocks[1].kind: expected ordinary, pooling or nested, found "
            "\"round\"");
  std::ofstream(net_ / "net.json") << "{\"format";
  EXPECT_EQ(error(), "net.json: expected a JSON object (cut off or not a net's?)");
  fs::remove(net_ / "net.json");
  EXPECT_EQ(error(), "net.json: cannot be read: No such file or directory");
}

TEST_F(NetFiles, WhatIsWrongWithTheWeightsIsNamed) {
  const std::string file = "weights.safetensors: ";
  edit_weights([](auto& t) { t[0].second[0][0][0][0] = std::nan(""); });
  EXPECT_EQ(error(), file + "tensor 'stem.conv' is not finite");
  edit_weights([](auto& t) { t[0].second = at::zeros({16, 21, 3, 3}); });
  EXPECT_EQ(error(),
            file + "tensor 'stem.conv': expected shape [16, 22, 3, 3], found [16, 21, 3, 3]");
  edit_weights([](auto& t) { t.erase(t.begin()); });
  EXPECT_EQ(error(), file + "tensor 'stem.conv' is missing");
  edit_weights([](auto& t) {
    t.insert(t.begin(), {"stem.conv", at::zeros({16, 22, 3, 3})});
    t.emplace_back("more", at::zeros({1}));
  });
  EXPECT_EQ(error(), file + "tensor 'more' does not belong to a net of this shape");
  fs::resize_file(net_ / "weights.safetensors", fs::file_size(net_ / "weights.safetensors") - 1);
  EXPECT_NE(error().find("bytes of tensors, found"), std::string::npos) << error();
  fs::remove(net_ / "weights.safetensors");
  EXPECT_EQ(error(), file + "No such file or directory");
}

}  // namespace
}  // namespace tengen
