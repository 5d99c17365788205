#pragma once

#include <array>
#include <optional>

#include "rules/match.h"

namespace tengen {

// Who has which colour in a game of several, and with how many handicap stones.
struct GamePlan {
  Seat black = Seat::kHost;
  int handicap = 0;

  ColorChoice colors() const {
    return black == Seat::kHost ? ColorChoice::kHostIsBlack : ColorChoice::kGuestIsBlack;
  }
  friend bool operator==(const GamePlan&, const GamePlan&) = default;
};

// Games between the same two, as many as they like, with the handicap ladder of the preset
// `traditional`. Between equals the colours alternate. Whoever wins three games in a row has
// the match-up made harder by a step: on the first step the weaker player always has Black, then
// also two handicap stones, three, ... up to `max_handicap`. Three wins in a row of the weaker
// player take a step back. A step begins a new run, a draw breaks one; a game without result is
// played again.
class Series {
 public:
  static constexpr int kWinsPerStep = 3;

  // Requires max_handicap >= 0; with less than 2 the ladder ends at the first step.
  explicit Series(Seat first_black = Seat::kHost, int max_handicap = 9);

  GamePlan next_game() const;
  void record(const Outcome& outcome);  // of the game that next_game() told

  int step() const { return step_; }  // 0 between equals
  // Who is held to be the weaker player; empty between equals.
  std::optional<Seat> weaker() const;
  int wins_in_a_row() const { return run_; }
  std::array<int, 2> wins() const { return wins_; }  // by player
  int games() const { return games_; }               // with draws

 private:
  Seat next_black_;  // between equals
  int last_step_;
  int step_ = 0;
  Seat stronger_ = Seat::kHost;     // on a step
  Seat last_winner_ = Seat::kHost;  // whose run it is
  int run_ = 0;
  std::array<int, 2> wins_{};
  int games_ = 0;
};

// An even match as the preset `three-rules` has it: two games with colours swapped, whose margins
// are added. A game lost by resignation or time has no count and is lost by as many points as the
// board has. Equal margins are a draw.
class TwoGameMatch {
 public:
  explicit TwoGameMatch(BoardSize size, Seat first_black = Seat::kHost);

  // Requires !is_over().
  GamePlan next_game() const;
  // The result of that game; without result it is played again.
  void record(const FinishedMatch& result);

  bool is_over() const { return games_ == 2; }
  // The sum so far, for the host.
  int host_margin_half_points() const { return host_margin_half_points_; }
  // Requires is_over(). Empty for a draw.
  std::optional<Seat> winner() const;

 private:
  BoardSize size_;
  Seat first_black_;
  int games_ = 0;
  int host_margin_half_points_ = 0;
};

}  // namespace tengen
