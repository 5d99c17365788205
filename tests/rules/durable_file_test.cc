#include "rules/durable_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "rules/check.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

const auto all = [](std::string_view) { return true; };

int files_in(const fs::path& directory) {
  return static_cast<int>(std::distance(fs::directory_iterator(directory), {}));
}

TEST(ReadFile, GivesEveryByteOfFilesOfAllLengths) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "file";
  for (const std::size_t length : {0, 1, 65535, 65536, 65537, 200000}) {
    std::string bytes(length, '\0');
    for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<char>(i * i >> 3);
    write_durable(path, bytes);
    EXPECT_TRUE(read_file(path) == bytes) << length;
  }
}

TEST(ReadFile, FailsByNameWithTheReason) {
  const TemporaryDirectory directory;
  const fs::path missing = directory.path() / "none";
  EXPECT_EQ(error_of([&] { read_file(missing); }),
            missing.string() + ": cannot be read: No such file or directory");
  EXPECT_EQ(error_of([&] { read_file(directory.path()); }),
            directory.path().string() + ": cannot be read: Is a directory");
}

TEST(WriteDurable, ReplacesTheWholeFileAndLeavesNothingElse) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "champion.json";
  write_durable(path, "a long first text");
  write_durable(path, std::string("two\0", 4));
  EXPECT_EQ(read_file(path), std::string("two\0", 4));
  EXPECT_EQ(files_in(directory.path()), 1);
}

TEST(WriteDurable, PutsPartsOneAfterAnother) {
  const TemporaryDirectory directory;
  const std::array<std::string_view, 3> parts = {"one ", "", "two"};
  write_durable(directory.path() / "file", parts);
  EXPECT_EQ(read_file(directory.path() / "file"), "one two");
}

// A reader sees one of the two texts, whole, however the writers are interleaved.
TEST(WriteDurable, ReadersNeverSeeAPart) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "file";
  const std::string a(100'000, 'a');
  const std::string b(50'000, 'b');
  write_durable(path, a);
  {
    std::jthread first([&] {
      for (int i = 0; i < 20; ++i) write_durable(path, a);
    });
    std::jthread second([&] {
      for (int i = 0; i < 20; ++i) write_durable(path, b);
    });
    for (int i = 0; i < 200; ++i) {
      const std::string text = read_file(path);
      ASSERT_TRUE(text == a || text == b) << text.size();
    }
  }
  EXPECT_EQ(files_in(directory.path()), 1);
}

TEST(WriteDurable, FailsByNameAndLeavesWhatWasThere) {
  const TemporaryDirectory directory;
  const fs::path missing = directory.path() / "none" / "file";
  EXPECT_EQ(error_of([&] { write_durable(missing, "x"); }),
            missing.string() + ": cannot be written: No such file or directory");
  const fs::path occupied = directory.path() / "occupied";
  fs::create_directories(occupied / "inside");
  EXPECT_EQ(error_of([&] { write_durable(occupied, "x"); }),
            occupied.string() + ": cannot be written: Is a directory");
  EXPECT_EQ(files_in(directory.path()), 1);
  EXPECT_EQ(error_of([&] { rename_durable(missing, directory.path() / "new"); }),
            (directory.path() / "new").string() + ": cannot be written: No such file or directory");
}

TEST(WriteDurable, ReplacesNoPipe) {
  const TemporaryDirectory directory;
  const fs::path pipe = directory.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { write_durable(pipe, "x"); }),
            pipe.string() + ": expected a file, found a device, pipe or socket");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(Draft, ADirectoryAppearsWithItsFiles) {
  const TemporaryDirectory directory;
  const fs::path net = directory.path() / "net-000012-3f9a0c7e";
  {
    Draft draft(net);
    EXPECT_EQ(draft.path().parent_path(), directory.path());
    fs::create_directory(draft.path());
    write_durable(draft.path() / "net.json", "{}");
    EXPECT_FALSE(fs::exists(net));
    draft.publish();
  }
  EXPECT_EQ(read_file(net / "net.json"), "{}");
  EXPECT_EQ(files_in(directory.path()), 1);
}

TEST(Draft, WhatIsNotPublishedIsRemoved) {
  const TemporaryDirectory directory;
  {
    const Draft draft(directory.path() / "net");
    fs::create_directory(draft.path());
    write_durable(draft.path() / "net.json", "{}");
    const Draft never_made(directory.path() / "file");
  }
  EXPECT_EQ(files_in(directory.path()), 0);
}

TEST(Draft, NoTwoHaveOneName) {
  const Draft a("file"), b("file");
  EXPECT_NE(a.path(), b.path());
}

TEST(RemoveDrafts, NamesTheDirectoryThatIsNotThere) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "gone";
  EXPECT_EQ(error_of([&] { remove_drafts(path, all); }),
            path.string() + ": cannot be cleaned: No such file or directory");
}

TEST(RemoveDrafts, TakesWhatAKillLeftAndNothingElse) {
  const TemporaryDirectory directory;
  const pid_t child = ::fork();
  if (child == 0) {
    const Draft net(directory.path() / "checkpoint-00000001");
    fs::create_directory(net.path());
    write_durable(net.path() / "state.json", "{}");
    const Draft file(directory.path() / "champion.json");
    std::ofstream(file.path()) << "{";
    std::ofstream(directory.path() / "notes.tmp") << "a person's";
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  write_durable(directory.path() / ".hidden", "x");
  ASSERT_EQ(files_in(directory.path()), 4);
  remove_drafts(directory.path(), [](std::string_view name) { return name == "champion.json"; });
  EXPECT_EQ(files_in(directory.path()), 3);
  remove_drafts(directory.path(), all);
  EXPECT_EQ(files_in(directory.path()), 2);
  EXPECT_TRUE(fs::exists(directory.path() / "notes.tmp"));
}

}  // namespace
}  // namespace tengen
