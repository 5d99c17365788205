#include "nn/kata_net_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "nn/gzip.h"
#include "nn/kata_net_reader.h"
#include "rules/durable_file.h"
#include "tests/error_of.h"
#include "tests/nn/random_net_model.h"
#include "tests/reference_data.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

TEST(KataNetWriter, APublishedNetGoesRoundByteForByte) {
  const fs::path path = katago_data() / "g170-b6c96-s175395328-d26788732.bin.gz";
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  const std::string bytes = gunzip(read_file(path), kMaxKataNetBytes, "net");
  EXPECT_TRUE(to_kata_net(read_kata_net(path)) == bytes);
}

// The seeds of tests/fuzz are the text fixtures as another program wrote them in binary.
TEST(KataNetWriter, WritesTextsInBinaryAsAnotherProgramDoes) {
  const fs::path tests = fs::path(TENGEN_SOURCE_DIR) / "tests";
  for (const std::string name : {"v11", "v16"}) {
    const std::string binary = read_file(tests / "fuzz" / "kata_net" / (name + ".bin"));
    const NetModel model = read_kata_net(tests / "nn" / "data" / (name + ".txt"));
    EXPECT_TRUE(to_kata_net(model) == binary.substr(1)) << name;
  }
}

TEST(KataNetWriter, EveryVersionGoesRoundInBothForms) {
  for (int version = 8; version <= 16; ++version) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const NetModel model = random_net_model(seed, {.version = version});
      const std::string binary = to_kata_net(model);
      const std::string text = to_kata_net(model, KataNetForm::kText);
      EXPECT_TRUE(parse_kata_net(binary, false, "binary") == model) << version;
      const NetModel read = parse_kata_net(text, true, "text");
      EXPECT_TRUE(to_kata_net(read) == binary) << version;
    }
  }
}

TEST(KataNetWriter, WritesAPackedFile) {
  const NetModel model = random_net_model(1, {.version = 15});
  std::string directory = fs::temp_directory_path() / "kata_net.XXXXXX";
  const fs::path folder = mkdtemp(directory.data());
  write_kata_net(folder / "a.bin.gz", model);
  EXPECT_TRUE(read_kata_net(folder / "a.bin.gz") == model);
  EXPECT_TRUE(is_gzip(read_file(folder / "a.bin.gz")));
  EXPECT_EQ(error_of([&] { write_kata_net(folder / "a.net", model); }),
            (folder / "a.net").string() +
                ": expected a name that ends in .bin.gz, by which KataGo knows it");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  fs::remove_all(folder);
}

TEST(KataNetWriter, RefusesModelsThatNobodyWouldRead) {
  const NetModel model = random_net_model(1);
  const auto refusal = [&model](auto change) {
    NetModel changed = model;
    change(changed);
    return error_of([&] { to_kata_net(changed); });
  };
  const std::string at = "the net to be written: ";
  EXPECT_EQ(refusal([](NetModel& m) { m.name = "b4c64 at step 100"; }),
            at + "header: expected a model name of 1 to 96 characters of A-Z a-z 0-9 _ -, found "
                 "'b4c64 at step 100'");
  EXPECT_EQ(refusal([](NetModel& m) { m.name = std::string(97, 'a'); }),
            at + "header: expected a model name of 1 to 96 characters of A-Z a-z 0-9 _ -, found '" +
                std::string(97, 'a') + "'");
  EXPECT_EQ(refusal([](NetModel& m) { m.tip.norm.name = "the tip"; }),
            at + "norm 'the tip': expected a name of 1 to 256 printable characters without blanks, "
                 "found 'the tip'");
  EXPECT_EQ(refusal([](NetModel& m) { m.value.ownership.weights[0] = NAN; }),
            at + "convolution 'ownership': expected finite numbers, found others");
  EXPECT_EQ(refusal([](NetModel& m) { m.stem.weights.pop_back(); }),
            at + "convolution 'stem': expected 1188 numbers, found 1187");
  EXPECT_EQ(refusal([](NetModel& m) { m.version = 17; }),
            at + "header: expected version 8 to 16, found 17");
  EXPECT_EQ(refusal([](NetModel& m) { m.version = 10; }).substr(0, at.size() + 12),
            at + "activation '");
  EXPECT_EQ(refusal([](NetModel& m) {
              m.scales.lead = {21, {}};
            }),
            at + "header: expected the usual scales of outputs before version 13, found others");
  EXPECT_EQ(refusal([](NetModel& m) { m.tip.norm.epsilon.text = "1e-4"; }),
            at + "norm 'tip.norm': expected epsilon as text that gives the number, found 1e-4");
  EXPECT_EQ(refusal([](NetModel& m) { m.blocks.clear(); }),
            at + "trunk: expected 1 block or more, found none");
  EXPECT_EQ(refusal([](NetModel& m) { m.blocks[0].inner = m.blocks; }),
            at + "block 'block0': expected no inner blocks, found 3");
  EXPECT_EQ(refusal([](NetModel& m) { m.blocks[1].pooling.reset(); }),
            at + "block 'block1': expected 1 pooled convolutions, found 0");
}

}  // namespace
}  // namespace tengen
