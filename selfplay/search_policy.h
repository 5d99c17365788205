#pragma once

#include <cstdint>

#include "nn/evaluator.h"
#include "rules/position.h"
#include "selfplay/gumbel_root.h"
#include "selfplay/puct_search.h"
#include "selfplay/search_options.h"
#include "selfplay/search_result.h"
#include "selfplay/search_tree.h"

namespace tengen {

// Who chooses in a search, by its algorithm: Gumbel for the first simulations, PUCT for the rest;
// either part may be empty. Internal to the search; search.h is the interface.
class SearchPolicy {
 public:
  // For a root with edges. `answer` is the network's; nullptr says that the root was evaluated
  // before it became one, which leaves all to PUCT.
  void prepare(const SearchTree& tree, const Position& root, const SearchOptions& options,
               std::uint64_t seed, const Evaluation* answer);

  // The edge to follow from a node in this simulation, by its place.
  int choose(SearchTree& tree, NodeIndex at, int simulation) const;
  // Whether the simulation may begin while the one before it is under way. By halving only those of
  // one round go together: they go to moves of equal visits, so that they share no node but the
  // root, and the result is that of one at a time.
  bool may_join(int simulation) const;
  // Fills move, policy and opinion.
  void fill(const SearchTree& tree, BoardSize size, SearchResult& result) const;

 private:
  bool is_pure_gumbel_ = true;
  Sigma sigma_;
  PuctOptions puct_options_;
  int halving_ = 0;  // so many simulations by Gumbel
  GumbelRoot gumbel_;
  PuctRoot puct_;
};

// How much an evaluation weighs, and a finished game: 1 unless PUCT weighs by uncertainty.
double weight_of(const Evaluation& answer, const SearchOptions& options, int area);
double certain_weight(const SearchOptions& options);

}  // namespace tengen
