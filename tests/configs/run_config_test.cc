#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "configs/reader.h"
#include "train/run_options.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

TEST(RunConfig, DefaultsReadBackTheSame) {
  const std::string text = to_toml(RunConfig{}, true);
  const fs::path file =
      fs::temp_directory_path() / ("tengen_run_config_test_" + std::to_string(::getpid()));
  std::ofstream(file) << text;
  RunConfig config;
  read_config(file, {}, config);
  EXPECT_EQ(to_toml(config, true), text);
  fs::remove(file);
}

TEST(RunConfig, EveryKeyIsExplainedAndUniqueAndItsDefaultIsInRange) {
  RunConfig config;
  std::set<std::string> keys;
  for (const SectionEntry& section : list_options(config)) {
    EXPECT_FALSE(section.text.empty()) << section.name;
    for (const OptionEntry& option : section.options) {
      EXPECT_TRUE(keys.insert(section.name + "." + option.key).second) << option.key;
      EXPECT_FALSE(option.doc.text.empty()) << section.name << "." << option.key;
    }
  }
  EXPECT_GT(keys.size(), 50U);
}

TEST(RunConfig, EveryReadyConfigIsValid) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(TENGEN_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".toml") continue;
    RunConfig config;
    EXPECT_NO_THROW(read_config(entry.path(), {}, config)) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 4);
}

TEST(RunConfig, ReportsAMisspeltKeyOfAReadyConfig) {
  RunConfig config;
  try {
    read_config("", {"search.visit=8"}, config);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "--set search.visit=8: unknown key search.visit; nearest: search.visits");
  }
}

}  // namespace
}  // namespace tengen
