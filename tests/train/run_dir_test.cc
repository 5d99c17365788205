#include "train/run_dir.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <regex>

#include "rules/durable_file.h"
#include "rules/program.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"
#include "tests/processes.h"
#include "train/run_info.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

TEST(RunDirectory, RefusesAPlaceThatCannotBeOne) {
  const TemporaryDirectory directory;
  create_run_directory(directory.path() / "a" / "b");
  EXPECT_TRUE(fs::is_directory(directory.path() / "a" / "b"));
  std::ofstream(directory.path() / "file") << "x";
  EXPECT_NE(error_of([&] { create_run_directory(directory.path() / "file"); }), "");
  EXPECT_NE(error_of([&] { create_run_directory(directory.path() / "file" / "below"); }), "");
  EXPECT_NE(error_of([&] { create_run_directory("/proc/no-run"); }), "");
}

TEST(RunLock, ASecondRunIsRefusedByNameUntilTheFirstEnds) {
  const TemporaryDirectory directory;
  EXPECT_EQ(run_lock_holder(directory.path()), "");
  {
    const RunLock lock(directory.path());
    const std::string message = error_of([&] { RunLock second(directory.path()); });
    const std::regex expected(".*: already in use by a run \\(pid " + std::to_string(::getpid()) +
                              " on .*, since 20..-..-..T..:..:..Z\\); .*STOP");
    EXPECT_TRUE(std::regex_match(message, expected)) << message;
    EXPECT_TRUE(run_lock_holder(directory.path()).starts_with("pid "));
  }
  EXPECT_EQ(run_lock_holder(directory.path()), "");
  EXPECT_NO_THROW(RunLock(directory.path()));
}

TEST(RunLock, WhatAKilledRunLeftIsNoObstacle) {
  const TemporaryDirectory directory;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RunLock lock(directory.path());
    [[maybe_unused]] const auto written = ::write(ready[1], "x", 1);
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(run_lock_holder(directory.path()).find("pid " + std::to_string(child)), 0U);
  EXPECT_THROW(RunLock(directory.path()), Error);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_NE(read_file(directory.path() / "run.lock"), "");
  EXPECT_EQ(run_lock_holder(directory.path()), "");
  EXPECT_NO_THROW(RunLock(directory.path()));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(RunLock, TellsWhichPartsAreAtWork) {
  const TemporaryDirectory directory;
  const RunLock gate(directory.path(), "gate");
  const RunLock worker(directory.path(), "selfplay-w1");
  { const RunLock ended(directory.path(), "train"); }
  const FileLock no_part(directory.path() / "run.json.lock");
  EXPECT_EQ(parts_at_work(directory.path()), (std::vector<std::string>{"gate", "selfplay-w1"}));
}

TEST(FileLock, OneAtATime) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "count";
  std::ofstream(path) << 0;
  const auto count = [&] {
    int value = -1;
    std::ifstream(path) >> value;
    return value;
  };
  EXPECT_EQ(run_in_processes(8,
                             [&](int) {
                               for (int i = 0; i < 50; ++i) {
                                 const FileLock lock(directory.path() / "lock");
                                 const int before = count();
                                 std::ofstream(path) << before + 1;
                               }
                             }),
            8);
  EXPECT_EQ(count(), 400);
  EXPECT_THROW(FileLock(directory.path() / "no" / "lock"), Error);
}

TEST(RunInfo, KeepsTheStartsAndFactsOfManyProcessesAtOnce) {
  const TemporaryDirectory directory;
  constexpr int kProcesses = 24;
  EXPECT_EQ(run_in_processes(kProcesses,
                             [&](int i) {
                               RunInfo info;
                               info.command = std::to_string(i);
                               record_start(directory.path(), info);
                               set_run_fact(directory.path(), "fact" + std::to_string(i), "true");
                             }),
            kProcesses);
  const std::string starts = run_fact(directory.path(), "starts");
  for (int i = 0; i < kProcesses; ++i) {
    EXPECT_NE(starts.find("\"command\":\"" + std::to_string(i) + "\""), std::string::npos) << i;
    EXPECT_EQ(run_fact(directory.path(), "fact" + std::to_string(i)), "true") << i;
  }
  EXPECT_EQ(record_start(directory.path(), {}), kProcesses + 1);
}

TEST(RunInfo, KeepsTheFirstStartAndListsAll) {
  const TemporaryDirectory directory;
  RunInfo info{"2.11.0", "none", {"cpu"}, 7, 2, "tengen run --dir x", "[run]\n"};
  write_durable(directory.path() / ".config.toml.0123456789abcdef.tmp", "half");  // of a kill
  EXPECT_EQ(record_start(directory.path(), info), 1);
  EXPECT_EQ(read_file(directory.path() / "config.toml"), "[run]\n");
  EXPECT_FALSE(std::filesystem::exists(directory.path() / ".config.toml.0123456789abcdef.tmp"));
  set_run_fact(directory.path(), "calibration", R"({"batch": 64})");
  info.command = "tengen run --dir x --set run.minutes=6";
  EXPECT_EQ(record_start(directory.path(), info), 2);

  EXPECT_EQ(run_fact(directory.path(), "seed"), "7");
  EXPECT_EQ(run_fact(directory.path(), "libtorch"), "\"2.11.0\"");
  EXPECT_EQ(run_fact(directory.path(), "command"), "\"tengen run --dir x\"");
  EXPECT_EQ(run_fact(directory.path(), "calibration"), R"({"batch":64})");
  EXPECT_EQ(run_fact(directory.path(), "none"), "");
  const std::string starts = run_fact(directory.path(), "starts");
  EXPECT_NE(starts.find("run.minutes=6"), std::string::npos) << starts;
  EXPECT_NE(starts.find("\"pid\":" + std::to_string(::getpid())), std::string::npos);
}

TEST(RunInfo, RefusesADamagedFileByName) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "run.json";
  std::ofstream(path) << "{\"seed\": 7";
  EXPECT_TRUE(error_of([&] {
                record_start(directory.path(), {});
              }).starts_with(path.string() + ": not JSON: "));
  write_durable(path, "{\"format_version\": 2}");
  EXPECT_EQ(error_of([&] { run_fact(directory.path(), "seed"); }),
            path.string() + ": format_version 2, this program knows 1");
}

TEST(RunInfo, TellsVersionAndGitHash) {
  EXPECT_TRUE(std::regex_match(std::string(version()), std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")));
  EXPECT_TRUE(
      std::regex_match(std::string(git_hash()), std::regex("unknown|[0-9a-f]{12}(-dirty)?")))
      << git_hash();
}

}  // namespace
}  // namespace tengen
