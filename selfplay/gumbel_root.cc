#include "selfplay/gumbel_root.h"

#include <algorithm>
#include <utility>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

// A node's mixed values: v_mix for the utility, and the same formula for the rest.
class Mixture {
 public:
  void add(double prior, int visits, const Judgement& mean) {
    visits_ += visits;
    prior_ += prior;
    weighted_ += prior * mean;
  }
  Judgement outcome(const Judgement& raw) const {
    return {mix(raw.utility, weighted_.utility), mix(raw.win, weighted_.win),
            mix(raw.score, weighted_.score), mix(raw.no_result, weighted_.no_result)};
  }

 private:
  double mix(double raw, double weighted) const {
    return mixed_value(raw, visits_, prior_, weighted);
  }
  int visits_ = 0;
  double prior_ = 0;
  Judgement weighted_;
};

// What the root's formulas need of all its edges together.
struct RootSummary {
  int max_visits = 0;
  Judgement mixed;  // completes unvisited edges
};

RootSummary summary_of(const SearchTree& tree) {
  RootSummary root;
  Mixture mixture;
  for (const Edge& e : tree.edges(SearchTree::kRoot)) {
    root.max_visits = std::max(root.max_visits, tree.started(e));
    if (tree.is_visited(e)) mixture.add(e.prior, tree.visits(e), tree.mean(e));
  }
  root.mixed = mixture.outcome(tree.node(SearchTree::kRoot).raw);
  return root;
}

Judgement completed(const SearchTree& tree, const Edge& e, const RootSummary& root) {
  return tree.is_visited(e) ? tree.mean(e) : root.mixed;
}

}  // namespace

void GumbelRoot::prepare(std::vector<double> logits, const SearchOptions& options, int visits,
                         std::uint64_t seed) {
  constexpr std::uint64_t kStream = 1;
  sigma_ = {options.c_visit, options.c_scale};
  logits_ = std::move(logits);
  gumbel_logits_ = logits_;
  if (options.gumbel_scale != 0) {
    Rng rng(seed, kStream);
    for (double& l : gumbel_logits_) l += options.gumbel_scale * rng.gumbel();
  }
  const int considered =
      std::min({options.max_considered, visits, static_cast<int>(logits_.size())});
  sequence_ = halving_sequence(considered, visits);
}

int GumbelRoot::choose(const SearchTree& tree, int required) const {
  const RootSummary root = summary_of(tree);
  const std::span<const Edge> edges = tree.edges(SearchTree::kRoot);
  int best = -1;
  double best_score = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (tree.started(edges[i]) != required) continue;
    const double q = completed(tree, edges[i], root).utility;
    const double score = gumbel_logits_[i] + sigma_(q, root.max_visits);
    if (best < 0 || score > best_score) {
      best = static_cast<int>(i);
      best_score = score;
    }
  }
  check(best >= 0, "a root move with the visits that sequential halving asks for");
  return best;
}

void GumbelRoot::fill(const SearchTree& tree, BoardSize size, SearchResult& result) const {
  const RootSummary root = summary_of(tree);
  const std::span<const Edge> edges = tree.edges(SearchTree::kRoot);
  std::vector<double> completed_q;
  for (const Edge& e : edges) completed_q.push_back(completed(tree, e, root).utility);
  std::vector<double> policy(edges.size());
  improved_policy(logits_, completed_q, root.max_visits, sigma_, policy);
  Judgement improved;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    result.policy[static_cast<std::size_t>(edges[i].policy_index)] = static_cast<float>(policy[i]);
    improved += policy[i] * completed(tree, edges[i], root);
  }
  const int chosen = choose(tree, root.max_visits);
  result.move = move_at(edges[static_cast<std::size_t>(chosen)].policy_index, size);
  set_opinion(result, improved);
}

}  // namespace tengen
