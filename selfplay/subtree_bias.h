#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "rules/position.h"
#include "selfplay/search_tree.h"

namespace tengen {

// KataGo's subtree value bias (docs/KataGoMethods.md; cpp/search/searchupdatehelpers.cpp): what the
// network misjudged after a move, as the search below it shows, corrects its opinion after like
// moves elsewhere in the tree. Like are moves of one colour with the same place, the same move
// before, the same 5x5 stones around it and the same ko. For each of a kind's nodes the error is
// (mean utility of its children - raw utility), with the weight (children's weight)^exponent; a
// node's own opinion counts as raw + factor * (mean error of its kind). Internal to the search.
class SubtreeBias {
 public:
  void clear();

  // Of the node that was added last, whose position this is. Nodes are given in their order.
  void add_node(const Position& position);
  // What is added to the node's own opinion, whose weight this is, from now on.
  double begin(NodeIndex n, double own_weight, double factor);
  // After a simulation was added to the nodes of `path`: their kinds learn of it, and the
  // corrections in their own opinions follow, up to the root.
  void update(SearchTree& tree, std::span<const NodeIndex> path, double factor, double exponent);
  // The nodes left of a tree (SearchTree::keep_subtree). A fifth of what the others said is kept.
  void keep(std::span<const NodeIndex> kept);

 private:
  struct Kind {
    double error = 0;  // weighted sum
    double weight = 0;
    double mean() const { return weight > 1e-3 ? error / weight : 0; }
  };
  struct Entry {
    std::uint64_t kind = 0;
    double error = 0;  // the node's part of its kind's sums
    double weight = 0;
    double own_weight = 0;
    double correction = 0;
  };
  std::unordered_map<std::uint64_t, Kind> kinds_;
  std::vector<Entry> entries_;  // by node
};

}  // namespace tengen
