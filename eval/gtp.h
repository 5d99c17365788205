#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "eval/gtp_syntax.h"
#include "eval/player.h"
#include "rules/match.h"
#include "rules/position.h"

namespace tengen {

// A GTP 2 engine (draft 2, G. Farneback) around a player. Knows no network: the caller gives it a
// player. Commands and their answers are listed in eval/README.md. It thinks as long as its player
// does: time settings are accepted and change nothing. One caller at a time.
class GtpEngine {
 public:
  struct Options {
    std::string name = "Tengen";
    std::string version;
    Rules rules;  // at the start; boardsize, komi and kata-set-rules change them
    std::uint64_t seed = 0;
    // Asked about stones that the judge of dead ones cannot settle without; nullptr for none.
    std::shared_ptr<OwnershipSource> ownership = nullptr;
    // Whether the player ponders, on a thread of its own, from its move to the next line.
    bool ponders = false;
  };
  GtpEngine(std::shared_ptr<Player> player, const Options& options);

  // Answers one line: "=..." or "?..." with the number and the closing blank line; "" for lines
  // without content. Never throws for what the line says or for a player that fails.
  std::string answer(const std::string& line);
  // Whether `quit` was answered.
  bool quit() const { return quit_; }

  // Reads lines until quit, the end of the input or an output that fails. Of an overlong line the
  // end is dropped.
  void serve(std::istream& in, std::ostream& out);

  const Position& position() const { return position_; }

 private:
  using Arguments = std::vector<std::string>;
  using Command = std::string (GtpEngine::*)(const Arguments&);
  static const std::map<std::string, Command, std::less<>>& commands();

  std::string protocol_version(const Arguments&);
  std::string name(const Arguments&);
  std::string version(const Arguments&);
  std::string known_command(const Arguments&);
  std::string list_commands(const Arguments&);
  std::string quit_command(const Arguments&);
  std::string boardsize(const Arguments&);
  std::string clear_board(const Arguments&);
  std::string komi(const Arguments&);
  std::string play(const Arguments&);
  std::string genmove(const Arguments&);
  std::string reg_genmove(const Arguments&);
  std::string undo(const Arguments&);
  std::string fixed_handicap(const Arguments&);
  std::string place_free_handicap(const Arguments&);
  std::string set_free_handicap(const Arguments&);
  std::string time_settings(const Arguments&);
  std::string kgs_time_settings(const Arguments&);
  std::string time_left(const Arguments&);
  std::string final_score(const Arguments&);
  std::string final_status_list(const Arguments&);
  std::string showboard(const Arguments&);
  std::string genmove_cleanup(const Arguments&);
  std::string mark(const Arguments&);
  std::string suggest(const Arguments&);
  std::string confirm(const Arguments&);
  std::string resume(const Arguments&);
  std::string marks(const Arguments&);
  std::string score(const Arguments&);
  std::string kata_get_rules(const Arguments&);
  std::string kata_set_rules(const Arguments&);

  void start_game();
  // The position after the handicap and the first `moves` moves, under `rules`.
  Position replay(const Rules& rules, std::size_t moves) const;
  // A move in the game so far, under `rules`.
  MoveChoice choose(Color color, const Rules& rules);
  MoveRequest request_at(const Position& position) const;
  std::jthread pondering();
  Match& marking();
  JudgeOptions judge() const { return {.ownership = options_.ownership.get()}; }
  ScoreSheet sheet() const;
  std::string listed(const PointSet& stones) const;
  static void resume_play(Position& position, Color to_move);
  void record(Color color, Move move);
  void go_back(const Rules& rules, std::size_t moves);
  void begin_marking();
  std::string place_handicap(std::vector<Point> points);
  HandicapPlacement placement() const;

  std::shared_ptr<Player> player_;
  Options options_;
  Rules rules_;
  std::vector<Point> handicap_;
  std::vector<Position::Played> played_;
  Position position_;
  std::optional<Match> marking_;  // while players mark dead stones, after two passes
  bool has_marks_ = false;        // somebody has said something about them
  std::size_t own_move_ = 0;      // the number of moves after the last that was generated
  std::uint64_t games_ = 0;       // started so far, so that games under one seed differ
  bool quit_ = false;
};

}  // namespace tengen
