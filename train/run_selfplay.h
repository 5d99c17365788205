#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "selfplay/selfplay_session.h"
#include "train/run_context.h"

namespace tengen {

// The playing part of a run: games with the champion, shards, the parked games of a clean stop.
class SelfplayPart {
 public:
  // Takes up the games that an earlier clean stop parked.
  explicit SelfplayPart(RunContext& context);

  // Random games, once in a run, as configured: rows for value, ownership and score before any net
  // plays.
  void play_bootstrap();
  // Plays until so many rows more are written to shards, or until the run should stop; games under
  // way go on next time.
  void play(std::int64_t rows);
  // Writes what is finished and parks the games under way in parked/.
  void park();

  // Ids of nets that games under way still need.
  std::vector<std::string> nets_in_use() const;
  // Deletes shards that are older than `oldest_needed` and than the configured number of windows.
  void remove_old_shards(std::int64_t oldest_needed);

 private:
  void take(std::vector<GameRecord>&& finished);
  void write_shard_if_full(std::int64_t rows_wanted);
  void write(bool bootstrap);
  void follow_score();
  void log_stretch(double seconds, const struct StretchCounts& counts);

  RunContext& context_;
  std::unique_ptr<SelfplaySession> session_;
  std::vector<GameRecord> finished_;  // not written yet
  std::int64_t finished_rows_ = 0;
  std::vector<double> recent_margins_;  // Black's board margins without komi, newest last
};

}  // namespace tengen
