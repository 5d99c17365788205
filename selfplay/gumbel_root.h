#pragma once

#include <cstdint>
#include <vector>

#include "selfplay/search_options.h"
#include "selfplay/search_result.h"
#include "selfplay/search_tree.h"

namespace tengen {

// The root of a Gumbel search: which of its moves comes next, and what the search says in the end
// (selfplay/gumbel.h has the formulas). Internal to the search; search.h is the interface.
class GumbelRoot {
 public:
  // Draws the noise and lays out `visits` simulations. `logits` are the network's, one for each
  // edge of the root in their order.
  void prepare(std::vector<double> logits, const SearchOptions& options, int visits,
               std::uint64_t seed);

  // How many simulations are laid out, and the visits that one of them asks of its move.
  int size() const { return static_cast<int>(sequence_.size()); }
  int required(int simulation) const { return sequence_[static_cast<std::size_t>(simulation)]; }

  // The place of the edge with `required` visits, pending ones included, and the largest g + logit
  // + sigma(q).
  int choose(const SearchTree& tree, int required) const;
  // Fills move, policy, win, utility, score and no_result.
  void fill(const SearchTree& tree, BoardSize size, SearchResult& result) const;

 private:
  Sigma sigma_;
  std::vector<double> logits_;
  std::vector<double> gumbel_logits_;  // the same plus the Gumbel noise, drawn once
  std::vector<int> sequence_;          // sequential halving
};

}  // namespace tengen
