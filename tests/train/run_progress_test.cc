#include "train/run_progress.h"

#include <gtest/gtest.h>

#include <chrono>

#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

// Keeps the counters of a role, as if `age_s` seconds ago.
void keep(const fs::path& directory, const std::string& role, const RunProgress& progress,
          int age_s) {
  const auto file = progress_file(directory, role);
  write_durable(file, to_json(progress));
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(age_s));
}

TEST(RunProgress, TheWholeLoopPlaysAsWorkerW0) {
  EXPECT_EQ(progress_file("d", ""), fs::path("d/progress.json"));
  EXPECT_EQ(progress_file("d", "selfplay-w0"), fs::path("d/progress.json"));
  EXPECT_EQ(progress_file("d", "selfplay-w00"), fs::path("d/progress-selfplay-w00.json"));
  EXPECT_EQ(progress_file("d", "train"), fs::path("d/progress-train.json"));
}

TEST(RunProgress, TotalsAreOfAllProcesses) {
  const TemporaryDirectory directory;
  keep(directory.path(), "selfplay-w0",
       {.seconds = 90,
        .evaluations = 1000,
        .games = 10,
        .rows = 300,
        .training_rows = 280,
        .steps = 4,
        .samples = 64,
        .komi_centre = 5,
        .nets_promoted = 1,
        .stopped = "asked to"},
       2);
  keep(directory.path(), "selfplay-w1",
       {.seconds = 60,
        .evaluations = 500,
        .games = 5,
        .rows = 150,
        .training_rows = 150,
        .komi_centre = 6},
       1);
  keep(directory.path(), "train", {.seconds = 70, .steps = 20, .samples = 320, .rows_lost = 30}, 0);
  keep(directory.path(), "gate", {.nets_promoted = 2, .exam_passed = true}, 3);

  const auto total = total_progress(directory.path());
  EXPECT_EQ(total.seconds, 90);
  EXPECT_EQ(total.evaluations, 1500);
  EXPECT_EQ(total.games, 15);
  EXPECT_EQ(total.rows, 450);
  EXPECT_EQ(total.training_rows, 430);
  EXPECT_EQ(total.steps, 20);
  EXPECT_EQ(total.samples, 320);
  EXPECT_EQ(total.rows_lost, 30);
  EXPECT_EQ(total.nets_promoted, 3);
  EXPECT_TRUE(total.exam_passed);
  EXPECT_EQ(total.komi_centre, 6) << "of the worker that wrote last";
  EXPECT_EQ(total.stopped, "") << "training wrote last, and goes on";

  const auto others =
      total_progress(directory.path(), progress_file(directory.path(), "selfplay-w1"));
  EXPECT_EQ(others.evaluations, 1000);
  EXPECT_EQ(others.komi_centre, 5);
}

TEST(RunProgress, GoesThroughAFile) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "progress.json";
  write_durable(file, to_json({.games = 7, .next_game = 12, .next_shard = 3, .attempt = 2}));
  const auto read = read_progress(file);
  EXPECT_EQ(read.games, 7);
  EXPECT_EQ(read.next_game, 12U);
  EXPECT_EQ(read.next_shard, 3);
  EXPECT_EQ(read.attempt, 2);
  write_durable(file, "{}");
  EXPECT_TRUE(error_of([&] { read_progress(file); }).starts_with(file.string() + ": field '"));
}

}  // namespace
}  // namespace tengen
