#include "train/window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "rows.h"
#include "rules/rules_text.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

using RowName = std::pair<std::uint64_t, int>;  // game and ply
RowName name_of(const Sample& row) {
  return {row.game, row.ply};
}

TrainOptions everything() {
  TrainOptions options;
  options.window_min = 1000000;
  options.history_drop = 0;
  return options;
}

class WindowTest : public testing::Test {
 protected:
  Window window(const TrainOptions& options, std::uint64_t seed = 1) {
    return Window(shards_, options, seed, [this](const fs::path& path, const std::string& reason) {
      EXPECT_FALSE(reason.empty());
      damaged_.push_back(path);
    });
  }
  // Names of the training and the held-out rows of a shard.
  std::vector<RowName> rows_of(const ShardInfo& info, bool holdout) const {
    const std::int64_t training = info.rows - info.holdout_rows;
    std::vector<Sample> rows;
    ShardReader(shard_path(shards_, info))
        .read(holdout ? training : 0, holdout ? info.holdout_rows : training, rows);
    std::vector<RowName> names;
    for (const Sample& row : rows) names.push_back(name_of(row));
    return names;
  }

  TemporaryDirectory directory_;
  fs::path shards_ = directory_.path();
  std::vector<fs::path> damaged_;
};

std::vector<Sample> drawn(Window& window, int count) {
  std::vector<Sample> rows;
  window.draw(count, rows);
  return rows;
}

std::vector<RowName> names_drawn(Window& window, int count) {
  std::vector<RowName> names;
  for (const Sample& row : drawn(window, count)) names.push_back(name_of(row));
  return names;
}

TEST_F(WindowTest, NamesAShardOfOtherRules) {
  write_random_shard(shards_, 0, 3);
  const std::string ours = rule_set_text(parse_rules(GameOptions().rules));
  Window w = window(everything());
  EXPECT_FALSE(w.other_rules(ours).has_value());
  const ShardInfo info = write_random_shard(shards_, 1, 3, 0, "japanese");
  w.refresh();
  const auto other = w.other_rules(ours);
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->shard, shard_path(shards_, info));
  EXPECT_EQ(other->rule_set, rule_set_text(parse_rules("japanese")));
}

TEST_F(WindowTest, APassDrawsEveryTrainingRowOnceAndNoHeldOutOne) {
  std::set<RowName> training, held_out;
  for (int i = 0; i < 3; ++i) {
    const ShardInfo info = write_random_shard(shards_, i, 30, 0.2);
    EXPECT_GT(info.holdout_rows, 0);
    for (const RowName& row : rows_of(info, false)) training.insert(row);
    for (const RowName& row : rows_of(info, true)) held_out.insert(row);
  }
  TrainOptions options = everything();
  options.shuffle_rows = 256;  // several loads
  Window w = window(options);
  const int rows = static_cast<int>(training.size());
  ASSERT_EQ(w.rows_total(), rows);
  ASSERT_EQ(w.rows_in_window(), rows);
  for (int pass = 0; pass < 3; ++pass) {
    const std::vector<RowName> names = names_drawn(w, rows);
    EXPECT_EQ(std::set<RowName>(names.begin(), names.end()), training);
  }
  std::set<RowName> validation;
  for (const Sample& row : w.holdout(1000000)) validation.insert(name_of(row));
  EXPECT_EQ(validation, held_out);
}

TEST_F(WindowTest, HeldOutRowsComeNewestShardFirstInOneOrder) {
  write_random_shard(shards_, 0, 30, 0.3);
  const ShardInfo newer = write_random_shard(shards_, 1, 30, 0.3);
  const Window w = window(everything());
  const int count = static_cast<int>(newer.holdout_rows) + 1;
  const std::vector<Sample> rows = w.holdout(count);
  ASSERT_EQ(std::ssize(rows), count);
  EXPECT_EQ(name_of(rows[0]), rows_of(newer, true)[0]);
  EXPECT_LT(rows.back().game, 1000U);  // the last one is the older shard's
}

TEST_F(WindowTest, RowsOfOneBatchComeFromEverywhereInTheWindow) {
  for (int i = 0; i < 4; ++i) write_random_shard(shards_, i, 40);
  Window w = window(everything());
  std::map<std::uint64_t, int> per_shard;
  for (const RowName& row : names_drawn(w, 400)) ++per_shard[row.first / 1000];
  ASSERT_EQ(per_shard.size(), 4U);
  for (const auto& [shard, rows] : per_shard) EXPECT_NEAR(rows, 100, 45);  // 5 standard deviations
}

TEST_F(WindowTest, SymmetriesAreEvenlySpread) {
  write_random_shard(shards_, 0, 40);
  Window w = window(everything());
  std::map<RowName, Sample> originals;
  std::vector<Sample> stored;
  const ShardReader reader(list_shards(shards_)[0]);
  reader.read(0, reader.info().rows, stored);
  for (const Sample& row : stored) originals.emplace(name_of(row), row);

  // A row without symmetry of its own shows which one it was seen through.
  std::map<int, int> counts;
  int told_apart = 0;
  for (const Sample& row : drawn(w, 1600)) {
    std::vector<int> candidates;
    for (int s = 0; s < Symmetry::kCount; ++s) {
      const Sample seen = transformed(originals.at(name_of(row)), Symmetry(s));
      if (seen.features.planes == row.features.planes && seen.ownership == row.ownership) {
        candidates.push_back(s);
      }
    }
    ASSERT_FALSE(candidates.empty());
    if (candidates.size() > 1) continue;
    ++counts[candidates[0]];
    ++told_apart;
  }
  ASSERT_GT(told_apart, 400);
  double chi_square = 0;
  for (int s = 0; s < Symmetry::kCount; ++s) {
    const double expected = told_apart / 8.0;
    chi_square += std::pow(counts[s] - expected, 2) / expected;
  }
  EXPECT_LT(chi_square, 24.3);  // 7 degrees of freedom, 0.1 %
}

TEST_F(WindowTest, HistoryIsHiddenFromSomeRowsTheOldestMovesFirst) {
  write_random_shard(shards_, 0, 60);
  TrainOptions options = everything();
  Window whole = window(options);
  options.history_drop = 0.3;
  Window hiding = window(options);
  const auto a = drawn(whole, 2000), b = drawn(hiding, 2000);
  int all = 0, none = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(name_of(a[i]), name_of(b[i]));
    int shown = kHistoryPlies;  // the fewest moves of a's history that make b
    for (int plies = kHistoryPlies; plies >= 0; --plies) {
      Features features = a[i].features;
      hide_history(features, plies);
      if (features == b[i].features) shown = plies;
    }
    Features features = a[i].features;
    hide_history(features, shown);
    ASSERT_EQ(features, b[i].features);
    if (a[i].ply < kHistoryPlies) continue;  // not all of it is there
    ++all;
    none += shown == 0 ? 1 : 0;
  }
  ASSERT_GT(all, 1000);
  EXPECT_NEAR(none, 0.3 * all, 5 * std::sqrt(0.21 * all));
  // The same rows, laid out for a step.
  Window laid_out = window(options);
  Batch seen, expected;
  laid_out.draw(300, seen);
  fill_batch(std::span(b).first(300), expected);
  EXPECT_EQ(seen.planes, expected.planes);
  EXPECT_EQ(seen.scalars, expected.scalars);
}

TEST_F(WindowTest, TheWindowIsTheNewestRows) {
  std::vector<ShardInfo> infos;
  for (int i = 0; i < 4; ++i) infos.push_back(write_random_shard(shards_, i, 30));
  TrainOptions options;
  options.window_min = infos[3].rows + infos[2].rows / 2;
  options.window_slope = 0;
  Window w = window(options);
  const int rows = static_cast<int>(options.window_min);
  EXPECT_EQ(w.rows_in_window(), rows);
  std::vector<RowName> expected = rows_of(infos[2], false);
  expected.erase(expected.begin(), expected.end() - (rows - infos[3].rows));
  for (const RowName& row : rows_of(infos[3], false)) expected.push_back(row);
  const std::vector<RowName> names = names_drawn(w, rows);
  EXPECT_EQ(std::set<RowName>(names.begin(), names.end()),
            std::set<RowName>(expected.begin(), expected.end()));

  const std::vector<fs::path> removable = w.beyond(1);
  EXPECT_EQ(removable,
            (std::vector<fs::path>{shard_path(shards_, infos[0]), shard_path(shards_, infos[1])}));
  EXPECT_TRUE(w.beyond(10).empty());
}

TEST_F(WindowTest, RemovingWhatLiesBeyondChangesNoRowThatIsDrawn) {
  const TemporaryDirectory other;
  TrainOptions options;
  options.window_min = 100;
  options.window_scale = 100;
  Window pruned = window(options);
  Window whole(other.path(), options, 1, nullptr);
  int removed = 0;
  for (int i = 0; i < 12; ++i) {
    write_random_shard(shards_, i, 10, 0.1);
    write_random_shard(other.path(), i, 10, 0.1);
    ASSERT_EQ(pruned.refresh(), whole.refresh());
    for (const fs::path& shard : pruned.beyond(1)) removed += fs::remove(shard);
    ASSERT_EQ(pruned.refresh(), whole.refresh());
    ASSERT_EQ(pruned.rows_in_window(), whole.rows_in_window());
    const int rows = static_cast<int>(whole.rows_in_window());
    ASSERT_EQ(names_drawn(pruned, rows), names_drawn(whole, rows));
  }
  EXPECT_GT(removed, 3);
  EXPECT_LT(removed, 12);
  EXPECT_TRUE(damaged_.empty());
}

TEST_F(WindowTest, NewRowsHaveTheirFairShareAtOnce) {
  write_random_shard(shards_, 0, 60);
  Window w = window(everything());
  drawn(w, 100);
  const std::int64_t before = w.rows_total();
  write_random_shard(shards_, 1, 60);
  EXPECT_GT(w.refresh(), before);
  int newer = 0;
  for (const RowName& row : names_drawn(w, 400)) newer += row.first >= 1000;
  EXPECT_NEAR(newer, 200, 60);
}

TEST_F(WindowTest, TemporaryFilesAreNotShards) {
  const ShardInfo info = write_random_shard(shards_, 0, 10);
  std::ofstream(shards_ / "shard-00000001-w0-a.h5.tmp") << "half a shard";
  const Window w = window(everything());
  EXPECT_EQ(w.rows_total(), info.rows);
  EXPECT_TRUE(damaged_.empty());
}

TEST_F(WindowTest, ADirectoryThatIsNotThereYetHasNoRows) {
  shards_ /= "later";
  Window w = window(everything());
  EXPECT_EQ(w.rows_in_window(), 0);
  EXPECT_TRUE(w.beyond(1).empty());
  fs::create_directories(shards_);
  const ShardInfo info = write_random_shard(shards_, 0, 5);
  EXPECT_EQ(w.refresh(), info.rows);
}

TEST_F(WindowTest, AShardThatCannotBeOpenedIsReportedOnceAndLeftOut) {
  const ShardInfo good = write_random_shard(shards_, 0, 10);
  const fs::path bad = shard_path(shards_, write_random_shard(shards_, 1, 10));
  fs::resize_file(bad, 100);
  Window w = window(everything());
  w.refresh();
  EXPECT_EQ(damaged_, std::vector<fs::path>{bad});
  EXPECT_EQ(w.rows_total(), good.rows);
  for (const RowName& row : names_drawn(w, 100)) EXPECT_LT(row.first, 1000U);
}

TEST_F(WindowTest, AShardDamagedInsideIsFoundOnReadingAndTrainingGoesOn) {
  const ShardInfo good = write_random_shard(shards_, 0, 40);
  const fs::path bad = shard_path(shards_, write_random_shard(shards_, 1, 40));
  Window w = window(everything());
  ASSERT_GT(w.rows_in_window(), good.rows);
  damage(bad);
  for (const RowName& row : names_drawn(w, 300)) EXPECT_LT(row.first, 1000U);
  w.refresh();
  EXPECT_EQ(damaged_, std::vector<fs::path>{bad});
  EXPECT_EQ(w.rows_in_window(), good.rows);
}

TEST_F(WindowTest, NoUsableRowsAtAllIsAnError) {
  const fs::path bad = shard_path(shards_, write_random_shard(shards_, 0, 40));
  Window w = window(everything());
  damage(bad);
  EXPECT_THROW(drawn(w, 1), Error);
  EXPECT_EQ(damaged_, std::vector<fs::path>{bad});
}

TEST_F(WindowTest, TheStateGoesOnWithTheSameRows) {
  for (int i = 0; i < 3; ++i) write_random_shard(shards_, i, 40);
  TrainOptions options = everything();
  options.shuffle_rows = 256;
  Window straight = window(options);
  drawn(straight, 333);
  const std::string state = straight.state();
  EXPECT_LT(state.size(), 300U);
  Window resumed = window(options);
  resumed.set_state(state);
  for (int i = 0; i < 10; ++i) {
    Batch a, b;
    straight.draw(100, a);
    resumed.draw(100, b);
    EXPECT_EQ(a.planes, b.planes);
    EXPECT_EQ(a.score, b.score);
    EXPECT_EQ(a.window_state, b.window_state);
  }
}

TEST_F(WindowTest, AnotherShuffleBeginsANewPass) {
  for (int i = 0; i < 3; ++i) write_random_shard(shards_, i, 40);
  TrainOptions options = everything();
  options.shuffle_rows = 256;
  Window w = window(options);
  while (nlohmann::json::parse(w.state())["load"] < 2) drawn(w, 10);
  const std::string state = w.state();
  options.shuffle_rows = 100000;  // one load only
  Window resumed = window(options);
  resumed.set_state(state);
  const auto rows = static_cast<int>(resumed.rows_in_window());
  const auto names = names_drawn(resumed, rows);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), static_cast<std::size_t>(rows));
}

TEST_F(WindowTest, AStateBeyondThePassIsRefused) {
  write_random_shard(shards_, 0, 40);
  Window w = window(everything());
  drawn(w, 1);
  for (const int load : {-1, 1, 99}) {
    auto state = nlohmann::json::parse(w.state());
    state["load"] = load;
    EXPECT_EQ(error_of([&] { window(everything()).set_state(state.dump()); }),
              "state of the window: load: expected 0 to 0, found " + std::to_string(load));
  }
}

TEST_F(WindowTest, RowsOfADroppedShardStayCountedAcrossARestart) {
  write_random_shard(shards_, 0, 40);
  const fs::path bad = shard_path(shards_, write_random_shard(shards_, 1, 40));
  Window w = window(everything());
  const std::int64_t total = w.rows_total();
  damage(bad);
  const std::string before = w.state();
  drawn(w, 300);
  EXPECT_EQ(w.rows_total(), total);
  fs::remove(bad);
  for (const std::string& state : {before, w.state()}) {
    Window resumed = window(everything());
    resumed.set_state(state);
    EXPECT_EQ(resumed.rows_total(), total);
  }
}

TEST_F(WindowTest, TheStateGoesOnAlikeWhenShardsHaveCome) {
  write_random_shard(shards_, 0, 40);
  Window straight = window(everything());
  drawn(straight, 50);
  const std::string state = straight.state();
  write_random_shard(shards_, 1, 40);
  straight.refresh();
  Window resumed = window(everything());
  resumed.set_state(state);
  EXPECT_EQ(names_drawn(straight, 300), names_drawn(resumed, 300));
}

TEST_F(WindowTest, RemovedShardsStayCountedAcrossARestart) {
  std::vector<ShardInfo> infos;
  for (int i = 0; i < 3; ++i) infos.push_back(write_random_shard(shards_, i, 20));
  Window w = window(everything());
  const std::int64_t total = w.rows_total();
  fs::remove(shard_path(shards_, infos[0]));
  EXPECT_EQ(w.refresh(), total);
  const std::string state = w.state();
  fs::remove(shard_path(shards_, infos[1]));
  const ShardInfo later = write_random_shard(shards_, 3, 20);
  Window resumed = window(everything());
  resumed.set_state(state);
  EXPECT_EQ(resumed.rows_total(), total + later.rows);
}

TEST_F(WindowTest, AStateThatIsNoneIsRefused) {
  Window w = window(everything());
  EXPECT_THROW(w.set_state("{\"pass\": 1"), Error);
  EXPECT_THROW(w.set_state("{}"), Error);
}

}  // namespace
}  // namespace tengen
