#include "eval/match_score.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr double kNormal95 = 1.959963984540054;  // two-sided 95 % quantile
constexpr double kEloLimit = 1200;

struct Moments {
  double mean, variance;
};

// Of the pairs' shares (0, 1/4, 1/2, 3/4, 1), half a virtual pair at either end included.
Moments moments_of_pairs(const MatchScore& score) {
  double n = 1, sum = 0.5, squares = 0.5;
  for (int k = 0; k < 5; ++k) {
    const double share = k / 4.0;
    n += score.pairs[k];
    sum += share * score.pairs[k];
    squares += share * share * score.pairs[k];
  }
  const double mean = sum / n;
  return {mean, squares / n - mean * mean};
}

}  // namespace

double MatchScore::share() const {
  return games() > 0 ? points() / games() : 0.5;
}

void MatchScore::add_pair(double first, double second) {
  for (const double points : {first, second}) {
    check(points == 0 || points == 0.5 || points == 1, "a game gives 0, 0.5 or 1 points");
    ++(points == 1 ? wins : points == 0 ? losses : draws);
  }
  ++pairs[static_cast<std::size_t>(std::lround(2 * (first + second)))];
}

Interval wilson_interval(double successes, double trials) {
  if (trials <= 0) return {0, 1};
  const double z2 = kNormal95 * kNormal95;
  const double p = successes / trials;
  const double centre = (p + z2 / (2 * trials)) / (1 + z2 / trials);
  const double half =
      kNormal95 / (1 + z2 / trials) * std::sqrt(p * (1 - p) / trials + z2 / (4 * trials * trials));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

Interval wilson_interval(const MatchScore& score) {
  if (score.pair_count() == 0) return {0, 1};
  const auto [mean, variance] = moments_of_pairs(score);
  const double trials = score.pair_count() * mean * (1 - mean) / variance;
  return wilson_interval(score.share() * trials, trials);
}

double elo_of_share(double share) {
  if (share <= 0) return -kEloLimit;
  if (share >= 1) return kEloLimit;
  return std::clamp(-400 * std::log10(1 / share - 1), -kEloLimit, kEloLimit);
}

double share_of_elo(double elo) {
  return 1 / (1 + std::pow(10, -elo / 400));
}

double sprt_llr(const MatchScore& score, double elo0, double elo1) {
  const auto [mean, variance] = moments_of_pairs(score);
  const double s0 = share_of_elo(elo0), s1 = share_of_elo(elo1);
  return score.pair_count() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}

std::string to_text(const MatchScore& score) {
  const Interval interval = wilson_interval(score);
  const double elo = elo_of_share(score.share());
  char text[160];
  std::snprintf(text, sizeof text,
                "%d wins, %d draws, %d losses: %.1f %% (95 %%: %.1f to %.1f), Elo %s%+.0f",
                score.wins, score.draws, score.losses, 100 * score.share(), 100 * interval.low,
                100 * interval.high,
                elo >= kEloLimit    ? "above "
                : elo <= -kEloLimit ? "below "
                                    : "",
                std::round(elo) == 0 ? 0.0 : elo);
  return text;
}

}  // namespace tengen
