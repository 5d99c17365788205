#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "nn/evaluator.h"
#include "rules/position.h"
#include "selfplay/gumbel.h"
#include "selfplay/judgement.h"

namespace tengen {

// The tree of one search: moves and statistics in two flat arrays, no positions. Internal to the
// search; search.h is the interface.

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = std::numeric_limits<NodeIndex>::max();

// A legal move of an evaluated position: 12 bytes, as a node of a 19x19 game has up to 362 of them.
struct Edge {
  float prior;                // probability; never zero, so that visited edges have some weight
  NodeIndex child;            // kNoNode until the first visit
  std::int16_t policy_index;  // the move
};

struct Node {
  Judgement sum;              // over visits, each times its weight, for the side to move here
  Judgement raw;              // the network's opinion, or the finished game's outcome
  double weight = 0;          // of the visits together; each weighs 1 unless the caller says
  double weight_square = 0;   // sum of their squares
  double utility_square = 0;  // sum of weight * utility^2
  int visits = 0;             // simulations that came here; the first is the node's own evaluation
  int pending = 0;  // simulations under way through here, whose leaves wait for their answers
  std::uint32_t first_edge = 0;
  std::int16_t edge_count = 0;
  std::int16_t visited_edges = 0;
  bool is_terminal = false;  // a finished game
};

class SearchTree {
 public:
  static constexpr NodeIndex kRoot = 0;

  void clear();  // keeps the memory

  // A new node without edges and visits; as the child of an edge, by the edge's place among its
  // node's edges.
  NodeIndex add_root();
  NodeIndex add_child(NodeIndex parent, int edge);
  void set_terminal(NodeIndex node, const Judgement& outcome);
  // Gives a node its legal moves in order of policy index, so the pass last.
  void add_edges(NodeIndex node, const Position& position);
  // The answer for a node with edges: its opinion, and priors by softmax over the legal moves.
  // Throws Error if a number is not finite.
  void set_evaluation(NodeIndex node, const Evaluation& answer, const Judgement& raw);

  const Node& node(NodeIndex n) const { return nodes_[n]; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const {  // of memory held
    return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge);
  }
  std::span<const Edge> edges(NodeIndex n) const {
    return {edges_.data() + nodes_[n].first_edge, static_cast<std::size_t>(nodes_[n].edge_count)};
  }
  int visits(const Edge& e) const { return e.child == kNoNode ? 0 : nodes_[e.child].visits; }
  // Visits and simulations under way.
  int started(const Edge& e) const {
    return e.child == kNoNode ? 0 : nodes_[e.child].visits + nodes_[e.child].pending;
  }
  bool is_visited(const Edge& e) const { return e.child != kNoNode && nodes_[e.child].visits > 0; }
  // Mean outcome of a visited edge, for the side that plays it.
  Judgement mean(const Edge& e) const {
    return (1.0 / nodes_[e.child].weight * nodes_[e.child].sum).turned();
  }

  // Edges of an interior node that lead to nodes come first, in the order in which they did. Moves
  // the likeliest of the others right behind them and returns it, so that a step down looks at the
  // former and at one more; nullptr if there is none.
  const Edge* bring_likeliest_unvisited(NodeIndex n);
  // The edge to follow from an interior node (interior_choice in gumbel.h), by its place. Requires
  // that nothing is pending below it.
  int choose_interior(NodeIndex n, const Sigma& sigma);

  // Adds an outcome, for the side to move at the end of the path, to every node on it.
  void back_up(std::span<const NodeIndex> path, Judgement outcome, double weight = 1);
  // A correction of what was added: to the node's sums of utility and of its square.
  void correct(NodeIndex n, double utility, double utility_square) {
    nodes_[n].sum.utility += utility;
    nodes_[n].utility_square += utility_square;
  }
  // Simulations under way on a path: 1 more or, with -1, 1 less.
  void add_pending(std::span<const NodeIndex> path, int difference) {
    for (const NodeIndex n : path) nodes_[n].pending += difference;
  }

  // Makes `root`, an evaluated node, the root: of all others only those below it stay. Requires
  // that nothing is pending. Returns the old index of each node that is left.
  std::vector<NodeIndex> keep_subtree(NodeIndex root);

 private:
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // a node's edges lie together
  std::vector<VisitedAction> visited_;
};

}  // namespace tengen
