#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/option.h"
#include "eval/gate.h"
#include "nn/net_evaluator.h"
#include "selfplay/game_options.h"
#include "selfplay/search.h"
#include "train/train_options.h"

namespace tengen {

// Section [run].
struct RunOptions {
  std::int64_t seed = 1;
  int threads = 0;
  int training_threads = 0;
  double minutes = 0;
  std::int64_t evaluations = 0;
  std::int64_t samples = 0;
  int bootstrap_games = 0;
  std::int64_t rows_per_cycle = 4000;
  std::int64_t rows_per_shard = 4000;
  double minutes_per_shard = 30;
  double checkpoint_minutes = 5;
  int check_every = 5;
  int check_pairs = 10;
  int exam_every = 0;
  int keep_nets = 20;
  int keep_checkpoints = 3;
  double keep_windows = 2.0;
};

template <class Visit>
void for_each_option(RunOptions& o, Visit visit) {
  visit("seed", o.seed, {"of the whole run", 0, 9e15});
  visit("threads", o.threads, {"self-play workers; 0: one per core", 0, 1024});
  visit("training_threads", o.training_threads,
        {"threads of a training step; 0: as many as threads. Small nets gain nothing by more than "
         "one",
         0, 1024});
  visit("minutes", o.minutes, {"budget of working time, over restarts; 0: none", 0, 1e9});
  visit("evaluations", o.evaluations,
        {"budget of self-play network rows, over restarts; 0: none", 0, 1e15});
  visit("samples", o.samples, {"budget of rows trained on, over restarts; 0: none", 0, 1e15});
  visit("bootstrap_games", o.bootstrap_games,
        {"random games before the first net plays, for value, ownership and score", 0, 1e9});
  visit("rows_per_cycle", o.rows_per_cycle,
        {"rows recorded between two stretches of training, each ending in a new net", 1, 1e12});
  visit("rows_per_shard", o.rows_per_shard, {"rows after which a shard is written", 1, 1e9});
  visit("minutes_per_shard", o.minutes_per_shard,
        {"minutes after which a shard is written with the rows that there are; 0: rows alone say",
         0, 1e6});
  visit("checkpoint_minutes", o.checkpoint_minutes,
        {"longest time between checkpoints; 0: only after each cycle", 0, 1e6});
  visit("check_every", o.check_every,
        {"nets between small matches against the first net and an older one; 0: never", 0, 1e6});
  visit("check_pairs", o.check_pairs, {"pairs in such a match", 1, 10000});
  visit("exam_every", o.exam_every,
        {"nets between tries of the 5x5 exam, which ends the run for good when passed; 0: never", 0,
         1e6});
  visit("keep_nets", o.keep_nets,
        {"newest nets kept, besides the first, the champion and those in use", 1, 1e9});
  visit("keep_checkpoints", o.keep_checkpoints, {"newest checkpoints kept", 1, 1e9});
  visit("keep_windows", o.keep_windows,
        {"shards kept, in windows; at least the window itself", 1, 1e9});
}

// A whole config file.
struct RunConfig {
  RunOptions run;
  NetOptions net;
  EvaluatorOptions evaluator;
  GameOptions games;
  SearchOptions search;
  TrainOptions train;
  GateOptions gate;
};
template <class Visit>
void for_each_section(RunConfig& c, Visit visit) {
  visit("run", c.run, "the whole loop: budget, cycle, what is kept");
  visit("net", c.net, "the network");
  visit("evaluator", c.evaluator, "how the network is computed in play");
  visit("games", c.games, "which games are played");
  visit("search", c.search, "how a move is found in self-play");
  visit("train", c.train, "how the network learns");
  visit("gate", c.gate, "how a candidate becomes champion");
}

}  // namespace tengen
