#pragma once

#include <cstdint>
#include <unordered_map>

#include "nn/evaluator.h"
#include "rules/position.h"
#include "selfplay/search_result.h"

namespace tengen {

// How a position is judged, for its side to move.
struct Judgement {
  double utility = 0;    // [-1, 1], selfplay/utility.h
  double win = 0;        // probability; a draw is half
  double score = 0;      // points
  double no_result = 0;  // probability; half of it is in `win`

  Judgement turned() const { return {-utility, 1 - win, -score, no_result}; }  // for the opponent
  Judgement& operator+=(const Judgement& o) {
    utility += o.utility;
    win += o.win;
    score += o.score;
    no_result += o.no_result;
    return *this;
  }
  friend Judgement operator*(double factor, const Judgement& o) {
    return {factor * o.utility, factor * o.win, factor * o.score, factor * o.no_result};
  }
};

// The exact outcome of a finished game, for the side that would be to move. A judge of dead stones
// takes its time and is asked about the same boards again and again: `memo` keeps what it said, by
// Board::hash.
using JudgeMemo = std::unordered_map<std::uint64_t, PointSet>;
Judgement terminal_judgement(const Position& position, double score_weight, JudgeMemo& memo);
// The network's opinion. Throws Error if it is not finite.
Judgement raw_judgement(const Evaluation& answer, double score_weight, int area);

// The utility's slope by points of score, at a score (for its error).
double score_slope(double score, double score_weight, int area);

// What a search says of its root.
void set_opinion(SearchResult& result, const Judgement& opinion);

}  // namespace tengen
