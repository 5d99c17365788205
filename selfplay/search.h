#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "configs/option.h"
#include "nn/evaluator.h"
#include "rules/position.h"

namespace tengen {

// Defaults for Go: Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022);
// facts in selfplay/README.md.
struct SearchOptions {
  int visits = 32;          // simulations per move, >= 1
  int max_considered = 16;  // root moves that share them, >= 1
  double c_visit = 50;      // sigma(q) = (c_visit + max visits) * c_scale * q
  double c_scale = 1.0;
  double score_weight = 0.2;  // w in utility = (1 - w) * (win - loss) + w * score utility
  double gumbel_scale = 1.0;  // 1 explores (self-play), 0 plays the best (matches)
  FeatureSchema features = FeatureSchema::kV7;  // of the leaves: what the evaluator takes
};

template <class Visit>
void for_each_option(SearchOptions& o, Visit visit) {
  visit("visits", o.visits,
        {"simulations per move, on top of the root's own evaluation", 1, 100000});
  visit("max_considered", o.max_considered,
        {"root moves considered by sequential halving (m)", 1, 362});
  visit("c_visit", o.c_visit, {"sigma(q) = (c_visit + max visits) * c_scale * q", 0, 1e6});
  visit("c_scale", o.c_scale, {"see c_visit; utilities lie in [-1, 1]", 0, 1e6});
  visit("score_weight", o.score_weight,
        {"share of the score in the utility, the rest is win - loss", 0, 1});
}

// What a search found. Everything for the side to move at the root.
struct SearchResult {
  Move move = Move::pass();   // the move to play
  std::vector<float> policy;  // [area + 1] improved policy over legal moves, sums to 1
  std::vector<float> prior;   // [area + 1] the network's, over legal moves
  std::vector<int> visits;  // [area + 1] simulations through each move; their sum is options.visits
  float win = 0.5F;         // win probability of the root after search, a draw is half
  float utility = 0;        // policy-improved value of the root, in [-1, 1]
  float score = 0;          // expected margin in points after search
  int evaluations = 0;      // network rows asked for: at most 1 + options.visits
};

// One search of one position: Gumbel root with sequential halving and completed Q, full-Gumbel
// interior nodes, exact values for finished games (selfplay/gumbel.h has the formulas). It hands
// out leaves and takes the answers back; it knows no network, no thread and no file:
//
//   EvaluationInput leaf;
//   Evaluation answer;
//   while (search.gather(leaf)) {
//     evaluator.evaluate({&leaf, 1}, {&answer, 1});
//     search.absorb(answer);
//   }
//   SearchResult result = search.result();
//
// The root is evaluated first, then come exactly options.visits simulations; one that ends in a
// finished game needs no evaluation. The outcome is a function of (options, position, seed) and the
// answers, and so is the symmetry of each leaf.
class Search {
 public:
  // Copies `root`. A root after two passes is searched as if the game went on. Requires
  // options.visits >= 1 and options.max_considered >= 1.
  Search(const SearchOptions& options, const Position& root, std::uint64_t seed);
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;
  ~Search();

  // Begins anew, as if just constructed, and keeps the memory: a game resets one Search for move
  // after move.
  void reset(const SearchOptions& options, const Position& root, std::uint64_t seed);

  // Fills the next leaf and returns true, or returns false when the search is complete. After true,
  // absorb must follow before the next gather.
  bool gather(EvaluationInput& leaf);
  // Throws Error if the answer is not finite.
  void absorb(const Evaluation& answer);
  // Requires that gather returned false.
  SearchResult result() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs one search to its end.
SearchResult search_position(const SearchOptions& options, const Position& root, std::uint64_t seed,
                             Evaluator& evaluator);

}  // namespace tengen
