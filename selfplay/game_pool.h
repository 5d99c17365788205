#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "selfplay/game_options.h"
#include "selfplay/record.h"
#include "selfplay/search.h"

namespace tengen {

// How the games of one stretch of self-play are played. Game `index` is a function of these, `seed`
// and the net.
struct SelfplaySettings {
  GameOptions games;
  SearchOptions search;
  std::uint64_t seed = 0;
  double komi_centre = 7.0;  // in force for games that start now (moves with komi_follows_score)
};

// A game under way, as it is parked by a clean stop: everything at a move boundary.
struct ParkedGame {
  GameRecord record;  // moves so far
  double komi_centre = 0;
};

// Hundreds of games in lockstep on one thread: gather from all, evaluate in batches, absorb, play.
// Owns its games; uses the evaluators it is given. A game keeps the net it began with. No locks;
// `next_index` is the only thing shared with other pools.
class GamePool {
 public:
  // Takes the index of the next game to start, or returns false when no more games are to start.
  using NextGame = std::function<bool(std::uint64_t& index)>;

  GamePool(int slots, NextGame next_game);
  ~GamePool();

  // What games that start from now on use. The pool shares ownership of the evaluator while games
  // need it.
  void set_settings(const SelfplaySettings& settings);
  void set_evaluator(std::shared_ptr<Evaluator> evaluator);

  // Puts parked games back on; all of them began with `evaluator`'s net. Requires free slots for
  // them.
  void resume(std::vector<ParkedGame> parked, std::shared_ptr<Evaluator> evaluator);

  // One step of all games: each gives at most one leaf. Appends finished games to `finished`.
  // Returns the number of network rows evaluated, 0 when there is nothing left to play.
  int step(std::vector<GameRecord>& finished);

  // Gives up all games under way for parking. Searches begun are dropped and redone on resume.
  std::vector<ParkedGame> park();
  int games_under_way() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One uniformly random game for bootstrap rows: every move is recorded without policy.
GameRecord random_game(const SelfplaySettings& settings, std::uint64_t index);

}  // namespace tengen
