#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.h"
#include "selfplay/search_options.h"
#include "selfplay/search_result.h"
#include "selfplay/search_tree.h"

namespace tengen {

// PUCT on a SearchTree (selfplay/puct.h has the formulas). Internal to the search; search.h is the
// interface. A simulation that is under way counts as one more visit that was lost, which sends the
// next one elsewhere ("virtual loss").

// The edge to follow from an interior node, by its place.
int choose_puct(SearchTree& tree, NodeIndex n, const PuctOptions& options);

// The root: its prior with temperature and noise, which of its moves comes next, and what the
// search says in the end.
class PuctRoot {
 public:
  // Takes the root's prior from the tree. `explores`: with temperatures, forced playouts and, if
  // `with_noise`, Dirichlet noise.
  void prepare(const SearchTree& tree, const Position& root, const PuctOptions& options,
               bool explores, bool with_noise, std::uint64_t seed);
  int choose(const SearchTree& tree) const;
  // Fills move, policy, win, utility, score and no_result. Requires a visit of a move.
  void fill(const SearchTree& tree, SearchResult& result) const;

 private:
  double scaling(const SearchTree& tree, double child_weight) const;
  std::vector<double> pruned_weights(const SearchTree& tree) const;
  void prefer_by_bounds(const SearchTree& tree, std::vector<double>& values) const;
  std::size_t drawn(std::vector<double> values) const;

  PuctOptions options_;
  bool explores_ = false;
  BoardSize size_{};
  std::uint64_t seed_ = 0;
  double move_temperature_ = 0;
  std::vector<double> prior_;  // of the root's edges, as searched
};

}  // namespace tengen
