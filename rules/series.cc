#include "rules/series.h"

#include <algorithm>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr int kFewestStones = 2;  // of a handicap; before it the weaker player only has Black

Seat winner_of(const GamePlan& plan, Color winner) {
  return winner == Color::kBlack ? plan.black : opponent(plan.black);
}

}  // namespace

Series::Series(Seat first_black, int max_handicap)
    : next_black_(first_black), last_step_(std::max(max_handicap, 1)) {
  check(max_handicap >= 0, "a number of handicap stones");
}

GamePlan Series::next_game() const {
  if (step_ == 0) return {next_black_, 0};
  return {opponent(stronger_), step_ >= kFewestStones ? step_ : 0};
}

std::optional<Seat> Series::weaker() const {
  if (step_ == 0) return std::nullopt;
  return opponent(stronger_);
}

void Series::record(const Outcome& outcome) {
  if (outcome.is_no_result) return;
  const GamePlan plan = next_game();
  next_black_ = opponent(plan.black);
  ++games_;
  if (!outcome.winner) {
    run_ = 0;
    return;
  }
  const Seat winner = winner_of(plan, *outcome.winner);
  ++wins_[static_cast<int>(winner)];
  run_ = winner == last_winner_ ? run_ + 1 : 1;
  last_winner_ = winner;
  if (run_ < kWinsPerStep) return;
  run_ = 0;
  if (step_ == 0) stronger_ = winner;
  step_ = winner == stronger_ ? std::min(step_ + 1, last_step_) : step_ - 1;
}

TwoGameMatch::TwoGameMatch(BoardSize size, Seat first_black)
    : size_(size), first_black_(first_black) {}

GamePlan TwoGameMatch::next_game() const {
  check(!is_over(), "a match of two games");
  return {games_ == 0 ? first_black_ : opponent(first_black_), 0};
}

void TwoGameMatch::record(const FinishedMatch& result) {
  const GamePlan plan = next_game();
  if (result.outcome.is_no_result) return;
  int black_margin = 0;  // in half points
  if (result.sheet) {
    black_margin = result.sheet->score().black_margin_half_points();
  } else if (result.outcome.winner) {
    black_margin = 2 * size_.area() * (*result.outcome.winner == Color::kBlack ? 1 : -1);
  }
  host_margin_half_points_ += plan.black == Seat::kHost ? black_margin : -black_margin;
  ++games_;
}

std::optional<Seat> TwoGameMatch::winner() const {
  check(is_over(), "the winner of a match that is over");
  if (host_margin_half_points_ == 0) return std::nullopt;
  return host_margin_half_points_ > 0 ? Seat::kHost : Seat::kGuest;
}

}  // namespace tengen
