#include "selfplay/npz_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "rules/rng.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"
#include "tests/nn/npz.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

class NpzFile : public testing::Test {
 protected:
  TemporaryDirectory temporary_;
  const fs::path path_ = temporary_.path() / "arrays.npz";

  void overwrite(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }
  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

std::vector<NpzEntry> some_arrays() {
  std::string noise;
  Rng rng(3, 0);
  for (int i = 0; i < 300'000; ++i) noise += static_cast<char>(rng.next());
  return {{"noise", "<i2", {500, 3, 100}, noise},
          {"zeros", "|u1", {7, 1000}, std::string(7000, '\0')},
          {"none", "<f4", {0, 4}, ""},
          {"one", "<f4", {1}, std::string("\0\0\x80\x3f", 4)}};
}

TEST_F(NpzFile, ReadsBackAsItWas) {
  const auto written = some_arrays();
  write_npz_file(path_, written);
  const auto found = read_npz_file(path_);
  ASSERT_EQ(found.size(), written.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].name, written[i].name);
    EXPECT_EQ(found[i].type, written[i].type);
    EXPECT_EQ(found[i].shape, written[i].shape);
    EXPECT_EQ(found[i].bytes, written[i].bytes) << written[i].name;
  }
}

TEST_F(NpzFile, AnotherReaderReadsIt) {
  write_npz_file(path_, some_arrays());
  const auto found = read_npz(path_);
  ASSERT_EQ(found.size(), 4U);
  for (const NpzEntry& entry : some_arrays()) {
    const NpzArray& array = found.at(entry.name);
    EXPECT_EQ(array.type, entry.type);
    EXPECT_EQ(array.shape, entry.shape);
    EXPECT_EQ(std::string(array.bytes.begin(), array.bytes.end()), entry.bytes);
  }
}

TEST_F(NpzFile, EqualArraysGiveEqualFiles) {
  write_npz_file(path_, some_arrays());
  const std::string first = bytes();
  write_npz_file(path_, some_arrays());
  EXPECT_EQ(bytes(), first);
}

// Every flip is an error or changes nothing that is read: names, dates and the like are not
// checked.
TEST_F(NpzFile, AFlippedBitIsFoundWhereItMatters) {
  std::vector<NpzEntry> written = some_arrays();
  written[0].shape = {50};
  written[0].bytes.resize(100);
  write_npz_file(path_, written);
  const std::string good = bytes();
  int found = 0;
  Rng rng(4, 0);
  for (int i = 0; i < 300; ++i) {
    std::string flipped = good;
    const auto at = rng.next() % (8 * good.size());
    flipped[at / 8] = static_cast<char>(flipped[at / 8] ^ (1 << at % 8));
    overwrite(flipped);
    try {
      const auto arrays = read_npz_file(path_);
      for (std::size_t k = 0; k < std::min(arrays.size(), written.size()); ++k) {
        EXPECT_EQ(arrays[k].bytes, written[k].bytes) << "bit " << at;
      }
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(path_.string()));
      ++found;
    }
  }
  EXPECT_GT(found, 150);
}

TEST_F(NpzFile, WhatIsCutOffIsRefused) {
  write_npz_file(path_, some_arrays());
  const std::string good = bytes();
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{21}, good.size() / 2, good.size() - 1}) {
    overwrite(good.substr(0, length));
    EXPECT_NE(error_of([&] { read_npz_file(path_); }), "") << length;
  }
  overwrite("hello, this is no archive at all");
  EXPECT_NE(error_of([&] { read_npz_file(path_); }).find("no .npz file"), std::string::npos);
}

}  // namespace
}  // namespace tengen
