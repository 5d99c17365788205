#pragma once

#include <array>
#include <string>

namespace tengen {

// Result for player A. Statistics are over pairs, whose two games share an opening.
struct MatchScore {
  int wins = 0, draws = 0, losses = 0;  // games
  std::array<int, 5> pairs{};           // pairs by A's points: 0, 0.5, 1, 1.5, 2

  int games() const { return wins + draws + losses; }
  int pair_count() const { return pairs[0] + pairs[1] + pairs[2] + pairs[3] + pairs[4]; }
  double points() const { return wins + 0.5 * draws; }
  double share() const;  // points / games, 0.5 for no games

  // Counts one pair by A's points in its two games, each 1, 0.5 or 0.
  void add_pair(double first, double second);

  friend bool operator==(const MatchScore&, const MatchScore&) = default;
};

struct Interval {
  double low, high;
};

// Wilson's 95 % interval for a share of independent trials (J. Am. Stat. Assoc. 22, 1927); [0, 1]
// for no trials.
Interval wilson_interval(double successes, double trials);

// 95 % interval of the share over pairs: Wilson's with as many trials as would give independent
// games the variance that the pairs have, half a virtual won and half a lost pair included (so 20
// pairs all won count as 20 trials, not 40 games).
Interval wilson_interval(const MatchScore& score);

double elo_of_share(double share);  // -400 log10(1 / share - 1), clamped to +-1200
double share_of_elo(double elo);    // 1 / (1 + 10^(-elo / 400))

// Log-likelihood ratio of elo1 against elo0 by the generalised SPRT over pairs (pentanomial, normal
// approximation): n (s1 - s0) (2 x - s0 - s1) / (2 v), with mean x and variance v of the pairs'
// shares, half a virtual won and half a lost pair included so that v > 0. 0 for no pairs.
double sprt_llr(const MatchScore& score, double elo0, double elo1);

// "62 wins, 3 draws, 35 losses: 63.5 % (95 %: 54.1 to 72.0), Elo +96"; beyond the clamp "above
// +1200" or "below -1200"
std::string to_text(const MatchScore& score);

}  // namespace tengen
