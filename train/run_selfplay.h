#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "selfplay/resignation.h"
#include "selfplay/selfplay_session.h"
#include "train/run_context.h"

namespace tengen {

// The playing part of a run: games with the champion, shards, the parked games of a clean stop.
class SelfplayPart {
 public:
  // `worker` names the writer of shards. Takes up the games that an earlier clean stop parked.
  SelfplayPart(RunContext& context, std::string worker);

  // Random games, as many as a run should begin with, all its workers together: rows for value,
  // ownership and score before any net plays. Workers that start at once share them, and may each
  // play a shard more.
  void play_bootstrap();
  // Plays with the champion until so many more rows are written to shards, until so many more games
  // are finished, or until the run should stop. Games under way go on next time.
  void play(std::int64_t rows, std::int64_t games = std::numeric_limits<std::int64_t>::max());
  // Writes what is finished and parks the games under way.
  void park();

  // Ids of the nets that games under way may still ask.
  std::vector<std::string> nets_in_use() const { return session_.nets(); }

 private:
  void require_counters() const;
  void resume_parked();
  void use_champion();
  void choose_opponent();
  void publish_nets();
  void take(std::vector<GameRecord> games);
  void write();
  bool shard_is_late() const;
  SelfplaySettings settings() const;
  void follow_score();
  void record_stretch(double seconds, std::int64_t evaluations, std::span<const GameRecord> games);
  std::filesystem::path parked_file() const;
  std::filesystem::path nets_file() const;

  RunContext& context_;
  std::string worker_;
  SelfplaySettings settings_;  // of the config; settings() is what is in force
  SelfplaySession session_;
  std::string champion_;   // that games begin with
  std::string opponent_;   // id of the earlier champion of this stretch, or empty
  std::string published_;  // in nets_file()
  std::vector<std::shared_ptr<Evaluator>> evaluators_;  // of the newest, one a pool
  std::vector<GameRecord> finished_;                    // not in a shard yet
  std::int64_t finished_rows_ = 0;
  std::chrono::steady_clock::time_point last_shard_ = std::chrono::steady_clock::now();
  ResignCalibration resignation_;  // begins anew with each start
  std::vector<double> margins_;    // Black's margins without komi of recent games, newest last
};

}  // namespace tengen
