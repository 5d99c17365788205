#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "nn/evaluator.h"
#include "rules/position.h"
#include "selfplay/gumbel.h"

namespace tengen {

// The tree of one search: moves and statistics in two flat arrays, no positions. Internal to the
// search; search.h is the interface.

// How a position is judged, for its side to move.
struct Judgement {
  double utility = 0;  // [-1, 1], selfplay/utility.h
  double win = 0;      // probability; a draw is half
  double score = 0;    // points

  Judgement turned() const { return {-utility, 1 - win, -score}; }  // for the opponent
  Judgement& operator+=(const Judgement& o) {
    utility += o.utility;
    win += o.win;
    score += o.score;
    return *this;
  }
  friend Judgement operator*(double factor, const Judgement& o) {
    return {factor * o.utility, factor * o.win, factor * o.score};
  }
};

// The exact outcome of a finished game, for the side that would be to move. A judge of dead stones
// takes its time and is asked about the same boards again and again: `memo` keeps what it said, by
// Board::hash.
using JudgeMemo = std::unordered_map<std::uint64_t, PointSet>;
Judgement terminal_judgement(const Position& position, double score_weight, JudgeMemo& memo);
// The network's opinion. Throws Error if it is not finite.
Judgement raw_judgement(const Evaluation& answer, double score_weight, int area);

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = std::numeric_limits<NodeIndex>::max();

// A legal move of an evaluated position: 12 bytes, as a node of a 19x19 game has up to 362 of them.
struct Edge {
  float prior;                // probability; never zero, so that visited edges have some weight
  NodeIndex child;            // kNoNode until the first visit
  std::int16_t policy_index;  // the move
};

struct Node {
  Judgement sum;   // over visits, for the side to move here
  Judgement raw;   // the network's opinion, or the finished game's outcome
  int visits = 0;  // simulations that came here; the first is the node's own evaluation
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
  std::span<const Edge> edges(NodeIndex n) const {
    return {edges_.data() + nodes_[n].first_edge, static_cast<std::size_t>(nodes_[n].edge_count)};
  }
  int visits(const Edge& e) const { return e.child == kNoNode ? 0 : nodes_[e.child].visits; }
  // Mean outcome of a visited edge, for the side that plays it.
  Judgement mean(const Edge& e) const {
    return (1.0 / nodes_[e.child].visits * nodes_[e.child].sum).turned();
  }

  // The edge to follow from an interior node (interior_choice in gumbel.h), by its place. Below the
  // root visited edges come first, in the order of their first visits; the likeliest unvisited edge
  // is moved behind them, so that a step costs little more than the visited edges.
  int choose_interior(NodeIndex n, const Sigma& sigma);

  // Adds an outcome, for the side to move at the end of the path, to every node on it.
  void back_up(std::span<const NodeIndex> path, Judgement outcome);

 private:
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // a node's edges lie together
  std::vector<VisitedAction> visited_;
};

}  // namespace tengen
