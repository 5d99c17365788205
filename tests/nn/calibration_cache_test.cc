#include "nn/calibration_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "rules/durable_file.h"
#include "rules/temporary_directory.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

class CalibrationCacheTest : public ::testing::Test {
 protected:
  CalibrationCacheTest() {
    options_.device = "cpu";
    options_.precision = "fp32";
    options_.kernels = "libtorch";
    options_.batch = 16;
  }
  // As another start of the program.
  Calibration calibrated(BoardSize canvas = {5, 5}) {
    return CalibrationCache(folder(), log_).calibrate(network_, options_, canvas);
  }
  fs::path folder() const { return directory_.path() / "a" / "calibrations"; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder())) found.push_back(entry.path());
    return found;
  }
  ordered_json kept() const { return ordered_json::parse(read_file(files().at(0))); }
  void change(const std::function<void(ordered_json&)>& how) {
    auto text = kept();
    how(text);
    write_durable(files().at(0), text.dump());
  }
  // What no timing would give.
  void mark() {
    change([](ordered_json& text) { text["calibration"]["batch"] = 77; });
  }

  TemporaryDirectory directory_;
  std::ostringstream log_;
  EvaluatorOptions options_;
  Network network_{network_shape("b2c16"), 1};
};

TEST_F(CalibrationCacheTest, TheSecondStartTakesWhatTheFirstFound) {
  const Calibration first = calibrated();
  EXPECT_EQ(to_json(calibrated()), to_json(first));
  EXPECT_EQ(files().size(), 1U);
  mark();
  EXPECT_EQ(calibrated().batch, 77);
  EXPECT_EQ(log_.str(), "");
}

TEST_F(CalibrationCacheTest, AnotherQuestionIsTimedAnew) {
  calibrated();
  mark();
  EXPECT_EQ(calibrated({7, 7}).batch, 16);
  options_.batch = 8;
  EXPECT_EQ(calibrated().batch, 8);
  options_.batch = 16;
  network_ = Network(network_shape("b2c16"), 2);
  EXPECT_EQ(calibrated().batch, 16);
  network_ = Network(network_shape("b2c32"), 1);
  EXPECT_EQ(calibrated().batch, 16);
  EXPECT_EQ(files().size(), 5U);
}

TEST_F(CalibrationCacheTest, AFileOfAnotherMachineOrProgramIsWrittenAnew) {
  for (const char* fact : {"processor", "flags", "cores", "devices", "program", "libtorch"}) {
    calibrated();
    mark();
    change([&](ordered_json& text) { text["of"].at(fact) = "another"; });
    EXPECT_EQ(calibrated().batch, 16) << fact;
    EXPECT_EQ(kept()["calibration"]["batch"], 16) << fact;
  }
}

TEST_F(CalibrationCacheTest, ADamagedFileIsWrittenAnew) {
  calibrated();
  const std::string good = read_file(files().at(0));
  for (const std::string& bad : {std::string(), std::string("[]"), good.substr(0, good.size() / 2),
                                 std::string(1000, '\xff'), std::string("{\"of\": 3}")}) {
    write_durable(files().at(0), bad);
    EXPECT_EQ(calibrated().batch, 16);
    EXPECT_EQ(kept()["calibration"]["batch"], 16);
  }
  change([](ordered_json& text) { text["calibration"]["batch"] = -1; });
  EXPECT_EQ(calibrated().batch, 16);
  change([](ordered_json& text) { text["calibration"]["cpu_path"] = "of a later program"; });
  EXPECT_EQ(calibrated().cpu_path, "");
  change([](ordered_json& text) { text["format_version"] = 2; });
  EXPECT_EQ(calibrated().batch, 16);
  EXPECT_EQ(kept()["format_version"], 1);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(log_.str(), "");
}

TEST_F(CalibrationCacheTest, WithoutAPlaceToKeepItOneLineSaysSo) {
  write_durable(directory_.path() / "a", "a file where the directory should be");
  CalibrationCache cache(folder(), log_);
  EXPECT_EQ(cache.calibrate(network_, options_, {5, 5}).batch, 16);
  EXPECT_EQ(cache.calibrate(network_, options_, {7, 7}).batch, 16);
  const std::string said = log_.str();
  EXPECT_TRUE(said.starts_with("what was timed is not kept: ")) << said;
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
}

TEST_F(CalibrationCacheTest, AFileThatCannotBeReplacedIsNoErrorEither) {
  calibrated();
  const fs::path file = files().at(0);
  fs::remove(file);
  fs::create_directories(file / "below");
  EXPECT_EQ(calibrated().batch, 16);
  EXPECT_EQ(std::ranges::count(log_.str(), '\n'), 1) << log_.str();
}

TEST(CalibrationsDirectory, IsTheUsersCache) {
  const auto set = [](const char* cache, const char* home) {
    cache == nullptr ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", cache, 1);
    home == nullptr ? ::unsetenv("HOME") : ::setenv("HOME", home, 1);
    return calibrations_directory();
  };
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  EXPECT_EQ(set("/cache", "/home/me"), "/cache/tengen/calibrations");
  EXPECT_EQ(set(nullptr, "/home/me"), "/home/me/.cache/tengen/calibrations");
  EXPECT_EQ(set("relative", "/home/me"), "/home/me/.cache/tengen/calibrations");
  EXPECT_EQ(set("", nullptr), "");
  ::setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace tengen
