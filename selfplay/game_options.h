#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "configs/option.h"
#include "rules/komi.h"

namespace tengen {

// Which games are played: section [games]. Komi in points, drawn per game around a moving centre:
// centre + noise, noise uniform in `komi_uniform_share` of the games, else normal with the wide
// deviation in `komi_wide_share` of them, else normal with `komi_stdev`; normals are cut at three
// deviations (KataGo), the sum is rounded to half points and kept within area + 20.
struct GameOptions {
  std::vector<int> sizes = {9};           // square board sizes
  std::vector<double> size_weights = {};  // relative frequency; empty: all alike
  std::string rules = "tromp-taylor suicide=none";
  bool play_out = false;
  double komi_mean = 7.0;
  double komi_stdev = 1.0;
  double komi_wide_share = 0.06;
  double komi_wide_stdev = 12.0;
  double komi_uniform_share = 0;
  double komi_uniform_width = 25.5;
  bool komi_follows_score = true;
  double opening_mean = 0.04;  // opening moves from the raw policy, mean as a share of the area
  double random_opening_share = 0;
  double random_opening_mean = 0.1;  // moves, as a share of the area
  double pass_alive_end_share = 0.98;
  double move_cap = 2.5;  // plies as a multiple of the area
  int per_worker = 128;   // games in one pool
};

template <class Visit>
void for_each_option(GameOptions& o, Visit visit) {
  visit("sizes", o.sizes, {"board sizes; each game draws one", 2, 19});
  visit("size_weights", o.size_weights,
        {"relative frequency of each size; empty: all alike", 0, 1e6});
  visit(
      "rules", o.rules,
      {"a preset of `tengen rules`, and after it fields that differ; komi, board and handicap are "
       "told elsewhere (komi_mean, sizes). Stones that players would mark are played out"});
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
  visit("opening_mean", o.opening_mean,
        {"opening moves sampled from the raw policy: exponential, mean as a share of the area", 0,
         1});
  visit("random_opening_share", o.random_opening_share,
        {"share of games that open with evenly random moves instead: positions that sensible play "
         "never shows",
         0, 1});
  visit("random_opening_mean", o.random_opening_mean,
        {"moves of a random opening: evenly from none to twice this share of the area", 0, 1});
  visit("pass_alive_end_share", o.pass_alive_end_share,
        {"share of games that end as soon as every point is pass-alive (KataGo)", 0, 1});
  visit("move_cap", o.move_cap,
        {"plies after which a game is scored as it stands, times the area", 0.5, 100});
  visit("per_worker", o.per_worker, {"games played at once by one worker thread", 1, 65536});
}

}  // namespace tengen
