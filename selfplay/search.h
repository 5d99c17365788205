#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "nn/evaluator.h"
#include "rules/position.h"
#include "selfplay/search_options.h"
#include "selfplay/search_result.h"

namespace tengen {

// One search of one position, by one of three algorithms:
//   gumbel  Gumbel root with sequential halving and completed Q, full-Gumbel interior nodes
//           (selfplay/gumbel.h)
//   puct    KataGo's PUCT, at the root with noise, temperature and forced playouts if it explores
//           (selfplay/puct.h)
//   hybrid  the first by Gumbel, the rest by PUCT without noise, the result as in PUCT
// Finished games count exactly. A search hands out leaves and takes the answers back; it knows no
// network, no thread and no file:
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
// finished game needs no evaluation. The outcome is a function of (options, position, seed), of how
// many leaves are gathered at a time, and the answers; so is the symmetry of each leaf.
class Search {
 public:
  // Copies `root`. A root after two passes is searched as if the game went on. Requires
  // options.visits >= 1, options.max_considered >= 1 and a known algorithm.
  Search(const SearchOptions& options, const Position& root, std::uint64_t seed);
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;
  ~Search();

  // Begins anew, as if just constructed, and keeps the memory: a game resets one Search for move
  // after move.
  void reset(const SearchOptions& options, const Position& root, std::uint64_t seed);
  // Goes on after a move: the root's position is that after it. PUCT and hybrid keep what they have
  // below the move, whose simulations count among options.visits. Else as reset. Requires a legal
  // move and that no answer is awaited.
  void advance(Move move, std::uint64_t seed);
  const Position& root() const;

  // Fills the next leaves and returns how many; 0 says that the search is complete. After any,
  // absorb must follow before the next gather. Several leaves at a time are for one game alone,
  // whose batches would be small (GTP); with many games, one of each is better. A Gumbel search
  // gives the same result for any number; PUCT sends simulations elsewhere while others are under
  // way, and gives fewer leaves than asked for where they meet.
  int gather(std::span<EvaluationInput> leaves);
  bool gather(EvaluationInput& leaf) { return gather({&leaf, 1}) == 1; }
  // The answers to the leaves gathered last, in their order. Throws Error if one is not finite.
  void absorb(std::span<const Evaluation> answers);
  void absorb(const Evaluation& answer) { absorb({&answer, 1}); }

  // Lets a PUCT or hybrid search go on to a larger number of visits, or end with a smaller one.
  // Requires visits >= 1.
  void set_visits(int visits);
  // Requires that gather returned 0. The visits of the result sum to options.visits, or to more in
  // a tree that was kept.
  SearchResult result() const;

  std::size_t bytes() const;  // of memory held

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs one search to its end, with `leaves` at a time.
SearchResult search_position(const SearchOptions& options, const Position& root, std::uint64_t seed,
                             Evaluator& evaluator, int leaves = 1);

}  // namespace tengen
