#include "selfplay/search_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rules/check.h"

namespace tengen {

void SearchTree::clear() {
  nodes_.clear();
  edges_.clear();
}

NodeIndex SearchTree::add_root() {
  check(nodes_.empty(), "one root");
  nodes_.emplace_back();
  return kRoot;
}

NodeIndex SearchTree::add_child(NodeIndex parent, int edge) {
  Node& above = nodes_[parent];
  Edge& e = edges_[above.first_edge + static_cast<std::size_t>(edge)];
  check(e.child == kNoNode, "one child per edge");
  e.child = static_cast<NodeIndex>(nodes_.size());
  ++above.visited_edges;
  nodes_.emplace_back();
  return e.child;
}

void SearchTree::set_terminal(NodeIndex node, const Judgement& outcome) {
  nodes_[node].raw = outcome;
  nodes_[node].is_terminal = true;
}

void SearchTree::add_edges(NodeIndex node, const Position& position) {
  const std::size_t first = edges_.size();
  const auto add = [&](int policy_index) {
    edges_.push_back({0, kNoNode, static_cast<std::int16_t>(policy_index)});
  };
  position.legal_points().for_each(add);
  add(policy_index(Move::pass(), position.size()));
  check(std::in_range<std::uint32_t>(edges_.size()), "a tree has less than 2^32 edges");
  nodes_[node].first_edge = static_cast<std::uint32_t>(first);
  nodes_[node].edge_count = static_cast<std::int16_t>(edges_.size() - first);
}

void SearchTree::set_evaluation(NodeIndex node, const Evaluation& answer, const Judgement& raw) {
  Node& n = nodes_[node];
  n.raw = raw;
  const std::span<Edge> moves(edges_.data() + n.first_edge, static_cast<std::size_t>(n.edge_count));
  const auto logit_of = [&](const Edge& e) {
    return answer.policy_logits[static_cast<std::size_t>(e.policy_index)];
  };
  float largest = -std::numeric_limits<float>::infinity();
  for (const Edge& e : moves) largest = std::max(largest, logit_of(e));
  float sum = 0;
  for (Edge& e : moves) sum += e.prior = std::exp(logit_of(e) - largest);
  if (!std::isfinite(sum)) {
    throw Error("evaluation: expected finite policy logits, found NaN or infinity");
  }
  const float scale = 1 / sum;
  for (Edge& e : moves) e.prior = std::max(e.prior * scale, std::numeric_limits<float>::min());
}

const Edge* SearchTree::bring_likeliest_unvisited(NodeIndex n) {
  const Node& node = nodes_[n];
  const std::span<Edge> unvisited(edges_.data() + node.first_edge + node.visited_edges,
                                  static_cast<std::size_t>(node.edge_count - node.visited_edges));
  if (unvisited.empty()) return nullptr;
  const auto is_likelier = [](const Edge& a, const Edge& b) {  // of equals the lower index
    return a.prior > b.prior || (a.prior == b.prior && a.policy_index < b.policy_index);
  };
  std::swap(*std::ranges::min_element(unvisited, is_likelier), unvisited.front());
  return &unvisited.front();
}

int SearchTree::choose_interior(NodeIndex n, const Sigma& sigma) {
  const Edge* likeliest = bring_likeliest_unvisited(n);
  const Node& node = nodes_[n];
  visited_.clear();
  for (const Edge& e : edges(n).first(static_cast<std::size_t>(node.visited_edges))) {
    const Node& child = nodes_[e.child];
    visited_.push_back({e.prior, -child.sum.utility / child.weight, child.visits});
  }
  return interior_choice(visited_, likeliest == nullptr ? 0 : likeliest->prior, node.raw.utility,
                         sigma);
}

void SearchTree::back_up(std::span<const NodeIndex> path, Judgement outcome, double weight) {
  const double square = weight * outcome.utility * outcome.utility;
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    Node& node = nodes_[*at];
    node.sum += weight * outcome;
    node.weight += weight;
    node.weight_square += weight * weight;
    node.utility_square += square;
    ++node.visits;
    outcome = outcome.turned();
  }
}

std::vector<NodeIndex> SearchTree::keep_subtree(NodeIndex root) {
  std::vector<NodeIndex> kept(1, root);
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Node node = nodes_[kept[i]];
    const auto first = static_cast<std::uint32_t>(edges.size());
    for (Edge e : this->edges(kept[i])) {
      if (e.child != kNoNode) {
        kept.push_back(e.child);
        e.child = static_cast<NodeIndex>(kept.size() - 1);
      }
      edges.push_back(e);
    }
    node.first_edge = first;
    nodes.push_back(node);
  }
  nodes_ = std::move(nodes);
  edges_ = std::move(edges);
  return kept;
}

}  // namespace tengen
