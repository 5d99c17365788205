// Files of nets with bits flipped, cut off, claiming more than they hold, of other versions: what
// is read is a net or an Error that names the file, and never more than the file holds is asked
// for.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "net_folder.h"
#include "nn/gzip.h"
#include "nn/kata_net_writer.h"
#include "nn/net_source.h"
#include "nn/net_tensors.h"
#include "random_net_model.h"
#include "rules/durable_file.h"
#include "rules/rng.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kFlips = 1000;

NetModel small_model() {
  RandomNetOptions options;
  options.activations = {Activation::kMish};
  return random_net_model(3, options);
}

// Without waiting for the disk.
void write(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class DamagedNet : public ::testing::Test {
 protected:
  DamagedNet() {
    const NetModel model = small_model();
    NetInfo info;
    info.id = "net-000001-00000000";
    write_net_folder(folder(), model, info);
    write(file("net.bin.gz"), gzip(to_kata_net(model)));
    write(file("net.txt.gz"), gzip(to_kata_net(model, KataNetForm::kText)));
  }
  fs::path folder() const { return file("net"); }
  fs::path file(const std::string& name) const { return directory_.path() / name; }

  // "" if the net is read; fails the test if an error does not name the file.
  static std::string error(const fs::path& net, const fs::path& damaged) {
    const std::string error = error_of([&] {
      const NetSource read = read_net(net);
      EXPECT_FALSE(read.model.blocks.empty());
    });
    EXPECT_TRUE(error.empty() ||
                error.starts_with((damaged == net ? net.string() + ": " : net.string() + "/")))
        << error;
    return error;
  }

  // Reads `net` with 1,000 different bits of `damaged` flipped and returns how many are refused.
  static int refused_flips(const fs::path& net, const fs::path& damaged) {
    const std::string whole = read_file(damaged);
    Rng rng(5);
    int refused = 0;
    for (int i = 0; i < kFlips; ++i) {
      std::string bytes = whole;
      char& byte = bytes[rng.below(static_cast<std::uint32_t>(bytes.size()))];
      byte = static_cast<char>(byte ^ (1 << rng.below(8)));
      write(damaged, bytes);
      if (!error(net, damaged).empty()) ++refused;
    }
    write(damaged, whole);
    EXPECT_EQ(error(net, damaged), "");
    return refused;
  }
  // Every length for small files, some hundred for large ones.
  static void expect_cuts_refused(const fs::path& net, const fs::path& damaged) {
    const std::string whole = read_file(damaged);
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 500);
    for (std::size_t size = 0; size < whole.size(); size += step) {
      write(damaged, whole.substr(0, size));
      EXPECT_NE(error(net, damaged), "") << size << " of " << whole.size() << " bytes";
    }
    write(damaged, whole);
  }

  void edit_json(const std::function<void(ordered_json&)>& edit) const {
    auto object = ordered_json::parse(read_file(folder() / kNetInfoFile));
    edit(object);
    write(folder() / kNetInfoFile, object.dump());
  }
  void edit_header(const std::function<void(ordered_json&)>& edit) const {
    const std::string file = read_file(folder() / kNetWeightsFile);
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    auto header = ordered_json::parse(file.substr(sizeof length, length));
    edit(header);
    write_header(header.dump(), file.substr(sizeof length + length));
  }
  void write_header(const std::string& header, const std::string& data) const {
    const std::uint64_t length = header.size();
    write(folder() / kNetWeightsFile,
          std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data);
  }
  std::string json_error() const { return error(folder(), folder() / kNetInfoFile); }
  std::string weights_error() const { return error(folder(), folder() / kNetWeightsFile); }

 private:
  TemporaryDirectory directory_;
};

// gzip's checksum finds all but what its own header does not use.
TEST_F(DamagedNet, FlippedBitsOfAModelFileAreRefused) {
  for (const char* name : {"net.bin.gz", "net.txt.gz"}) {
    EXPECT_GT(refused_flips(file(name), file(name)), kFlips - 10) << name;
  }
}

// A weight is any number: only the header and numbers that are none can be told.
TEST_F(DamagedNet, FlippedBitsOfAFolderAreRefusedOrANet) {
  EXPECT_GT(refused_flips(folder(), folder() / kNetWeightsFile), 100);
  EXPECT_GT(refused_flips(folder(), folder() / kNetInfoFile), 500);
}

TEST_F(DamagedNet, WhatIsCutOffIsRefused) {
  for (const char* name : {"net.bin.gz", "net.txt.gz"}) expect_cuts_refused(file(name), file(name));
  expect_cuts_refused(folder(), folder() / kNetWeightsFile);
  write(folder() / kNetInfoFile,
        ordered_json::parse(read_file(folder() / kNetInfoFile)).dump());  // no end of line
  expect_cuts_refused(folder(), folder() / kNetInfoFile);
}

TEST_F(DamagedNet, OtherVersionsAreRefusedByNumber) {
  const std::string text = to_kata_net(small_model(), KataNetForm::kText);
  const auto at = text.find("\n11\n");
  ASSERT_NE(at, std::string::npos);
  for (const std::string version : {"7", "17", "1000"}) {
    write(file("net.txt.gz"), gzip(text.substr(0, at + 1) + version + text.substr(at + 3)));
    EXPECT_NE(error(file("net.txt.gz"), file("net.txt.gz")).find("found " + version),
              std::string::npos);
  }
  for (const int version : {0, 1, 3}) {
    edit_json([&](auto& o) { o["format_version"] = version; });
    EXPECT_NE(json_error().find("format_version: expected a whole number from 2 to 2, found " +
                                std::to_string(version)),
              std::string::npos);
  }
  edit_json([](auto& o) { o["format_version"] = 2, o["features_version"] = 3; });
  EXPECT_NE(json_error().find("features_version 3"), std::string::npos);
  edit_json([](auto& o) { o["features_version"] = 2, o["shape"]["version"] = 17; });
  EXPECT_NE(json_error().find("shape.version"), std::string::npos);
}

TEST_F(DamagedNet, ADescriptionThatClaimsTooMuchIsRefused) {
  const std::string good = read_file(folder() / kNetInfoFile);
  for (const char* field : {"channels", "policy_channels", "value_hidden"}) {
    for (const std::int64_t claim : {std::int64_t{0}, std::int64_t{4097}, std::int64_t{1} << 40}) {
      edit_json([&](auto& o) { o["shape"][field] = claim; });
      EXPECT_NE(json_error().find(field), std::string::npos) << claim;
      write(folder() / kNetInfoFile, good);
    }
    edit_json([&](auto& o) { o["shape"][field] = 4096; });  // may be, but the weights are fewer
    EXPECT_NE(weights_error().find("expected shape"), std::string::npos);
    write(folder() / kNetInfoFile, good);
  }
  edit_json([](auto& o) { o["shape"]["blocks"] = std::vector<int>(201); });
  EXPECT_NE(json_error().find("shape.blocks"), std::string::npos);
  write(folder() / kNetInfoFile, good);
  edit_json([](auto& o) {
    auto& block = o["shape"]["blocks"][2];
    ASSERT_EQ(block["kind"], "nested");
    for (int i = 0; i < 3; ++i) block = {{"kind", "nested"}, {"middle", 2}, {"inner", {block}}};
  });
  EXPECT_NE(json_error().find("nesting"), std::string::npos);
}

TEST_F(DamagedNet, WeightsThatClaimTooMuchAreRefused) {
  const std::string good = read_file(folder() / kNetWeightsFile);
  const std::vector<std::vector<std::int64_t>> shapes = {
      {std::int64_t{1} << 62, 1, 1, 1}, {1 << 20, 1 << 20, 1 << 20, 1 << 20}, {6, 22, 3, 4}};
  for (const auto& shape : shapes) {
    edit_header([&](auto& h) { h["stem.conv"]["shape"] = shape; });
    EXPECT_NE(weights_error().find("'stem.conv'"), std::string::npos);
    write(folder() / kNetWeightsFile, good);
  }
  edit_header([](auto& h) { h["tip.scale"]["data_offsets"] = {0, std::int64_t{1} << 50}; });
  EXPECT_NE(weights_error().find("do not hold"), std::string::npos);
  write(folder() / kNetWeightsFile, "\xff\xff\xff\xff\xff\xff\xff\x7f{}");
  EXPECT_NE(weights_error().find("the header claims 9223372036854775807 bytes"), std::string::npos);
}

// Errors quote what was found, which may be nested deeper than the stack.
TEST_F(DamagedNet, ListsWithoutEndAreRefused) {
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  const std::string json = read_file(folder() / kNetInfoFile);
  for (const char* field : {"\"id\": ", "\"step\": ", "\"blocks\": "}) {
    std::string text = json;
    text.insert(text.find(field) + std::strlen(field), deep + ", \"more\": ");
    write(folder() / kNetInfoFile, text);
    EXPECT_NE(json_error().find(": expected a"), std::string::npos);
  }
  write(folder() / kNetInfoFile, json);
  for (const std::string& part :
       {R"("dtype":)" + deep + R"(,"shape":[1],"data_offsets":[0,4])",
        R"("dtype":"F32","shape":[1,)" + deep + R"(],"data_offsets":[0,4])",
        R"("dtype":"F32","shape":[1],"data_offsets":[)" + deep + ",4]"}) {
    write_header("{\"a\":{" + part + "}}", "1234");
    EXPECT_NE(weights_error().find("the header is no list of tensors"), std::string::npos);
  }
  write(folder() / kNetWeightsFile, deep);
  EXPECT_NE(weights_error(), "");
}

TEST_F(DamagedNet, MoreTensorsThanAnyNetHasAreRefusedAtOnce) {
  std::string header = "{";
  for (int i = 0; i < 250'000; ++i) header += "\"t" + std::to_string(i) + "\":1,";
  write_header(header + "\"last\":1}", "");
  EXPECT_NE(weights_error().find("too many tensors"), std::string::npos);
}

TEST_F(DamagedNet, AVarianceBelowZeroIsRefused) {
  NetTensors tensors = read_net_tensors(folder());
  const auto channels = tensors.at("tip.scale").sizes;
  tensors["tip.mean"] = {channels, std::vector<float>(6, 0)};
  tensors["tip.variance"] = {channels, std::vector<float>(6, 1)};
  const NetDescription net = read_net_description(folder());
  EXPECT_EQ(error_of([&] { net_model(net.shape, tensors, "net"); }), "");
  tensors["tip.variance"].values[3] = -1;
  EXPECT_EQ(error_of([&] { net_model(net.shape, tensors, "net"); }),
            "tensor 'tip.variance' has a number below 0");
}

}  // namespace
}  // namespace tengen
