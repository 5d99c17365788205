#include "selfplay/puct_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rules/check.h"
#include "rules/rng.h"
#include "selfplay/puct.h"

namespace tengen {
namespace {

constexpr std::uint64_t kNoiseStream = 3;
constexpr std::uint64_t kMoveStream = 4;
constexpr double kLoss = -1;  // the utility of simulations under way

Spread spread_of(const Node& node) {
  if (node.weight <= 0) return {};
  return {node.sum.utility / node.weight, node.utility_square / node.weight, node.weight};
}

// A child as the one who plays there sees it, simulations under way included.
struct Child {
  double weight = 0;
  double utility = 0;
};
Child child_of(const Node& node) {
  const double weight = node.weight + node.pending;
  return {weight, (kLoss * node.pending - node.sum.utility) / weight};
}

struct Chosen {
  int place = -1;
  double value = 0;
  void offer(std::size_t at, double v) {
    if (place < 0 || v > value) *this = {static_cast<int>(at), v};
  }
};

double weight_of(const SearchTree& tree, const Edge& e) {
  return e.child == kNoNode ? 0 : tree.node(e.child).weight;
}

}  // namespace

int choose_puct(SearchTree& tree, NodeIndex n, const PuctOptions& options) {
  const Edge* likeliest = tree.bring_likeliest_unvisited(n);
  const Node& node = tree.node(n);
  const auto visited = tree.edges(n).first(static_cast<std::size_t>(node.visited_edges));
  double child_weight = 0;
  double visited_prior = 0;
  for (const Edge& e : visited) {
    child_weight += weight_of(tree, e);
    visited_prior += e.prior;
  }
  const Spread spread = spread_of(node);
  const double scaling = explore_scaling(options, child_weight, spread);
  Chosen best;
  for (std::size_t i = 0; i < visited.size(); ++i) {
    const Child child = child_of(tree.node(visited[i].child));
    best.offer(i, puct_value(child.utility, visited[i].prior, child.weight, scaling));
  }
  if (likeliest != nullptr) {
    const double fpu =
        first_play_utility(spread.mean, node.raw.utility, std::min(visited_prior, 1.0),
                           options.fpu_reduction, options.fpu_parent_power);
    best.offer(visited.size(), puct_value(fpu, likeliest->prior, 0, scaling));
  }
  return best.place;
}

void PuctRoot::prepare(const SearchTree& tree, const Position& root, const PuctOptions& options,
                       bool explores, bool with_noise, std::uint64_t seed) {
  options_ = options;
  explores_ = explores;
  size_ = root.size();
  seed_ = seed;
  prior_.clear();
  for (const Edge& e : tree.edges(SearchTree::kRoot)) prior_.push_back(e.prior);
  const auto temperature = [&](double early, double late) {
    return temperature_at(early, late, options.temperature_halflife, root.ply(), size_.area());
  };
  move_temperature_ =
      explores ? temperature(options.move_temperature_early, options.move_temperature) : 0;
  if (!with_noise) return;
  apply_temperature(prior_, temperature(options.root_temperature_early, options.root_temperature));
  Rng rng(seed, kNoiseStream);
  add_dirichlet_noise(prior_, options.noise_concentration, options.noise_weight, rng);
}

double PuctRoot::scaling(const SearchTree& tree, double child_weight) const {
  return explore_scaling(options_, child_weight, spread_of(tree.node(SearchTree::kRoot)));
}

int PuctRoot::choose(const SearchTree& tree) const {
  const Node& root = tree.node(SearchTree::kRoot);
  const std::span<const Edge> edges = tree.edges(SearchTree::kRoot);
  double child_weight = 0;
  double visited_prior = 0;
  std::size_t likeliest = edges.size();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].child == kNoNode) {
      if (likeliest == edges.size() || prior_[i] > prior_[likeliest]) likeliest = i;
    } else {
      child_weight += weight_of(tree, edges[i]);
      visited_prior += prior_[i];
    }
  }
  const double factor = scaling(tree, child_weight);
  const double forced = explores_ ? options_.forced_playouts : 0;
  Chosen best;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].child == kNoNode) continue;
    const Child child = child_of(tree.node(edges[i].child));
    if (child.weight < forced_weight(forced, prior_[i], child_weight)) return static_cast<int>(i);
    best.offer(i, puct_value(child.utility, prior_[i], child.weight, factor));
  }
  if (likeliest != edges.size()) {
    const double fpu =
        first_play_utility(spread_of(root).mean, root.raw.utility, std::min(visited_prior, 1.0),
                           options_.root_fpu_reduction, options_.fpu_parent_power);
    best.offer(likeliest, puct_value(fpu, prior_[likeliest], 0, factor));
  }
  return best.place;
}

// The weights of the root's edges without what noise, temperature and forced playouts added: a move
// keeps what PUCT would have wanted for it beside the best one ("policy target pruning",
// arXiv:1902.10565, section 3.2; searchresults.cpp).
std::vector<double> PuctRoot::pruned_weights(const SearchTree& tree) const {
  const std::span<const Edge> edges = tree.edges(SearchTree::kRoot);
  std::vector<double> weights;
  std::size_t best = 0;
  double best_goodness = -1;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    weights.push_back(weight_of(tree, edges[i]));
    if (!tree.is_visited(edges[i])) continue;
    const int visits = tree.visits(edges[i]);
    const double goodness = weights[i] * (visits - 1) / visits + 2 * prior_[i];
    if (goodness > best_goodness) best = i, best_goodness = goodness;
  }
  const double factor = scaling(tree, std::accumulate(weights.begin(), weights.end(), 0.0));
  const double best_value =
      puct_value(tree.mean(edges[best]).utility, prior_[best], weights[best], factor);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i == best || !tree.is_visited(edges[i])) continue;
    const double wanted = wanted_weight(best_value, tree.mean(edges[i]).utility, prior_[i], factor);
    weights[i] = std::ceil(std::min(weights[i], wanted));
  }
  return weights;
}

void PuctRoot::prefer_by_bounds(const SearchTree& tree, std::vector<double>& values) const {
  if (options_.lcb_stdevs == 0) return;
  std::vector<LowerBound> bounds;
  for (const Edge& e : tree.edges(SearchTree::kRoot)) {
    if (!tree.is_visited(e)) {
      bounds.push_back({-1e9, 1e9});
      continue;
    }
    const Node& child = tree.node(e.child);
    Spread spread = spread_of(child);
    spread.mean = -spread.mean;  // of the one who plays there
    bounds.push_back(lower_bound(spread, child.weight_square, options_.lcb_stdevs));
  }
  prefer_best_bound(values, bounds, options_.lcb_min_share);
}

// A place drawn in proportion to value^(1 / temperature).
std::size_t PuctRoot::drawn(std::vector<double> values) const {
  if (move_temperature_ < 1e-4) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
  }
  apply_temperature(values, move_temperature_);
  double left = Rng(seed_, kMoveStream).uniform();
  std::size_t last = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] <= 0) continue;
    last = i;
    if ((left -= values[i]) < 0) break;
  }
  return last;
}

void PuctRoot::fill(const SearchTree& tree, SearchResult& result) const {
  const std::span<const Edge> edges = tree.edges(SearchTree::kRoot);
  const auto drop_rare = [](std::vector<double>& values) {
    const double least = std::min(1.0, std::ranges::max(values) / 64);
    for (double& v : values) v = v < least ? 0 : v;
  };
  std::vector<double> values = pruned_weights(tree);
  std::vector<double> preferred = values;
  prefer_by_bounds(tree, preferred);
  drop_rare(values);
  drop_rare(preferred);
  // KataGo's self-play takes no bounds for the move, only for what is learnt.
  const std::size_t chosen = drawn(explores_ ? values : preferred);
  result.move = move_at(edges[chosen].policy_index, size_);
  const double sum = std::accumulate(preferred.begin(), preferred.end(), 0.0);
  check(sum > 0, "a root move with visits");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    result.policy[static_cast<std::size_t>(edges[i].policy_index)] =
        static_cast<float>(preferred[i] / sum);
  }
  const Node& root = tree.node(SearchTree::kRoot);
  set_opinion(result, 1 / root.weight * root.sum);
}

}  // namespace tengen
