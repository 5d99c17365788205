#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "selfplay/game_start.h"
#include "selfplay/record.h"

namespace tengen {

// What self-play has done. Finished games count when they are delivered.
struct SelfplayCounts {
  std::int64_t evaluations = 0;  // network rows asked for, also by games still under way
  std::int64_t games = 0;        // finished
  std::int64_t rows = 0;         // training rows of finished games
  std::int64_t moves = 0;        // of finished games, opening moves included
};

// When one stretch of play ends: at the first of these. Games under way stay under way, unless
// `end_index` stops new ones: then they are played to their ends.
struct PlayUntil {
  std::int64_t rows =
      std::numeric_limits<std::int64_t>::max();  // of games finished in this stretch
  std::int64_t games = std::numeric_limits<std::int64_t>::max();
  std::int64_t evaluations = std::numeric_limits<std::int64_t>::max();
  // Only games below this index begin; all of them finished ends the stretch.
  std::uint64_t end_index = std::numeric_limits<std::uint64_t>::max();
  // Asked on the caller's thread some ten times a second, for stop flags and status lines.
  std::function<bool()> should_stop = {};
};

// Self-play on N threads: each has GamePools of its own and an evaluator for each of them, and
// takes the next game index when a slot is free; nothing else is shared. Two pools of a thread take
// turns: while a device that works by itself (Evaluator::overlaps) answers one, the thread plays
// the games of the other. Threads live during play(); games stay where they are between calls. A
// finished game is a function of (settings, seed, index, nets), so what depends on the threads is
// only which games are finished when play() returns. One caller at a time.
class SelfplaySession {
 public:
  // Called on the caller's thread, once per pool, at set_evaluators.
  using EvaluatorFactory = std::function<std::shared_ptr<Evaluator>(int pool)>;
  // The evaluator of a parked game's net, or null if that net is gone. It may be the pool's own
  // current one; it is used by that pool only.
  using EvaluatorOfNet =
      std::function<std::shared_ptr<Evaluator>(int pool, const std::string& net)>;
  using OnGames = std::function<void(std::vector<GameRecord> games)>;

  // `games_per_worker` are those of all pools of a thread together. `next_index` is the first game
  // to be begun.
  SelfplaySession(int workers, int games_per_worker, std::uint64_t next_index = 0,
                  int pools_per_worker = 1);
  ~SelfplaySession();

  // For games that begin from now on; games under way keep theirs, and the evaluators of theirs
  // unless games.change_nets_at says otherwise.
  void set_settings(const SelfplaySettings& settings);  // throws UsageError
  void set_evaluators(const EvaluatorFactory& make);
  // Evaluators of the earlier net that plays one side of some games; nulls for none.
  void set_opponents(const EvaluatorFactory& make);

  // Plays until the first condition holds. `on_games` is called on this thread, while the workers
  // go on, with games as they finish; all of them have been given when play returns. An exception
  // in a worker, in on_games or in should_stop stops all workers and is thrown here.
  SelfplayCounts play(const PlayUntil& until, const OnGames& on_games);

  // The ids of the nets that games under way may still ask, and those that begin next; each once.
  // Not during play.
  std::vector<std::string> nets() const;

  // Gives up all games under way, in order of index, each at a move boundary.
  std::vector<GameRecord> park();
  // Takes parked games up again, spread over the pools. Returns how many were given up because
  // their net is gone. Throws Error if a record does not replay.
  int resume(std::vector<GameRecord> parked, const EvaluatorOfNet& evaluator_of);

  SelfplayCounts totals() const;     // since construction; up to date in on_games and should_stop
  std::uint64_t next_index() const;  // of the next game to be begun
  int pools() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
