#include "selfplay/judgement.h"

#include <algorithm>
#include <cmath>

#include "rules/check.h"
#include "rules/dead_stones.h"
#include "selfplay/utility.h"

namespace tengen {
namespace {

Score final_score_of(const Position& position, JudgeMemo& memo) {
  constexpr std::size_t kMostKept = 4096;
  const Rules& rules = position.rules();
  const bool is_judged =
      rules.dead_stones == DeadStones::kMarked || rules.dead_stones == DeadStones::kAutomatic;
  if (!is_judged) return position.score();
  if (memo.size() >= kMostKept) memo.clear();
  const auto [entry, is_new] = memo.try_emplace(position.board().hash());
  if (is_new) entry->second = judge_dead_stones(position.board(), rules).dead;
  return position.score_sheet(entry->second).score();
}

}  // namespace

Judgement terminal_judgement(const Position& position, double score_weight, JudgeMemo& memo) {
  const bool is_scored = position.is_scored();
  const Score score = is_scored ? final_score_of(position, memo) : Score{};
  const Outcome outcome = is_scored ? Outcome{score.winner()} : position.outcome();
  const double win = !outcome.winner ? 0.5 : *outcome.winner == position.to_move() ? 1 : 0;
  const double black_margin = is_scored ? score.black_margin() : 0;
  const double margin = position.to_move() == Color::kBlack ? black_margin : -black_margin;
  return {utility_of(win, 1 - win, margin, score_weight, position.size().area()), win, margin,
          outcome.is_no_result ? 1.0 : 0.0};
}

Judgement raw_judgement(const Evaluation& answer, double score_weight, int area) {
  const Judgement outcome = {utility_of(answer.win, answer.loss, answer.score, score_weight, area),
                             answer.win + 0.5 * answer.no_result, answer.score, answer.no_result};
  if (!std::isfinite(outcome.utility + outcome.win + outcome.score)) {
    throw Error("evaluation: expected a finite value and score, found NaN or infinity");
  }
  return outcome;
}

double score_slope(double score, double score_weight, int area) {
  constexpr double kStep = 0.5;
  const double rise = score_utility(score + kStep, area) - score_utility(score - kStep, area);
  return score_weight * rise / (2 * kStep);
}

void set_opinion(SearchResult& result, const Judgement& opinion) {
  result.win = static_cast<float>(std::clamp(opinion.win, 0.0, 1.0));  // rounding aside
  result.utility = static_cast<float>(opinion.utility);
  result.score = static_cast<float>(opinion.score);
  result.no_result = static_cast<float>(std::clamp(opinion.no_result, 0.0, 1.0));
}

}  // namespace tengen
