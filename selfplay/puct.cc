#include "selfplay/puct.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tengen {
namespace {

// A draw from Gamma(alpha, 1), alpha > 0 (Marsaglia and Tsang, ACM TOMS 26, 2000).
double gamma_draw(double alpha, Rng& rng) {
  if (alpha < 1) {
    return gamma_draw(alpha + 1, rng) * std::exp(-rng.exponential() / alpha);
  }
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = rng.normal();
    const double v = std::pow(1 + c * x, 3);
    if (v <= 0) continue;
    if (-rng.exponential() < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace

double stdev_factor(const Spread& node, double scale) {
  constexpr double kPriorStdev = 0.4;
  constexpr double kPriorWeight = 2;
  double stdev = kPriorStdev;
  if (node.weight > 1) {
    const double square = node.mean * node.mean;
    const double sum = (square + kPriorStdev * kPriorStdev) * kPriorWeight +
                       std::max(square, node.mean_square) * node.weight;
    stdev = std::sqrt(std::max(0.0, sum / (kPriorWeight + node.weight - 1) - square));
  }
  return 1 + scale * (stdev / kPriorStdev - 1);
}

double explore_scaling(const PuctOptions& options, double child_weight, const Spread& node) {
  constexpr double kBase = 500;
  constexpr double kOffset = 0.01;
  const double c =
      options.exploration + options.exploration_log * std::log((child_weight + kBase) / kBase);
  const double factor = options.stdev_scale == 0 ? 1 : stdev_factor(node, options.stdev_scale);
  return c * std::sqrt(child_weight + kOffset) * factor;
}

double wanted_weight(double value, double utility, double prior, double scaling) {
  if (value <= utility) return std::numeric_limits<double>::infinity();
  return std::max(0.0, scaling * prior / (value - utility) - 1);
}

double first_play_utility(double parent_mean, double raw, double visited_prior, double reduction,
                          double power) {
  const double share = std::min(1.0, std::pow(visited_prior, power));
  return share * parent_mean + (1 - share) * raw - reduction * std::sqrt(visited_prior);
}

double forced_weight(double coefficient, double prior, double child_weight) {
  return std::sqrt(coefficient * prior * child_weight);
}

LowerBound lower_bound(const Spread& child, double weight_square, double stdevs) {
  const double square = child.mean * child.mean;
  const double seen = std::max(child.mean_square, square + 1e-8);
  const double samples = child.weight * child.weight / weight_square;
  const double prior = child.weight / (samples * samples * samples);
  const double weight = child.weight + prior;
  const double mean_square = seen + prior / weight;  // utilities lie within 1: variance 1 more
  const double samples_then = weight * weight / (weight_square + prior * prior);
  const double radius = stdevs * std::sqrt((mean_square - square) / samples_then);
  return {child.mean - radius, radius};
}

void prefer_best_bound(std::span<double> values, std::span<const LowerBound> bounds,
                       double min_share) {
  const double least = min_share * std::ranges::max(values);
  std::size_t best = values.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] <= 0 || values[i] < least) continue;
    if (best == values.size() || bounds[i].bound > bounds[best].bound) best = i;
  }
  if (best == values.size()) return;
  double raised = values[best];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double difference = bounds[best].bound - bounds[i].bound;
    if (values[i] <= 0 || difference <= 0) continue;
    const double factor = (bounds[i].radius + difference) / (bounds[i].radius + 0.2 * difference);
    raised = std::max(raised, values[i] * factor * factor);
  }
  values[best] = raised;
}

double temperature_at(double early, double late, double halflife, int ply, int area) {
  return late + (early - late) * std::exp2(-ply / halflife * 19 / std::sqrt(area));
}

void apply_temperature(std::span<double> policy, double temperature) {
  const double largest = std::ranges::max(policy);
  double sum = 0;
  for (double& p : policy) sum += p = p <= 0 ? 0 : std::pow(p / largest, 1 / temperature);
  for (double& p : policy) p /= sum;
}

std::vector<double> dirichlet_shape(std::span<const double> policy) {
  const auto count = static_cast<double>(policy.size());
  std::vector<double> shape;
  double mean = 0;
  for (const double p : policy) {
    shape.push_back(std::log(std::min(0.01, p) + 1e-20));
    mean += shape.back() / count;
  }
  double sum = 0;
  for (double& s : shape) sum += s = std::max(0.0, s - mean);
  for (double& s : shape) s = sum > 0 ? 0.5 * (s / sum + 1 / count) : 1 / count;
  return shape;
}

void add_dirichlet_noise(std::span<double> policy, double concentration, double weight, Rng& rng) {
  std::vector<double> noise = dirichlet_shape(policy);
  double sum = 0;
  for (double& n : noise) sum += n = gamma_draw(n * concentration, rng);
  if (sum <= 0) return;  // every draw was below the smallest number
  for (std::size_t i = 0; i < noise.size(); ++i) {
    policy[i] = (1 - weight) * policy[i] + weight * noise[i] / sum;
  }
}

}  // namespace tengen
