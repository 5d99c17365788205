#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/board.h"
#include "rules/check.h"
#include "rules/clean_up.h"
#include "rules/history.h"
#include "rules/move.h"
#include "rules/rules.h"
#include "rules/score.h"
#include "rules/score_sheet.h"

namespace tengen {

// What ended a game's play.
enum class PlayEnding : std::uint8_t { kPasses, kMoveCap, kRepetition, kThreeKos };
std::string_view name_of(PlayEnding ending);

// How a game came out. `winner` is empty for a draw and where there is no result.
struct Outcome {
  std::optional<Color> winner = {};
  bool is_no_result = false;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
std::string_view name_of(const Outcome& outcome);  // "black", "white", "draw", "no-result"

// A game in progress: board, side to move, rules and the history that superko and the network need.
// A value: a search copies it and plays on. A copy costs a Board's and some 0.8 KB of history.
//
// Where dead stones are `played-out`, a game has three phases (KataGo's,
// cpp/game/boardhistory.cpp): play, and two of clean-up, each ended by passes. Stones are charged
// for in the first two, so that a stone played in vain costs the point it would under Japanese
// counting; in the last they are free, and what then does not live independently must have stood
// before it to count.
class Position {
 public:
  // Black to move on an empty board, or White with handicap stones on star points. Requires valid
  // rules; those with a free handicap need a set-up.
  explicit Position(const Rules& rules);
  // A set-up position, no history. Requires board.size() == rules.size.
  Position(const Rules& rules, const Board& board, Color to_move);

  const Rules& rules() const { return rules_; }
  BoardSize size() const { return rules_.size; }
  const Board& board() const { return board_; }
  Color to_move() const { return to_move_; }
  int ply() const { return ply_; }  // moves played, passes included, from the set-up position

  // All rules, superko included. A pass is always legal. In clean-up a point is also legal where a
  // play lifts a block, even if a stone stands there, and a lone stone's suicide never is.
  bool is_legal(Move m) const;
  PointSet legal_points() const;
  // Empty points that only the ko rule forbids to the side to move: the simple-ko point and
  // superko; in clean-up, ko captures already done in this position (legal all the same where they
  // would lift a block).
  PointSet ko_banned() const;

  // Plays for the side to move. Requires is_legal(m); of this only an empty point is checked.
  void play(Move m);
  // Makes `c` the side to move, for two moves in a row by one colour (GTP). History is kept.
  void set_to_move(Color c);
  // Takes up play where passes had ended it, with `c` to move: passes count anew, the history of
  // superko stays. Requires is_over(), by passes, and rules without clean-up phases.
  void resume(Color c);

  // What ended play, all phases of it, if something has. Playing on is allowed.
  std::optional<PlayEnding> ending() const { return ending_; }
  bool is_over() const { return ending_.has_value(); }
  // Whether the count says who won: unless a repetition or three kos ended the game.
  bool is_scored() const {
    return ending_ != PlayEnding::kRepetition && ending_ != PlayEnding::kThreeKos;
  }
  // Requires is_over(). By the score if is_scored(), else by what the rules say of such an ending.
  Outcome outcome() const;
  int passes_in_a_row() const { return passes_; }
  // Whether a pass now would end this phase, and play as a whole.
  bool pass_would_end_phase() const;
  bool pass_would_end_game() const { return pass_would_end_phase() && is_last_phase(); }

  int phase() const { return phase_; }  // 0 play, 1 and 2 clean-up
  int plies_in_phase() const { return ply_ - phase_start_ply_; }
  PointSet ko_blocked() const { return clean_up_ ? clean_up_->blocked() : PointSet(); }
  const PointSet& phase_two_start(Color c) const { return count_.phase_two_start[index_of(c)]; }
  bool has_button() const { return rules_.button && !count_.button; }
  // Stones of `c` that were taken, its suicides too; without those of clean-up phase 2.
  int lost_stones(Color c) const { return count_.lost[index_of(c)]; }
  const PlayCount& play_count() const { return count_; }

  // What White has beside komi and points on the board, in half points: for the handicap and the
  // button, and under territory scoring what Black's stones cost more than White's (KataGo's "white
  // bonus": with it, territory is counted like area).
  int white_bonus_half_points() const;

  // Scored as the board stands now, by the rules; correct also before the game's end. Stones that
  // players would mark, or a judge finds, are those of rules/dead_stones.h.
  Score score() const { return score_sheet().score(); }
  ScoreSheet score_sheet() const;
  // With these stones dead. Requires rules whose dead stones are not `played-out`, or none.
  ScoreSheet score_sheet(const PointSet& dead) const;
  // The score once nothing can change any more, as every point belongs to somebody's pass-alive
  // stones or territory: dead stones there count for its owner, as they would after being taken
  // off, whatever the rules say of dead stones; a button that is left goes to the side to move.
  // nullopt before that.
  std::optional<Score> settled_score() const;
  bool is_all_pass_alive() const { return settled_score().has_value(); }

  struct Played {
    Color color;
    Move move;
    friend bool operator==(const Played&, const Played&) = default;
  };
  // The last moves, the latest first: recent(0) is the last one. Requires back < ply() and
  // back < kRecent.
  Played recent(int back) const;
  static constexpr int kRecent = 5;
  // The boards before the last move and before the one before it, the later first; as many as
  // there were moves.
  std::array<PastBoard, 2> past_boards() const;

  // What superko compares, positional: the stones only.
  std::uint64_t hash() const { return board_.hash(); }

 private:
  friend struct RandomGame;  // playout.cc
  static constexpr Played kNone = {Color::kBlack, Move::pass()};

  bool keeps_history() const { return rules_.ko != Ko::kSimple || counts_repetitions(); }
  // Where superko does not forbid repetitions and somebody asks for them.
  bool counts_repetitions() const {
    return phase_ > 0 || (rules_.ko == Ko::kSimple && rules_.repetition != Repetition::kPlayOn);
  }
  bool is_last_phase() const { return rules_.dead_stones != DeadStones::kPlayedOut || phase_ == 2; }
  bool ends_by_same_pass() const {
    return phase_ > 0 || rules_.play_end == PlayEnd::kTwoPassesOrSamePass;
  }
  std::uint64_t state() const;
  std::uint64_t pass_state() const;
  void play_stone(Point p);
  bool play_pass();
  void end_phase();
  bool is_three_ko_draw() const;

  Rules rules_;
  Color to_move_;
  std::int8_t phase_ = 0;
  std::optional<PlayEnding> ending_;
  int ply_ = 0;
  int phase_start_ply_ = 0;
  int passes_ = 0;
  std::array<Played, kRecent> recent_ = {kNone, kNone, kNone, kNone,
                                         kNone};  // move n at n % kRecent
  std::array<PastBoard, 2> past_boards_;          // before move n, at n % 2
  PlayCount count_;
  Board board_;
  // State keys: of all earlier positions for superko; else, to count repetitions, of those since
  // the last pass.
  History history_;
  std::vector<std::uint64_t> passed_in_;  // where a same pass ends play: states of passes so far
  std::optional<CleanUp> clean_up_;       // in clean-up phases
};

}  // namespace tengen
