#pragma once

#include <span>
#include <vector>

#include "rules/rng.h"
#include "selfplay/search_options.h"

namespace tengen {

// The formulas of KataGo's search (github.com/lightvector/KataGo, cpp/search, v1.17; the file of
// each is named). Pure functions; puct_search.cc is what uses them. Values are utilities for the
// side to move at the node in question. W is the sum of its children's weights; a simulation weighs
// 1 unless evaluations are weighed by their uncertainty.

// How far a value is spread: mean utility, mean of its square, sum of weights.
struct Spread {
  double mean = 0;
  double mean_square = 0;
  double weight = 0;
};

// 1 + scale * (stdev / 0.4 - 1), where a prior of stdev 0.4 and weight 2 joins what was seen
// (searchexplorehelpers.cpp, cpuctUtilityStdevPrior): explore more where values vary.
double stdev_factor(const Spread& node, double scale);

// The factor of prior / (1 + weight) in puct_value: c(W) * sqrt(W + 0.01) * stdev_factor, with
// c(W) = exploration + exploration_log * ln((W + 500) / 500) (searchexplorehelpers.cpp).
double explore_scaling(const PuctOptions& options, double child_weight, const Spread& node);

// What the search follows the largest of: Q + scaling * P / (1 + w).
inline double puct_value(double utility, double prior, double weight, double scaling) {
  return utility + scaling * prior / (1 + weight);
}

// The weight at which puct_value comes down to `value`, >= 0; infinite if it never does. (The
// inverse, getExploreSelectionValueInverse.)
double wanted_weight(double value, double utility, double prior, double scaling);

// The value of a child without visits, "first play urgency": the parent's mean blended with the
// network's opinion by (visited prior)^power, less reduction * sqrt(visited prior)
// (getFpuValueForChildrenAssumeVisited). `visited_prior`: of all children with visits together.
double first_play_utility(double parent_mean, double raw, double visited_prior, double reduction,
                          double power);

// The weight below which a root move that has been tried comes next: sqrt(k * P * W) (forced
// playouts: "Accelerating Self-Play Learning in Go", arXiv:1902.10565, section 3.2).
double forced_weight(double coefficient, double prior, double child_weight);

// A lower confidence bound of a child's mean, `stdevs` deviations below it. The effective number of
// samples is (sum w)^2 / (sum w^2); a prior of the largest variance there is, with weight
// sum w / ess^3, keeps few visits humble (searchhelpers.cpp, getSelfUtilityLCBAndRadius).
struct LowerBound {
  double bound;
  double radius;  // mean - bound
};
LowerBound lower_bound(const Spread& child, double weight_square, double stdevs);

// Among children with at least `min_share` of the largest of `values`, raises the value of the one
// with the best bound above every child it beats: to value * ((r + d) / (r + d / 5))^2, where r is
// the other's radius and d the difference of bounds (searchresults.cpp, getPlaySelectionValues).
void prefer_best_bound(std::span<double> values, std::span<const LowerBound> bounds,
                       double min_share);

// late + (early - late) * 0.5^(ply / halflife * 19 / sqrt(area)) (searchhelpers.cpp,
// interpolateEarly).
double temperature_at(double early, double late, double halflife, int ply, int area);

// p^(1 / temperature), normalised. Requires temperature > 0.
void apply_temperature(std::span<double> policy, double temperature);

// Alphas of the root's Dirichlet noise, summing to 1: half of them uniform, half in proportion to
// max(0, ln(min(0.01, p)) - its mean) (searchhelpers.cpp, computeDirichletAlphaDistribution).
std::vector<double> dirichlet_shape(std::span<const double> policy);
// (1 - weight) * p + weight * noise, the noise Dirichlet of these alphas times `concentration`.
void add_dirichlet_noise(std::span<double> policy, double concentration, double weight, Rng& rng);

// Weight of an evaluation whose utility is off by `error` on average: c / (error + c / max_weight)
// (searchupdatehelpers.cpp, computeWeightFromNNOutput).
inline double uncertainty_weight(double error, double coefficient, double max_weight) {
  return coefficient / (error + coefficient / max_weight);
}

}  // namespace tengen
