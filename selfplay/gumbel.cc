#include "selfplay/gumbel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "rules/check.h"

namespace tengen {

std::vector<int> halving_sequence(int considered, int simulations) {
  check(considered >= 1 && simulations >= 0, "an action and a budget to halve");
  std::vector<int> sequence;
  sequence.reserve(static_cast<std::size_t>(simulations));
  const auto is_complete = [&] { return static_cast<int>(sequence.size()) == simulations; };
  const int rounds = std::max(1, static_cast<int>(std::bit_width(unsigned(considered) - 1)));
  for (int visits = 0; !is_complete();
       considered = std::min(considered, std::max(2, considered / 2))) {
    const int extra = std::max(1, simulations / (rounds * considered));
    for (int i = 0; i < extra * considered && !is_complete(); ++i) {
      sequence.push_back(visits + i / considered);
    }
    visits += extra;
  }
  return sequence;
}

double mixed_value(double raw_value, int sum_visits, double visited_prior,
                   double visited_prior_times_q) {
  if (sum_visits == 0) return raw_value;
  return (raw_value + sum_visits * visited_prior_times_q / visited_prior) / (1 + sum_visits);
}

void improved_policy(std::span<const double> logits, std::span<const double> completed_q,
                     int max_visits, const Sigma& sigma, std::span<double> policy) {
  check(logits.size() == completed_q.size() && logits.size() == policy.size() && !logits.empty(),
        "one logit, value and result per legal action");
  for (std::size_t i = 0; i < policy.size(); ++i) {
    policy[i] = logits[i] + sigma(completed_q[i], max_visits);
  }
  const double largest = *std::ranges::max_element(policy);
  double sum = 0;
  for (double& p : policy) sum += p = std::exp(p - largest);
  for (double& p : policy) p /= sum;
}

int interior_choice(std::span<const VisitedAction> visited, double best_unvisited_prior,
                    double raw_value, const Sigma& sigma) {
  const int count = static_cast<int>(visited.size());
  int sum_visits = 0;
  int max_visits = 0;
  double visited_prior = 0;
  double visited_prior_times_q = 0;
  double largest_q = -std::numeric_limits<double>::infinity();
  for (const VisitedAction& a : visited) {
    sum_visits += a.visits;
    max_visits = std::max(max_visits, a.visits);
    visited_prior += a.prior;
    visited_prior_times_q += a.prior * a.q;
    largest_q = std::max(largest_q, a.q);
  }
  const double v_mix = mixed_value(raw_value, sum_visits, visited_prior, visited_prior_times_q);
  const bool has_unvisited = best_unvisited_prior > 0;
  if (has_unvisited) largest_q = std::max(largest_q, v_mix);

  // pi' is the prior times exp(sigma(q)), over the sum; shifted so that no exponent is positive.
  const auto factor = [&](double q) { return std::exp(sigma(q - largest_q, max_visits)); };
  const double unvisited_factor = has_unvisited ? factor(v_mix) : 0;
  double sum = std::max(1 - visited_prior, best_unvisited_prior) * unvisited_factor;
  for (const VisitedAction& a : visited) sum += a.prior * factor(a.q);

  int best = has_unvisited ? count : -1;
  double best_score = has_unvisited ? best_unvisited_prior * unvisited_factor / sum
                                    : -std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    const VisitedAction& a = visited[static_cast<std::size_t>(i)];
    const double score = a.prior * factor(a.q) / sum - a.visits / (1.0 + sum_visits);
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  check(best >= 0, "an action to choose");
  return best;
}

}  // namespace tengen
