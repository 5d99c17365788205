#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/dead_stones.h"
#include "rules/position.h"

namespace tengen {

// The two who play: the one who opened the game, and the one who came.
enum class Seat : std::uint8_t { kHost, kGuest };

constexpr Seat opponent(Seat p) {
  return p == Seat::kHost ? Seat::kGuest : Seat::kHost;
}

// Who takes Black.
enum class ColorChoice : std::uint8_t { kRandom, kHostIsBlack, kGuestIsBlack };

struct MatchOptions {
  ColorChoice colors = ColorChoice::kHostIsBlack;
  std::uint64_t seed = 0;   // draws the colours if they are random
  JudgeOptions judge = {};  // of dead stones: `automatic`, move caps and suggestions
};

// Placing: Black has to put down a free handicap. Scoring: both mark dead stones.
enum class MatchState : std::uint8_t { kPlacing, kPlaying, kScoring, kFinished };
std::string_view name_of(MatchState state);

enum class MatchEnding : std::uint8_t { kScore, kResignation, kTime, kRepetition, kThreeKos };
std::string_view name_of(MatchEnding ending);

struct FinishedMatch {
  Outcome outcome = {};
  MatchEnding ending = MatchEnding::kScore;
  std::optional<ScoreSheet> sheet = {};      // if the score decided
  std::optional<JudgeLevel> judged_by = {};  // if a judge said which stones are dead
};
std::string to_text(const FinishedMatch& result);  // as SGF's RE: "B+3.5" "W+R" "B+T" "0" "Void"

// A game between two players from the colours to the result, whoever they are; it keeps no clock
// and is told when time has run out. Moves and signals come from outside: what is not possible now
// throws Error, which says why, and leaves the match as it was.
//
//   placing -> playing -> (two passes) -> scoring -> (both confirm) -> finished
//                 ^------- resume -----------'
//
// Two passes lead to scoring where the players mark dead stones (DeadStones::kMarked), else
// to the end. Repetition, three kos and the move cap end a match at once; a cap leaves marking to
// the judge.
class Match {
 public:
  // From the start, handicap included. Requires valid rules.
  explicit Match(const Rules& rules, const MatchOptions& options = {});
  // From a position on, whose stones include the handicap. Requires that it is not over.
  explicit Match(const Position& start, const MatchOptions& options = {});

  MatchState state() const { return state_; }
  const Position& position() const { return position_; }
  Color color_of(Seat p) const { return p == Seat::kHost ? host_ : opponent(host_); }
  Seat player_of(Color c) const { return c == host_ ? Seat::kHost : Seat::kGuest; }
  const std::vector<Position::Played>& moves() const { return moves_; }  // automatic passes too

  // Placing: Black's free handicap, as many empty points as the rules have stones. White is next.
  void place_handicap(std::span<const Point> points);

  // Playing: a move by the side whose turn it is.
  void play(Color by, Move move);

  // Playing: the turn ran out of time and is a pass; the third of a player's turns in a row that
  // does so loses. Scoring: the marks are accepted as they are, whoever's time it was.
  void time_out(Color whose);
  int time_outs_in_a_row(Color c) const { return time_outs_[index_of(c)]; }

  // Scoring: marks of dead stones, none at first. A change withdraws both confirmations.
  const PointSet& dead() const { return dead_; }
  bool is_confirmed_by(Color c) const { return confirmed_[index_of(c)]; }
  ScoreSheet count() const;     // with these marks
  void toggle_dead(Point p);    // all stones of the chain there
  DeadStonesVerdict suggest();  // marks what the judge finds dead, in place of earlier marks
  void confirm(Color by);       // when both have, the match is finished
  void resume(Color by);        // play goes on without marks; it is the turn of by's opponent

  // Before the end: loses at once.
  void resign(Color by);

  // Requires a finished match.
  const FinishedMatch& result() const;

 private:
  void require(bool holds, std::string_view expected) const;
  void advance(Move move);
  void finish_play();
  void change_marks(const PointSet& dead);
  void finish(const FinishedMatch& result);
  void finish_by_score(const ScoreSheet& sheet, std::optional<JudgeLevel> judged_by = {});

  Color host_;
  JudgeOptions judge_;
  MatchState state_ = MatchState::kPlaying;
  Position position_;
  std::vector<Position::Played> moves_;
  std::array<int, 2> time_outs_{};       // by colour: in a row, up to its last turn
  PointSet dead_;                        // marks
  std::array<bool, 2> confirmed_{};      // by colour
  std::optional<FinishedMatch> result_;  // if finished
};

}  // namespace tengen
