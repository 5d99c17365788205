#include "nn/net_source.h"

#include <gtest/gtest.h>

#include "net_folder.h"
#include "nn/kata_net_writer.h"
#include "random_net_model.h"
#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

class NetSourceTest : public ::testing::Test {
 protected:
  // A run with one net, its champion.
  fs::path run_with_net(const std::string& id) const {
    NetInfo info;
    info.id = id;
    info.rules = "5x5 komi=24";
    write_net_folder(run() / "nets" / id, model_, info, FeatureSchema::kV7NoLadders);
    write_durable(run() / "champion.json", R"({"net": ")" + id + R"(", "index": 3})");
    return run() / "nets" / id;
  }
  fs::path run() const { return folder_.path() / "run"; }
  fs::path file(const std::string& name) const { return folder_.path() / name; }

  TemporaryDirectory folder_;
  NetModel model_ = random_net_model(1, lively_net());
};

TEST_F(NetSourceTest, ARunStandsForItsChampion) {
  const fs::path net = run_with_net("net-000003-abcdef01");
  EXPECT_EQ(champion_of(run()), net);
  EXPECT_EQ(find_net(run()), net);
  EXPECT_EQ(resolve_net(run()), net);
  EXPECT_EQ(find_net(net), net);
}

TEST_F(NetSourceTest, AModelFileStandsForItself) {
  for (const char* name : {"a.bin.gz", "a.bin", "a.txt", "a.txt.gz", "a.gz"}) {
    write_durable(file(name), "found by its name");
    EXPECT_EQ(find_net(file(name)), file(name)) << name;
  }
  fs::create_directories(file("folder.bin"));
  EXPECT_FALSE(is_kata_net_file(file("folder.bin")));
  EXPECT_FALSE(is_kata_net_file(file("missing.bin.gz")));
}

TEST_F(NetSourceTest, WhatIsNoNetIsNamedWithWhatWasLookedFor) {
  write_durable(file("notes.md"), "no net");
  for (const fs::path& path : {file("notes.md"), file("missing"), folder_.path()}) {
    EXPECT_EQ(find_net(path), std::nullopt);
    const std::string error = error_of([&] { resolve_net(path); });
    for (const char* word : {path.c_str(), "net.json", "champion.json", ".bin.gz"}) {
      EXPECT_NE(error.find(word), std::string::npos) << error;
    }
  }
}

TEST_F(NetSourceTest, AChampionThatIsNotThereIsAnError) {
  run_with_net("net-000003-abcdef01");
  write_durable(run() / "champion.json", R"({"net": "net-000004-00000000"})");
  EXPECT_NE(error_of([&] { champion_of(run()); }).find("net-000004-00000000"), std::string::npos);
  for (const char* text : {R"({"net": ""})", R"({"net": 4})", "[]", "{"}) {
    write_durable(run() / "champion.json", text);
    EXPECT_NE(error_of([&] { champion_of(run()); }).find("champion.json"), std::string::npos)
        << text;
  }
}

TEST_F(NetSourceTest, AFolderIsReadWithWhatItsNetSees) {
  const NetSource net = read_net(run_with_net("net-000003-abcdef01"));
  EXPECT_EQ(net.info.id, "net-000003-abcdef01");
  EXPECT_EQ(net.info.rules, "5x5 komi=24");
  EXPECT_EQ(net.features, FeatureSchema::kV7NoLadders);
  EXPECT_EQ(net.model.blocks.size(), model_.blocks.size());
}

TEST_F(NetSourceTest, AModelFileHasItsNameAsIdAndSeesLadders) {
  const NetModel model = random_net_model(2);
  write_kata_net(file("net.bin.gz"), model);
  const NetSource net = read_net(file("net.bin.gz"));
  EXPECT_EQ(net.info.id, model.name);
  EXPECT_EQ(net.info.rules, "");
  EXPECT_EQ(net.features, FeatureSchema::kV7);
  EXPECT_EQ(net.model, model);
}

}  // namespace
}  // namespace tengen
