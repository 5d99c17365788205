#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "configs/option.h"
#include "rules/komi.h"

namespace tengen {

// Which games are played, and how much search their moves get: section [games]. Komi in points,
// drawn per game around a moving centre: centre + noise, noise uniform in `komi_uniform_share` of
// the games, else normal with the wide deviation in `komi_wide_share` of them, else normal with
// `komi_stdev`; normals are cut at three deviations (KataGo), the sum is rounded to half points and
// kept within area + 20.
struct GameOptions {
  std::vector<int> sizes = {9};                     // square board sizes
  std::vector<double> size_weights = {};            // relative frequency; empty: all alike
  std::string rules = "tromp-taylor suicide=none";  // one set, or several between '|'
  std::vector<double> rules_weights = {};           // relative frequency; empty: all alike
  bool play_out = false;
  double komi_mean = 7.0;
  double komi_stdev = 1.0;
  double komi_wide_share = 0.06;
  double komi_wide_stdev = 12.0;
  double komi_uniform_share = 0;
  double komi_uniform_width = 25.5;
  bool komi_follows_score = true;
  double handicap_share = 0;
  int handicap_max = 4;
  double handicap_balanced_share = 0.5;
  double opening_mean = 0.04;  // opening moves from the raw policy, mean as a share of the area
  double random_opening_share = 0;
  double random_opening_mean = 0.1;  // moves, as a share of the area
  double fork_share = 0;
  double fork_mean = 0.025;
  double late_fork_share = 0;
  std::string starts = "";
  double starts_share = 0;
  double balanced_share = 0.8;
  double opponent_share = 0;
  int opponents = 6;
  std::string change_nets_at = "game";
  double pass_alive_end_share = 0.98;
  double resign_below = 0;
  int resign_turns = 5;
  double resign_calibration_share = 0.1;
  double resign_wrong_share = 0.05;
  double move_cap = 2.5;  // plies as a multiple of the area
  double cheap_share = 0;
  int cheap_visits = 8;
  int reduced_visits = 0;
  double reduced_weight = 0.1;
  double reduce_above = 0.9;
  int reduce_turns = 3;
  int first_visits = 0;
  double full_visits_at = 0.7;
  int per_worker = 128;  // games in one pool
};

template <class Visit>
void for_each_budget_option(GameOptions& o, Visit visit) {
  visit("cheap_share", o.cheap_share,
        {"share of moves with a cheap search, without noise and without a row (playout-cap "
         "randomisation; KataGo has 0.75)",
         0, 1});
  visit("cheap_visits", o.cheap_visits,
        {"simulations of a cheap search (KataGo: a sixth of a full one)", 1, 100000});
  visit("reduced_visits", o.reduced_visits,
        {"simulations in games that are wholly decided, instead of resignation; 0: no fewer "
         "(KataGo: those of a cheap search)",
         0, 100000});
  visit("reduced_weight", o.reduced_weight, {"of the rows of such a search (KataGo)", 0, 1});
  visit("reduce_above", o.reduce_above,
        {"win - loss from which on a game counts as decided, more and more up to 1 (KataGo)", 0,
         0.999});
  visit("reduce_turns", o.reduce_turns,
        {"moves for which it must have been, of both sides (KataGo)", 1, 1000});
  visit("first_visits", o.first_visits,
        {"simulations when the run begins, growing by equal factors to search.visits; 0: those "
         "from the start",
         0, 100000});
  visit("full_visits_at", o.full_visits_at,
        {"share of the run's budget at which search.visits are reached (small searches learn more "
         "per evaluation at first: the curves of MiniZero, IEEE ToG 2024)",
         0, 1});
}

inline constexpr std::string_view kChangeNetsChoices[] = {"game", "move"};

template <class Visit>
void for_each_net_option(GameOptions& o, Visit visit) {
  visit("opponent_share", o.opponent_share,
        {"share of a run's games in which an earlier champion plays one side, whose moves give no "
         "rows: against going in circles (OpenAI Five, arXiv:1912.06680: 0.2)",
         0, 1});
  visit("opponents", o.opponents,
        {"newest earlier champions that take turns in it, one for each stretch of games", 1, 1000});
  visit("change_nets_at", o.change_nets_at,
        {.text = "where a new champion takes over: games that begin (\"game\"), or also the next "
                 "move of those under way (\"move\", as in KataGo, for long games)",
         .choices = kChangeNetsChoices});
}

template <class Visit>
void for_each_start_option(GameOptions& o, Visit visit) {
  visit("fork_share", o.fork_share,
        {"share of games after which a second one begins from an early position of theirs "
         "(KataGo: 0.04)",
         0, 1});
  visit("fork_mean", o.fork_mean,
        {"moves before such a fork: exponential, mean as a share of the area (KataGo)", 0, 1});
  visit("late_fork_share", o.late_fork_share,
        {"share of the other games that fork after any number of moves, all alike (KataGo: 0.01)",
         0, 1});
  visit("starts", o.starts,
        {"an SGF file, or a folder of them, from whose positions games begin; games with set-up "
         "stones are left out"});
  visit("starts_share", o.starts_share,
        {"share of even games that begin so, after any number of moves, all alike; 0: off", 0, 1});
  visit("balanced_share", o.balanced_share,
        {"share of forks and games from such positions whose komi the net's score makes even "
         "(KataGo's share for forks)",
         0, 1});
}

template <class Visit>
void for_each_option(GameOptions& o, Visit visit) {
  visit("sizes", o.sizes, {"board sizes; each game draws one", 2, 19});
  visit("size_weights", o.size_weights,
        {"relative frequency of each size; empty: all alike", 0, 1e6});
  visit(
      "rules", o.rules,
      {"a preset of `tengen rules`, and after it fields that differ; komi, board and handicap are "
       "told elsewhere (komi_mean, sizes, handicap_share). Stones that players would mark are "
       "played "
       "out. Several rule sets are parted by '|', each game draws one, and train.mixed_rules must "
       "be set; matches are played under the first"});
  visit("rules_weights", o.rules_weights,
        {"relative frequency of each rule set; empty: all alike", 0, 1e6});
  visit("play_out", o.play_out,
        {"play out what a judge would remove, too (dead=automatic, as in japanese-9x9)"});
  visit("komi_mean", o.komi_mean,
        {"points for White on average", -Komi::kMaxPoints, Komi::kMaxPoints});
  visit("komi_stdev", o.komi_stdev,
        {"points, normal, rounded to half points (KataGo's 9x9 value)", 0, Komi::kMaxPoints});
  visit("komi_wide_share", o.komi_wide_share,
        {"share of games with the wide deviation (KataGo)", 0, 1});
  visit("komi_wide_stdev", o.komi_wide_stdev, {"points", 0, Komi::kMaxPoints});
  visit("komi_uniform_share", o.komi_uniform_share,
        {"share of games with komi spread evenly around the centre", 0, 1});
  visit("komi_uniform_width", o.komi_uniform_width,
        {"points on either side of the centre in those games", 0, Komi::kMaxPoints});
  visit(
      "komi_follows_score", o.komi_follows_score,
      {"move the centre towards the median score of recent games, so that Black wins about half"});
  visit("handicap_share", o.handicap_share,
        {"share of games with two or more handicap stones on star points, where the board has "
         "them (KataGo: 0.1)",
         0, 1});
  visit("handicap_max", o.handicap_max, {"stones at most, all numbers from 2 alike", 2, 9});
  visit("handicap_balanced_share", o.handicap_balanced_share,
        {"share of handicap games whose komi makes up for the stones: twice komi_mean for each "
         "after the first (KataGo's share; it asks the net for the komi)",
         0, 1});
  visit("opening_mean", o.opening_mean,
        {"opening moves sampled from the raw policy: exponential, mean as a share of the area", 0,
         1});
  visit("random_opening_share", o.random_opening_share,
        {"share of games that open with evenly random moves instead: positions that sensible play "
         "never shows",
         0, 1});
  visit("random_opening_mean", o.random_opening_mean,
        {"moves of a random opening: evenly from none to twice this share of the area", 0, 1});
  for_each_start_option(o, visit);
  for_each_net_option(o, visit);
  visit("pass_alive_end_share", o.pass_alive_end_share,
        {"share of games that end as soon as every point is pass-alive (KataGo)", 0, 1});
  visit("resign_below", o.resign_below,
        {"highest win probability at which a side gives up; 0: nobody does, the default as in "
         "KataGo's self-play, for such rows have no score and no ownership",
         0, 0.5});
  visit("resign_turns", o.resign_turns,
        {"own moves in a row for which it must be below (KataGo's gatekeeper)", 1, 1000});
  visit("resign_calibration_share", o.resign_calibration_share,
        {"share of games that are played on whatever happens, to see what resigning would cost "
         "(AlphaGo Zero)",
         0, 1});
  visit("resign_wrong_share", o.resign_wrong_share,
        {"share of resignations that may be wrong: the threshold is the highest that would have "
         "kept to it (AlphaGo Zero)",
         0, 1});
  visit("move_cap", o.move_cap,
        {"plies after which a game is scored as it stands, times the area", 0.5, 100});
  for_each_budget_option(o, visit);
  visit("per_worker", o.per_worker, {"games played at once by one worker thread", 1, 65536});
}

}  // namespace tengen
