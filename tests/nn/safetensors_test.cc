#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "nn/named_tensors.h"
#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test.
class Safetensors : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("tengen-safetensors-" + std::to_string(::getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    file_ = folder_ / "t.safetensors";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_raw(const std::string& header, const std::string& data,
                 std::uint64_t claimed = ~0ULL) const {
    std::ofstream out(file_, std::ios::binary);
    const std::uint64_t length = claimed == ~0ULL ? header.size() : claimed;
    out.write(reinterpret_cast<const char*>(&length), 8);
    out << header << data;
  }
  std::string error() const {
    try {
      read_tensors(file_);
    } catch (const Error& e) {
      const std::string text = e.what();
      EXPECT_TRUE(text.starts_with(file_.string() + ": ")) << text;
      return text.substr(file_.string().size() + 2);
    }
    return "none";
  }

  fs::path folder_, file_;
};

NamedTensors some_tensors() {
  return {{"odd", at::arange(3, at::kFloat)},
          {"counts", at::tensor({std::int64_t{1} << 60, std::int64_t{-5}})},
          {"matrix", at::arange(6, at::kFloat).view({2, 3}).t()},
          {"empty", at::zeros({0, 4})},
          {"scalar", at::full({}, 2.5F)}};
}

TEST_F(Safetensors, ReadsWhatItWroteInOrder) {
  const NamedTensors tensors = some_tensors();
  write_tensors(file_, tensors, {{"net", "n"}});
  const NamedTensors read = read_tensors(file_);
  ASSERT_EQ(read.size(), tensors.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].first, tensors[i].first);
    EXPECT_EQ(read[i].second.scalar_type(), tensors[i].second.scalar_type());
    EXPECT_TRUE(read[i].second.is_contiguous());
    EXPECT_TRUE(at::equal(read[i].second, tensors[i].second)) << read[i].first;
  }
}

TEST_F(Safetensors, LeavesNothingBesideTheFile) {
  write_tensors(file_, some_tensors(), {});
  write_tensors(file_, some_tensors(), {});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
  EXPECT_THROW(write_tensors(folder_ / "none" / "t", some_tensors(), {}), Error);
}

TEST_F(Safetensors, RefusesByNameWhatIsWrong) {
  const std::string data(8, 'x');
  EXPECT_EQ(error(), "No such file or directory");
  std::ofstream(file_) << "abc";
  EXPECT_EQ(error(), "expected a safetensors file, found 3 bytes");
  write_raw("{}", "", 1ULL << 60);
  EXPECT_EQ(error(),
            "the header claims 1152921504606846976 bytes, the file has 2 after its first 8");
  write_raw("[1]", "");
  EXPECT_EQ(error(), "the header is no JSON object");
  write_raw("{\"a\":", "");
  EXPECT_EQ(error(), "the header is no JSON object");
  write_raw(R"({"a":{"dtype":"F32","shape":[2]}})", data);
  EXPECT_EQ(error(), "tensor 'a': expected dtype, shape and data_offsets");
  write_raw(R"({"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}})", data);
  EXPECT_EQ(error(), "tensor 'a': dtype \"F16\", expected F32 or I64");
  write_raw(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", data);
  EXPECT_EQ(error(), "tensor 'a': expected a number >= 0, found -2");
  write_raw(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})", data);
  EXPECT_EQ(error(), "tensor 'a': shape is too large");
  write_raw(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", data);
  EXPECT_EQ(error(), "tensor 'a': data_offsets [0, 8) do not hold the 12 bytes of its shape");
  write_raw(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", data);
  EXPECT_EQ(error(), "tensor 'a' begins at byte 4, expected 0");
  write_raw(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
            R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
            data);
  EXPECT_EQ(error(), "tensor 'b' begins at byte 0, expected 4");
  write_raw(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
            R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
            data);
  EXPECT_EQ(error(), "tensor 'a' comes twice");
  write_raw(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", data);
  EXPECT_EQ(error(), "expected 4 bytes of tensors, found 8");
  write_raw(std::string(3'000'000, '['), "");
  EXPECT_NE(error(), "none");
}

TEST_F(Safetensors, RefusesEveryCutOffFile) {
  write_tensors(file_, some_tensors(), {});
  const auto whole = fs::file_size(file_);
  for (auto size = whole; size-- > 0;) {
    fs::resize_file(file_, size);
    EXPECT_NE(error(), "none") << size << " of " << whole;
  }
}

TEST_F(Safetensors, SurvivesRandomDamage) {
  write_tensors(file_, some_tensors(), {{"k", "v"}});
  std::ifstream in(file_, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(in), {});
  Rng rng(3);
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = whole;
    for (std::uint32_t n = 1 + rng.below(3); n > 0; --n) {
      damaged[rng.below(static_cast<std::uint32_t>(damaged.size()))] =
          static_cast<char>(rng.below(256));
    }
    std::ofstream(file_, std::ios::binary) << damaged;
    refused += error() != "none";
  }
  EXPECT_GT(refused, 250);
}

}  // namespace
}  // namespace tengen
