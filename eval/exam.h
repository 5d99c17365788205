#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eval/openings.h"
#include "nn/evaluator.h"
#include "selfplay/search.h"

namespace tengen {

struct ExamOptions {
  Rules rules;           // on 5x5; the exam sets komi
  SearchOptions search;  // the run's; the exam sets visits to its own and gumbel_scale to 0
  int visits = 64;       // per move, in everything below
  int match_pairs = 50;
  int rollout_playouts = 1000;  // per move, of the tree search without a net
  std::uint64_t seed = 1;
  // Ends at the first check that fails, cheap ones first, for trying during a run.
  bool stop_at_failure = false;
};

struct ExamCheck {
  bool passed;
  std::string text;  // one line in plain words with the figures
};

// What the exam found. Checks that were not reached (stop_at_failure) are absent.
struct ExamReport {
  std::vector<ExamCheck> checks;
  bool is_complete = false;  // every check was made

  bool passed() const;
};

// The openings of checks 4 and 5, used in turn, at most `count`: the same in every exam. On 5x5
// under the default rules 46 are all there are.
std::vector<EvenOpening> exam_openings(const Rules& rules, int count);

// What 5x5 tells about a net: the game is solved, Black opens in the centre and wins the whole
// board, +25 (van der Werf, 2002). Five checks, each by `visits` visits a move and no noise:
//   1. at komi 24 the net opens in the centre;
//   2. its searched root value for Black on the empty board, the mean result of one search with a
//      draw as half, is > 0.95 at komi 24 and < 0.05 at komi 25.5;
//   3. from the centre at komi 24 the net plays itself 20 times, White's first reply forced to each
//      point but the corners in turn; Black wins at least 19 games (margin > 0);
//   4. against the untrained net it wins >= 95 % of the games of `match_pairs` pairs;
//   5. against a tree search of `rollout_playouts` random playouts a move it wins >= 95 % of the
//      pairs that margins decide (pair_margins), and those are at least half of all.
// Openings of 4 and 5 are two random moves, all different up to symmetry, at a komi at which two
// weak equal searches without a net win half each (eval/openings.h), those left out in which even
// these take more than two thirds of the board (exam_openings). Both colours are played from each.
// In 5 games are not counted because on a board that small exact play wins one game of most pairs
// and loses the other: the opening says which, and a thousand playouts are enough to win many of
// them. `net` and `untrained` are evaluators of the same kind, before and after learning. Throws
// Error for other boards.
ExamReport exam_5x5(std::shared_ptr<Evaluator> net, std::shared_ptr<Evaluator> untrained,
                    const ExamOptions& options);

// The checks, one a line, each with "passed" or "FAILED" in front.
std::string to_text(const ExamReport& report);

}  // namespace tengen
