#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/sample.h"
#include "train/batch.h"
#include "train/catalog.h"
#include "train/schedule.h"
#include "train/train_options.h"

namespace tengen {

// The newest rows of a directory of shards and a row-level shuffle over them. The window is the
// newest window_rows(rows_total()) training rows, bootstrap rows counted, held-out rows not.
//
// A pass goes through the whole window once, in blocks of kShardBlockRows in random order; a load
// of about `shuffle_rows` rows' worth of blocks from everywhere in the window is in memory at a
// time and is given out in random order, each row seen through a random symmetry and with a random
// length of history (TrainOptions::history_drop). When refresh() finds another window, a new pass
// begins, so that new rows have their fair share at once and the rows in memory are always a fair
// sample of the window as it is now. One user at a time.
class Window {
 public:
  // `shards` need not exist yet. Looks for shards at once.
  Window(std::filesystem::path shards, const TrainOptions& options, std::uint64_t seed,
         OnDamaged on_damaged);
  ~Window();

  // Looks for new shards and forgets removed ones. Returns rows_total().
  std::int64_t refresh();
  // Training rows ever made: in the shards here, and in those that retention removed while this
  // window, or one whose state it was given, knew them.
  std::int64_t rows_total() const;
  std::int64_t rows_in_window() const;
  // Shards that lie wholly before the newest `windows` * rows_in_window() rows, oldest first: what
  // retention may remove. Requires windows >= 1.
  std::vector<std::filesystem::path> beyond(double windows) const;

  // A shard with games of another rule set (rule_set_text) than this, if there is one.
  struct OtherRules {
    std::filesystem::path shard;
    std::string rule_set;
  };
  std::optional<OtherRules> other_rules(std::string_view rule_set) const;
  // A shard whose rows show other features than these.
  std::optional<std::filesystem::path> other_features(FeatureSchema features) const;

  // Draws `count` random training rows, each seen through a random symmetry. Requires rows in the
  // window; throws Error when none of them can be read.
  void draw(int count, std::vector<Sample>& out);
  // The same rows, laid out for a step, with `window_state` filled in.
  void draw(int count, Batch& out);
  // Rows held out, at most `count`, newest shards first, always in one order, as they were played.
  std::vector<Sample> holdout(int count) const;

  // Position of the shuffle as one line of JSON of a fixed small size. A window with the same seed,
  // options and shards goes on with exactly the same rows after set_state. If the shards have
  // changed since, it begins a new pass over what is there, as refresh() would have made it.
  // set_state throws Error if `state` is not such a line.
  std::string state() const;
  void set_state(const std::string& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
