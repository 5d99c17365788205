#include "nn/kata_net_reader.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "nn/gzip.h"
#include "nn/kata_net_writer.h"
#include "rules/durable_file.h"
#include "rules/rng.h"
#include "tests/error_of.h"
#include "tests/reference_data.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

fs::path fixture(const std::string& name) {
  return fs::path(TENGEN_SOURCE_DIR) / "tests" / "nn" / "data" / name;
}

using Floats = std::vector<float>;

// The fixture with one place changed.
std::string changed(const std::string& name, const std::string& from, const std::string& to) {
  std::string text = read_file(fixture(name));
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
// What a reader says to that.
std::string refusal(const std::string& name, const std::string& from, const std::string& to) {
  const std::string text = changed(name, from, to);
  return error_of([&] { parse_kata_net(text, true, "net"); });
}
std::string refusal(std::string_view bytes) {
  return error_of([&] { parse_kata_net(bytes, false, "net"); });
}

class KataNetFile : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(directory_); }
  fs::path write(const std::string& name, std::string_view bytes) const {
    write_durable(directory_ / name, bytes);
    return directory_ / name;
  }
  std::string refusal(const std::string& name, std::string_view bytes) const {
    const fs::path path = write(name, bytes);
    const std::string error = error_of([&] { read_kata_net(path, 100'000); });
    return error.starts_with(path.string() + ": ") ? error.substr(path.string().size() + 2) : error;
  }
  fs::path directory_ = [] {
    const std::string made = fs::temp_directory_path() / "kata_net.XXXXXX";
    std::string name = made;
    return fs::path(mkdtemp(name.data()));
  }();
};

TEST(KataNetReader, ReadsAPublishedNet) {
  const fs::path path = katago_data() / "g170-b6c96-s175395328-d26788732.bin.gz";
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  const NetModel model = read_kata_net(path);
  EXPECT_EQ(model.name, "g170-b6c96-s175395328-d26788732");
  EXPECT_EQ(model.version, 8);
  EXPECT_EQ(model.widths, (std::array{96, 64, 32, 32}));
  EXPECT_EQ(model.channels(), 96);
  EXPECT_EQ(model.stem.height, 5);
  ASSERT_EQ(model.blocks.size(), 6U);
  for (const std::size_t i : {0, 1, 2, 3, 4, 5}) {
    const bool pools = i == 2 || i == 4;
    EXPECT_EQ(model.blocks[i].pooling.has_value(), pools) << i;
    EXPECT_EQ(model.blocks[i].conv1.out, pools ? 64 : 96) << i;
  }
  EXPECT_EQ(model.blocks[0].read1.norm.epsilon.text, "1e-20");
  EXPECT_EQ(model.policy.channels(), 1);
  EXPECT_EQ(model.value.hidden.out, 64);
  EXPECT_EQ(model.value.misc.out, 4);
}

TEST(KataNetReader, ReadsTextOfVersion11) {
  const NetModel model = read_kata_net(fixture("v11.txt"));
  EXPECT_EQ(model.name, "hand-typed_v11");
  EXPECT_EQ(model.version, 11);
  EXPECT_EQ(model.scales.score_error.value, 30);
  EXPECT_EQ(model.stem.weights.size(), 44U);
  EXPECT_EQ(model.stem.weights[1], -1.75F);
  ASSERT_EQ(model.blocks.size(), 2U);
  const ModelBlock& first = model.blocks[0];
  EXPECT_EQ(first.kind, ModelBlock::Kind::kOrdinary);
  EXPECT_EQ(first.read1.norm.name, "first.norm1");
  EXPECT_EQ(first.read1.norm.epsilon.value, 1e-5);
  EXPECT_EQ(first.read1.norm.epsilon.text, "1e-5");
  EXPECT_EQ(first.read1.norm.mean, (Floats{0.5, -0.25}));
  EXPECT_EQ(first.read1.norm.variance, (Floats{1, 4}));
  EXPECT_EQ(first.read1.norm.scale, (Floats{2, 0.5}));
  EXPECT_EQ(first.read1.norm.bias, (Floats{0.25, -1}));
  EXPECT_EQ(first.read1.activation, (ActivationLayer{"first.act1", Activation::kMish}));
  EXPECT_EQ(first.conv1.height, 3);
  EXPECT_EQ(first.conv1.width, 1);
  EXPECT_EQ(first.conv1.out, 3);
  EXPECT_TRUE(first.read2.norm.scale.empty());
  EXPECT_EQ(first.read2.norm.bias, (Floats{-0.5, 0.5, 1.5}));
  const ModelBlock& second = model.blocks[1];
  EXPECT_EQ(second.kind, ModelBlock::Kind::kPooling);
  EXPECT_TRUE(second.read1.norm.bias.empty());
  EXPECT_EQ(second.pooling->conv.name, "second.convg");
  EXPECT_EQ(second.pooling->matrix.weights, (Floats{0.625, 0.75, 0.875, 1, 1.125, 1.25}));
  EXPECT_EQ(second.read2.activation.kind, Activation::kIdentity);
  EXPECT_EQ(model.policy.conv1.name, "p1");
  EXPECT_EQ(model.policy.pass.weights, (Floats{-1.125, -1, -0.875}));
  EXPECT_FALSE(model.policy.pass_hidden.has_value());
  EXPECT_EQ(model.value.value_bias.weights, (Floats{0, 1, -1}));
  EXPECT_EQ(model.value.ownership.weights, (Floats{0.75}));
}

TEST(KataNetReader, ReadsTextOfVersion16) {
  const NetModel model = read_kata_net(fixture("v16.txt"));
  EXPECT_EQ(model.version, 16);
  EXPECT_EQ(model.scales.score_mean.value, 20);
  EXPECT_EQ(model.scales.score_mean.text, "20.0");
  EXPECT_EQ(model.scales.score_stdev.value, 21);
  EXPECT_EQ(model.options, (std::array{0, 1, 0, 0, 0, 0, 0, 0}));
  ASSERT_EQ(model.blocks.size(), 1U);
  const ModelBlock& outer = model.blocks[0];
  EXPECT_EQ(outer.kind, ModelBlock::Kind::kNested);
  ASSERT_EQ(outer.inner.size(), 2U);
  EXPECT_EQ(outer.inner[0].conv1.weights, (Floats{0, 0.125, 0, 0.25, 1, -0.25, 0, -0.125, 0.5}));
  EXPECT_EQ(outer.inner[1].pooling->read.activation.kind, Activation::kMish);
  EXPECT_EQ(outer.conv2.weights, (Floats{0.75, 1.25}));
  EXPECT_EQ(model.policy.channels(), 4);
  EXPECT_EQ(model.policy.pass.out, 1);
  EXPECT_EQ(model.policy.pass_hidden->bias.weights, (Floats{0.125}));
  EXPECT_EQ(model.policy.pass_hidden->matrix.weights, (Floats{-1, -0.5, 2, 3}));
  EXPECT_EQ(model.value.misc_bias.weights, (Floats{1, 0, -1, 0.5, -0.5, 0.25}));
}

TEST(KataNetReader, RefusesOtherKindsOfNetsByName) {
  const std::string expected = "net: header: expected version 8 to 16, found ";
  EXPECT_EQ(refusal("v11.txt", "\n11\n", "\n7\n"),
            expected + "7, whose input features are older ones");
  EXPECT_EQ(refusal("v11.txt", "\n11\n", "\n17\n"),
            expected + "17: transformers and RMSNorm are not supported");
  EXPECT_EQ(refusal("v11.txt", "\n11\n", "\n18\n"), expected + "18");
  EXPECT_EQ(refusal("v11.txt", "22\n", "13\n"),
            "net: header: expected input planes: 22, found '13'");
  EXPECT_EQ(refusal("v11.txt", "19\n", "16\n"),
            "net: header: expected input scalars: 19, found '16'");
  EXPECT_EQ(refusal("v16.txt", "\n0 1 0", "\n1 1 0"),
            "net: header: nets with a meta encoder (human style) are not supported");
  EXPECT_EQ(refusal("v16.txt", "\n0 1 0", "\n0 1 3"),
            "net: header: expected a reserved option: 0, found '3'");
  EXPECT_EQ(refusal("v16.txt", "\n0 0 0 0 0 0\n", "\n1 0 0 0 0 0\n"),
            "net: trunk: expected the trunk's options (norm kind first): 0, found '1'");
  EXPECT_EQ(refusal("v16.txt", "gpool_block", "transformer_ffn_block"),
            "net: block: transformer blocks are not supported");
  EXPECT_EQ(refusal("v16.txt", "gpool_block", "se_block"),
            "net: block: expected ordinary_block, gpool_block or nested_bottleneck_block, found "
            "'se_block'");
  EXPECT_EQ(refusal("v11.txt", "ACTIVATION_SILU", "ACTIVATION_GELU"),
            "net: activation 'second.act1': unknown activation 'ACTIVATION_GELU'");
}

TEST(KataNetReader, RefusesNumbersOutOfRange) {
  EXPECT_EQ(refusal("v11.txt", "hand-typed_v11", "hand.typed"),
            "net: header: expected a model name of 1 to 96 characters of A-Z a-z 0-9 _ -, found "
            "'hand.typed'");
  EXPECT_EQ(refusal("v11.txt", "\n11\n", "\nv11\n"),
            "net: header: expected the model's version: a whole number from 0 to 1000000, found "
            "'v11'");
  EXPECT_EQ(refusal("v16.txt", "20.0", "-20"),
            "net: header: expected the scale of the score's mean: a number above 0, found '-20'");
  EXPECT_EQ(refusal("v16.txt", "20.0", "inf"),
            "net: header: expected the scale of the score's mean: a number above 0, found 'inf'");
  EXPECT_EQ(refusal("v11.txt", "trunk 2", "trunk 0"),
            "net: trunk: expected blocks: a whole number from 1 to 4096, found '0'");
  EXPECT_EQ(refusal("v11.txt", "2 3 2 1 1", "2 3 2 1 0"),
            "net: trunk: expected the trunk's widths: a whole number from 1 to 65536, found '0'");
  EXPECT_EQ(refusal("v11.txt", "stem.conv 1 1", "stem.conv 39 1"),
            "net: convolution 'stem.conv': expected its height: a whole number from 1 to 37, found "
            "'39'");
  EXPECT_EQ(refusal("v11.txt", "stem.conv 1 1 22 2 1 1", "stem.conv 1 1 22 2 2 1"),
            "net: convolution 'stem.conv': expected dilation: 1, found '2'");
  EXPECT_EQ(refusal("v11.txt", "first.norm1 2 1e-5", "first.norm1 2 0"),
            "net: norm 'first.norm1': expected epsilon: a number above 0, found '0'");
  EXPECT_EQ(refusal("v11.txt", "first.norm2 3 1e-20 0 1", "first.norm2 3 1e-20 2 1"),
            "net: norm 'first.norm2': expected whether it has a scale: a whole number from 0 to 1, "
            "found '2'");
  EXPECT_EQ(refusal("v11.txt", "1 4\n2 0.5", "1 -4\n2 0.5"),
            "net: norm 'first.norm1': expected scale / sqrt(variance + epsilon) and the bias to be "
            "finite, found another");
}

TEST(KataNetReader, RefusesWeightsThatAreNoFiniteNumbers) {
  for (const std::string bad : {"nan", "inf", "-INF", "1e39"}) {
    EXPECT_EQ(refusal("v11.txt", "own 1 1 1 1 1 1\n0.75", "own 1 1 1 1 1 1\n" + bad),
              "net: convolution 'own': weights: a number is not finite");
  }
  EXPECT_EQ(refusal("v11.txt", "own 1 1 1 1 1 1\n0.75", "own 1 1 1 1 1 1\n0,75"),
            "net: convolution 'own': expected weights: a number, found '0,75'");
}

TEST(KataNetReader, RefusesLayersThatDoNotFitTogether) {
  EXPECT_EQ(refusal("v16.txt", "stem.conv 1 1 22 2", "stem.conv 1 2 11 2"),
            "net: convolution 'stem.conv': expected an odd kernel from 1 to 37, found 2");
  EXPECT_EQ(refusal("v16.txt", "stem.conv 1 1 22 2", "stem.conv 1 1 44 1"),
            "net: convolution 'stem.conv': expected the trunk's 2 output channels, found 1");
  EXPECT_EQ(refusal("v16.txt", "stem.scalars 19 2", "stem.scalars 38 1"),
            "net: matrix 'stem.scalars': expected 19 inputs, found 38");
  EXPECT_EQ(refusal("v16.txt", "outer.norm1 2 1e-20 0 0  0 0  1 1", "outer.norm1 1 1 0 0 0 1"),
            "net: norm 'outer.norm1': expected 2 channels, found 1");
  EXPECT_EQ(refusal("v16.txt", "i1.conv2 1 1 1 1 1 1  2", "i1.conv2 1 1 1 2 1 1 2 2"),
            "net: convolution 'i1.conv2': expected 1 output channels, found 2");
  EXPECT_EQ(refusal("v16.txt", "i2.matrix 3 1  0.5 0.25 -0.125", "i2.matrix 2 1 0.5 0.25"),
            "net: matrix 'i2.matrix': expected 3 inputs, found 2");
  EXPECT_EQ(refusal("v16.txt", "i2.convg 1 1 1 1 1 1  -2", "i2.convg 1 1 2 1 1 1 2 2"),
            "net: convolution 'i2.convg': expected 1 input channels, found 2");
  EXPECT_EQ(refusal("v16.txt", "outer.conv2 1 1 1 2 1 1  0.75 1.25", "outer.conv2 1 1 1 1 1 1 1"),
            "net: convolution 'outer.conv2': expected 2 output channels, found 1");
  EXPECT_EQ(refusal("v16.txt", "p1 1 1 2 1 1 1", "p1 1 2 1 1 1 1"),
            "net: convolution 'p1': expected a kernel of 1x1 in a head, found 1x2");
  EXPECT_EQ(refusal("v16.txt", "p2 1 1 1 4 1 1  1 0.5 0.25 -0.25", "p2 1 1 1 2 1 1 1 0.5"),
            "net: convolution 'p2': expected 4 output channels, found 2");
  EXPECT_EQ(refusal("v16.txt", "pass2 1 4  -1 -0.5 2 3", "pass2 1 2 -1 2"),
            "net: matrix 'pass2': expected 4 outputs, found 2");
  EXPECT_EQ(refusal("v16.txt", "pass1.bias 1  0.125", "pass1.bias 2 0.125 1"),
            "net: bias 'pass1.bias': expected 1 numbers, found 2");
  EXPECT_EQ(refusal("v16.txt", "v3 1 3  1 -1 -3", "v3 1 2 1 -1"),
            "net: matrix 'v3': expected 3 outputs, found 2");
  EXPECT_EQ(refusal("v16.txt", "misc.bias 6  1 0 -1 0.5 -0.5 0.25", "misc.bias 4 1 0 -1 0.5"),
            "net: bias 'misc.bias': expected 6 numbers, found 4");
  EXPECT_EQ(refusal("v16.txt", "misc 1 6  0.5 0.25 0.125 1 2 -1", "misc 1 4 0.5 0.25 0.125 1"),
            "net: matrix 'misc': expected 6 outputs, found 4");
}

TEST(KataNetReader, MakesNoRoomForMoreThanTheFileHolds) {
  const std::string error =
      refusal("v11.txt", "stem.conv 1 1 22 2 1 1", "stem.conv 1 1 22 65536 1 1");
  EXPECT_TRUE(
      error.starts_with("net: convolution 'stem.conv': expected weights: room for 1441792 "
                        "numbers or more, found "))
      << error;
}

TEST(KataNetReader, RefusesBlocksNestedWithoutEnd) {
  const std::string outer =
      "nested_bottleneck_block o 1 n 2 1 0 0 0 0 1 1 a ACTIVATION_RELU "
      "c 1 1 2 2 1 1 0 0 0 0\n";
  std::string deep;
  for (int i = 0; i < 9; ++i) deep += outer;
  EXPECT_EQ(refusal("v11.txt", "ordinary_block", deep + "ordinary_block"),
            "net: block 'o': blocks are nested more than 8 deep");
}

TEST(KataNetReader, SaysWhereAFileEnds) {
  const std::string text = read_file(fixture("v16.txt"));
  const auto cut = [&](const std::string& at) {
    return error_of([&] { parse_kata_net(text.substr(0, text.find(at)), true, "net"); });
  };
  EXPECT_EQ(cut("hand-"), "net: header: expected the model's name, found the end of the file");
  EXPECT_EQ(cut("trunk"), "net: trunk: expected the trunk's name, found the end of the file");
  EXPECT_EQ(
      cut("ACTIVATION_MISH"),
      "net: activation 'outer.act1': expected a kind of activation, found the end of the file");
  EXPECT_EQ(cut("-0.5\n\n"), "");  // not in the text: all of it
  EXPECT_EQ(error_of([&] { parse_kata_net(text + "\n 1 ", true, "net"); }),
            "net: convolution 'own': expected the end of the file, found 2 bytes more");
}

TEST(KataNetReader, BinaryFormHasItsMarksAndBytes) {
  const NetModel model = read_kata_net(fixture("v11.txt"));
  const std::string bytes = to_kata_net(model);
  EXPECT_EQ(parse_kata_net(bytes, false, "net"), model);
  EXPECT_EQ(parse_kata_net(bytes + " \n", false, "net"), model);
  const std::size_t mark = bytes.find("@BIN@");
  std::string other = bytes;
  other[mark] = '#';
  EXPECT_EQ(refusal(other),
            "net: convolution 'stem.conv': expected weights, found no @BIN@ before them");
  other = bytes;
  std::memcpy(&other[mark + 5], "\0\0\xc0\x7f", 4);
  EXPECT_EQ(refusal(other), "net: convolution 'stem.conv': weights: a number is not finite");
  EXPECT_EQ(refusal(bytes.substr(0, bytes.size() - 3)),
            "net: convolution 'own': expected weights: 4 bytes, found 2 to the end of the file");
  EXPECT_EQ(refusal(bytes.substr(0, mark) + '\n' + bytes.substr(mark)), "");
}

TEST_F(KataNetFile, NamesSayTheFormAndFirstBytesThePacking) {
  const NetModel model = read_kata_net(fixture("v16.txt"));
  const std::string text = read_file(fixture("v16.txt"));
  const std::string binary = to_kata_net(model);
  EXPECT_EQ(read_kata_net(write("a.txt", text)), model);
  EXPECT_EQ(read_kata_net(write("a.txt.gz", gzip(text))), model);
  EXPECT_EQ(read_kata_net(write("a.bin", binary)), model);
  EXPECT_EQ(read_kata_net(write("a.bin.gz", gzip(binary))), model);
  EXPECT_EQ(read_kata_net(write("a.gz", gzip(binary))), model);
  EXPECT_EQ(read_kata_net(write("b.gz", gzip(text))), model);
  EXPECT_EQ(read_kata_net(write("unpacked.bin.gz", binary)), model);
  EXPECT_EQ(read_kata_net(write("packed.bin", gzip(binary))), model);
  EXPECT_EQ(refusal("a.ckpt", binary),
            "expected a name that ends in .bin.gz, .bin, .txt.gz or .txt");
  EXPECT_NE(refusal("wrong.bin", text), "");
  EXPECT_NE(refusal("wrong.txt", binary), "");
  EXPECT_NE(error_of([&] { read_kata_net(directory_ / "none.bin.gz"); }), "");
}

TEST_F(KataNetFile, DamagedPackingIsAnError) {
  const std::string packed = gzip(to_kata_net(read_kata_net(fixture("v16.txt"))));
  EXPECT_TRUE(refusal("a.bin.gz", packed.substr(0, packed.size() - 4))
                  .starts_with("the gzip data ends early, after "));
  EXPECT_TRUE(refusal("b.bin.gz", packed.substr(0, 12)).starts_with("the gzip data ends early"));
  EXPECT_EQ(refusal("c.bin.gz", packed + "more"),
            "expected the end of the gzip data, found 4 bytes more");
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;  // in the checksum
  EXPECT_EQ(refusal("d.bin.gz", damaged), "damaged gzip data: incorrect data check");
  EXPECT_EQ(refusal("e.bin.gz", gzip(std::string(100'001, '0'))),
            "more than 100000 bytes unpacked");
  EXPECT_EQ(refusal("e.bin", std::string(100'001, '0')),
            "expected at most 100000 bytes, found 100001");
}

TEST_F(KataNetFile, SeveralMembersOfGzipAreOneFile) {
  const NetModel model = read_kata_net(fixture("v16.txt"));
  const std::string bytes = to_kata_net(model);
  EXPECT_EQ(
      read_kata_net(write("a.bin.gz", gzip(bytes.substr(0, 1000)) + gzip(bytes.substr(1000)))),
      model);
}

// gzip's checksum finds nearly all of it; what gets through is a model that holds together.
TEST_F(KataNetFile, FlippedBitsAndCutsAreErrorsOrValidModels) {
  const NetModel model = read_kata_net(fixture("v16.txt"));
  const std::string plain = to_kata_net(model);
  const std::string packed = gzip(plain);
  Rng rng(1);
  int errors = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool is_packed = i % 2 == 0;
    std::string damaged = is_packed ? packed : plain;
    const auto at = rng.below(static_cast<std::uint32_t>(damaged.size()));
    if (i % 4 < 2) {
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << rng.below(8)));
    } else {
      damaged.resize(at);
    }
    try {
      const std::string bytes = is_gzip(damaged) ? gunzip(damaged, 100'000, "net") : damaged;
      const NetModel read = parse_kata_net(bytes, false, "net");
      validate(read, "read");
      EXPECT_TRUE(!is_packed || read == model);
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 1400);
}

}  // namespace
}  // namespace tengen
