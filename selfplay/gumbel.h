#pragma once

#include <span>
#include <vector>

namespace tengen {

// The formulas of Gumbel AlphaZero: Danihelka, Guez, Schrittwieser, Silver, "Policy improvement by
// planning with Gumbel" (ICLR 2022), in the form of DeepMind's mctx
// (github.com/google-deepmind/mctx, mctx/_src). Pure functions; search.cc is the loop that uses
// them. All values are for the side to move at the node in question.

// Sequential halving as a list (mctx seq_halving.py): simulation i visits an action that has
// exactly result[i] visits so far. `considered` actions share `simulations` simulations in
// ceil(log2) rounds; after each round the better half goes on, two at least. Requires considered >=
// 1, simulations >= 0.
std::vector<int> halving_sequence(int considered, int simulations);

// v_mix, the value of an action not yet visited (paper, appendix D; mctx qtransforms.py):
// the network's value and the visited actions' mean under the prior, by the number of visits.
//   (raw_value + sum_visits * (sum of prior * Q) / (sum of prior)) / (1 + sum_visits)
// The sums run over visited actions. Without visits it is raw_value.
double mixed_value(double raw_value, int sum_visits, double visited_prior,
                   double visited_prior_times_q);

// sigma(q) = (c_visit + max_visits) * c_scale * q: puts a value on the logits' scale (paper, eq.
// 8). `max_visits` is the largest visit count among the node's actions. Values are not rescaled to
// their range, as mctx does by default: in a decided game that would blow up noise to many nats.
struct Sigma {
  double c_visit = 50;
  double c_scale = 1;
  double operator()(double q, int max_visits) const { return (c_visit + max_visits) * c_scale * q; }
};

// pi' = softmax(logits + sigma(completed Q)), the improved policy and policy target (paper, eq.
// 11), without Gumbel noise. The three spans have equal lengths, one entry per legal action.
void improved_policy(std::span<const double> logits, std::span<const double> completed_q,
                     int max_visits, const Sigma& sigma, std::span<double> policy);

// An action below an interior node that has been visited.
struct VisitedAction {
  double prior;  // probability among the node's legal actions
  double q;      // mean value
  int visits;    // >= 1
};

// Interior choice, "full Gumbel": argmax of pi'(a) - N(a) / (1 + sum of N), so that visit counts
// follow pi' without chance (paper, section 5; mctx action_selection.py). Unvisited actions share
// one completed Q, so the best of them is the one of largest prior, `best_unvisited_prior`, and
// only it is looked at; 0 says that none is left. The cost grows with the visited actions alone.
// Returns an index into `visited`, or visited.size() for the best unvisited action.
int interior_choice(std::span<const VisitedAction> visited, double best_unvisited_prior,
                    double raw_value, const Sigma& sigma);

}  // namespace tengen
