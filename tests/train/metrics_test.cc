#include "train/metrics.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>

#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/processes.h"
#include "train/event_file.h"
#include "train/run_dir.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

std::vector<MetricRecord> records_in(const fs::path& directory, std::int64_t* skipped = nullptr) {
  std::vector<MetricRecord> records;
  const std::int64_t count =
      read_metrics(directory, [&](const MetricRecord& record) { records.push_back(record); });
  if (skipped) *skipped = count;
  return records;
}

TEST(Metrics, WhatIsAddedReadsBack) {
  const TemporaryDirectory directory;
  Metrics metrics(directory.path());
  metrics.add("train", 17, {{"loss", 1.25}, {"rows", 4000}, {"net", "3-\"ab\"\n"}});
  metrics.add("selfplay", 18, {{"games", std::int64_t{9'000'000'000}}});
  const std::vector<MetricRecord> records = records_in(directory.path());
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].kind, "train");
  EXPECT_EQ(records[0].step, 17);
  EXPECT_NEAR(records[0].time_s, static_cast<double>(std::time(nullptr)), 5);
  EXPECT_EQ(records[0].number("loss", 0), 1.25);
  EXPECT_EQ(records[0].number("rows", 0), 4000);
  EXPECT_EQ(records[0].number("none", -1), -1);
  EXPECT_EQ(records[0].text("net"), "3-\"ab\"\n");
  EXPECT_EQ(records[1].number("games", 0), 9e9);
}

TEST(Metrics, NumbersThatAreNotFiniteAreLeftOut) {
  const TemporaryDirectory directory;
  Metrics metrics(directory.path());
  metrics.add("train", 1, {{"loss", std::numeric_limits<double>::quiet_NaN()}, {"rows", 2}});
  const std::vector<MetricRecord> records = records_in(directory.path());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].number("loss", -1), -1);
  EXPECT_EQ(records[0].number("rows", -1), 2);
}

TEST(Metrics, ASecondStartAppends) {
  const TemporaryDirectory directory;
  for (int start = 0; start < 3; ++start) Metrics(directory.path()).add("train", start, {});
  const std::vector<MetricRecord> records = records_in(directory.path());
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[2].step, 2);
  int event_files = 0;
  for (const auto& entry : fs::directory_iterator(directory.path()))
    event_files += entry.path().filename().string().starts_with("events.out.tfevents.");
  EXPECT_EQ(event_files, 3);
}

// Wherever a kill cuts the last line, the lines before it and after it are whole.
TEST(Metrics, ATornLastLineIsSkippedAndNothingIsLost) {
  const std::string first = R"({"kind":"train","step":1,"time":2.5,"loss":1.0})";
  for (std::size_t length = 0; length <= first.size(); ++length) {
    const TemporaryDirectory directory;
    std::ofstream(directory.path() / "metrics.jsonl") << first << "\n" << first.substr(0, length);
    const std::int64_t torn = length == 0 || length == first.size() ? 0 : 1;
    std::int64_t skipped = -1;
    EXPECT_EQ(records_in(directory.path(), &skipped).size(), length == first.size() ? 2U : 1U);
    EXPECT_EQ(skipped, torn);

    Metrics(directory.path()).add("train", 2, {});
    const std::vector<MetricRecord> records = records_in(directory.path(), &skipped);
    EXPECT_EQ(records.size(), length == first.size() ? 3U : 2U) << length;
    EXPECT_EQ(records.back().step, 2);
    EXPECT_EQ(skipped, torn);
    EXPECT_TRUE(read_file(directory.path() / "metrics.jsonl").starts_with(first + "\n"));
  }
}

TEST(Metrics, ManyProcessesWriteWholeLines) {
  const TemporaryDirectory directory;
  const std::string text(6000, 'x');  // more than a page, so that lines could interleave
  EXPECT_EQ(run_in_processes(8,
                             [&](int process) {
                               for (int i = 0; i < 50; ++i) {
                                 // Each start looks for a torn line while others write.
                                 Metrics(directory.path()).add("train", process, {{"text", text}});
                               }
                             }),
            8);
  std::int64_t skipped = -1;
  EXPECT_EQ(records_in(directory.path(), &skipped).size(), 400U);
  EXPECT_EQ(skipped, 0);
}

TEST(Metrics, ALineThatAnotherProcessLeftTornCostsNoRecord) {
  const TemporaryDirectory directory;
  Metrics metrics(directory.path());
  metrics.add("train", 1, {});
  std::ofstream(directory.path() / "metrics.jsonl", std::ios::app) << R"({"kind":"tra)";
  metrics.add("train", 2, {});
  std::int64_t skipped = -1;
  EXPECT_EQ(records_in(directory.path(), &skipped).size(), 2U);
  EXPECT_EQ(skipped, 1);
}

TEST(Metrics, WhatWasAddedIsThereAfterAKill) {
  const TemporaryDirectory directory;
  const pid_t child = ::fork();
  if (child == 0) {
    Metrics metrics(directory.path());
    for (int step = 0; step < 100; ++step) metrics.add("train", step, {{"loss", 0.5}});
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(records_in(directory.path()).size(), 100U);
}

TEST(Metrics, NoFileMeansNoRecords) {
  const TemporaryDirectory directory;
  std::int64_t skipped = -1;
  EXPECT_TRUE(records_in(directory.path(), &skipped).empty());
  EXPECT_EQ(skipped, 0);
}

TEST(Metrics, ADirectoryThatIsNotThereIsAnError) {
  EXPECT_THROW(Metrics("/no/such/directory"), Error);
}

// RFC 3720, appendix B.4, and the usual check value.
TEST(EventFile, Crc32cHasTheKnownValues) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
}

// A record written out by hand: Event { wall_time 1.5, step 300, summary { "a/b" = 0.25 } }.
TEST(EventFile, RecordsAreFramedProtobuf) {
  const TemporaryDirectory directory;
  EventFile file(directory.path(), 1.0);
  const std::string before = read_file(file.path());
  const std::vector<EventFile::Scalar> scalars = {{"a/b", 0.25}};
  file.add(1.5, 300, scalars);
  const std::string record = read_file(file.path()).substr(before.size());

  const std::string event = std::string("\x09\0\0\0\0\0\0\xf8\x3f", 9) +  // 1: double 1.5
                            "\x10\xac\x02" +                              // 2: varint 300
                            "\x2a\x0c" +                                  // 5: 12 bytes
                            "\x0a\x0a" +                                  // 1: 10 bytes
                            "\x0a\x03" + "a/b" +                          // 1: "a/b"
                            std::string("\x15\0\0\x80\x3e", 5);           // 2: float 0.25
  ASSERT_EQ(record.size(), 8 + 4 + event.size() + 4);
  EXPECT_EQ(record.substr(0, 8), std::string("\x1a\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(event.size(), 0x1aU);
  EXPECT_EQ(record.substr(12, event.size()), event);
  const auto stored = [&record](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, record.data() + at, 4);
    return value;
  };
  EXPECT_EQ(stored(8), masked_crc32c(record.substr(0, 8)));
  EXPECT_EQ(stored(12 + event.size()), masked_crc32c(event));
}

}  // namespace
}  // namespace tengen
