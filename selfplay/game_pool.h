#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "selfplay/game_start.h"
#include "selfplay/record.h"

namespace tengen {

// Hundreds of games in lockstep on one thread: gather from all, evaluate in batches, absorb, play.
// Owns its games; uses the evaluators it is given. A game keeps the settings and the nets it began
// with, so a record is a function of (settings, seed, index, nets): not of slot, pool size, thread
// or time; but of when a new net came where games.change_nets_at = "move", which the record tells
// move by move. No locks; one caller at a time.
//
// Slots begin one after the other, in groups of a batch, over about one game's length: the ages of
// the games are mixed and batches are full from the start. That delays games, it changes none.
class GamePool {
 public:
  // Takes the index of the next game to start, or returns false when no game is to start now. It is
  // asked again at the next step. What pools share, they share in here.
  using NextGame = std::function<bool(std::uint64_t& index)>;

  GamePool(int slots, NextGame next_game);
  ~GamePool();
  GamePool(GamePool&&) noexcept;

  // What games that start from now on use; both are needed before the first step. The pool shares
  // ownership of an evaluator while games need it. Throws UsageError for settings of no use.
  void set_settings(const SelfplaySettings& settings);
  void set_evaluator(std::shared_ptr<Evaluator> evaluator);
  // The earlier net that plays one side in games.opponent_share of the games; null for none.
  void set_opponent(std::shared_ptr<Evaluator> opponent);

  // Puts parked games back on, under the settings in force now: a game that these end where it
  // stands, or would have ended earlier (a lower move cap), is finished as it is. `evaluator_of` is
  // asked for the nets that a game still needs; a game for which it answers null is given up, and
  // their number returned. The pool grows if it has too few free slots. Throws Error if a game does
  // not replay.
  using EvaluatorOfNet = std::function<std::shared_ptr<Evaluator>(const std::string& net)>;
  int resume(std::vector<GameRecord> parked, const EvaluatorOfNet& evaluator_of);

  // One step of all games: each gives at most one leaf. Appends finished games to `finished`.
  // Returns the number of network rows evaluated; 0 means that no game is under way and none was to
  // be had. If an evaluator throws, the games it should have served redo their move: the pool can
  // be stepped again or parked.
  int step(std::vector<GameRecord>& finished);
  // step in two halves, between which an evaluator that overlaps is at work: start plays up to the
  // next leaves and returns how many there are, finish takes the answers in and returns their
  // number, 0 if nothing was started. Nothing but finish comes after start. After an exception in
  // either, nothing is under way.
  int start(std::vector<GameRecord>& finished);
  int finish();

  // The ids of the nets that games under way may still ask, and those that begin now; each once.
  std::vector<std::string> nets() const;

  // Gives up all games under way: their records so far (end and score are not set), at a move
  // boundary. Searches begun are dropped and redone on resume, so the finished game is the same.
  std::vector<GameRecord> park();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
