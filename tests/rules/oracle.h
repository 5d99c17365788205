#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rules/rules.h"

namespace tengen {

// The rules of Go once more, as plainly as can be: a grid of characters, a flood fill for every
// question, and a list of all earlier boards. Slow; of rules/ it knows the record Rules alone.
// Points are numbers row by row, colours are 'X' and 'O'.
class Oracle {
 public:
  explicit Oracle(const Rules& rules);  // Black to move on the empty board
  Oracle(const Rules& rules, const std::string& grid, char to_move);

  const std::string& grid() const { return grid_; }  // 'X', 'O' or '.', row by row
  char to_move() const { return to_move_; }
  std::optional<int> ko() const { return ko_; }  // in play, not in clean-up
  int captured() const { return captured_; }     // by the last move

  bool is_legal(int point) const;
  // Empty, and illegal only by ko or superko; in clean-up, a ko capture already done from here.
  bool is_ko_banned(int point) const;
  std::string grid_after(int point) const;
  void play(std::optional<int> point);  // nullopt is a pass
  void set_to_move(char color);

  // "" while the game goes on, else "passes", "move-cap", "repetition" or "three-kos".
  const std::string& ending() const { return ending_; }
  // For a game that ended by repetition or three kos: 'X', 'O', '=' for a draw, '?' for no result.
  char result_without_score() const { return result_; }
  int phase() const { return phase_; }
  const std::set<int>& blocked() const { return blocked_; }
  bool would_pass_end_phase() const;
  bool has_button() const { return rules_.button && button_ == '.'; }

  std::vector<int> chain(int point) const { return flood(grid_, point); }
  int liberties(int point) const { return static_cast<int>(reach(grid_, point, '.').size()); }
  bool is_single_point_eye(int point, char color) const;

  // For each point the owner, 'X', 'O' or '.'.
  std::string area() const;
  std::string area_pass_dead_removed() const;
  // Pass-alive stones ('S') and territory ('T') of a colour.
  std::string pass_alive(char color) const;

  struct Side {
    int stones = 0, territory = 0, prisoners = 0, tax = 0, bonus = 0, button = 0, komi = 0;
    friend bool operator==(const Side&, const Side&) = default;
  };
  struct Count {
    std::string owners;  // who is given which point
    // For played-out territory only what is counted beside the board: bonus, button, komi.
    Side black, white;
    int margin = 0;  // Black's, in half points
  };
  // By the rules, with these stones dead; for rules that name none, or find them by themselves,
  // give none.
  Count count(const std::set<int>& dead) const;
  // When every point is somebody's pass-alive stone or territory.
  std::optional<Count> settled() const;

 private:
  struct Life;
  struct Independence;
  std::vector<int> neighbours(int point) const;
  // The points of one character that connect to `point`, sorted.
  std::vector<int> flood(const std::string& grid, int point) const;
  // The points that hold `ch` and touch the flood of `point`.
  std::set<int> reach(const std::string& grid, int point, char ch) const;
  std::string after(int point, int* captured, bool* is_suicide, int* own_size) const;
  bool is_suicide_allowed(int point) const;

  // The stone that a play there would take by a ko, whoever may forbid it.
  std::optional<int> ko_prey(int point, char color) const;
  // The blocked stone that a play there would free for capture.
  std::optional<int> lifted(int point) const;
  bool is_superko(int point) const;
  bool is_third_time() const;
  bool is_three_ko_draw() const;
  void play_stone(int point);
  void play_pass();
  void next_phase();
  std::tuple<std::string, char, std::set<int>> state() const {
    return {grid_, to_move_, phase_ > 0 ? blocked_ : std::set<int>()};
  }
  bool ends_by_same_pass() const;

  Life life(const std::string& grid, char color) const;
  std::string area_of(const std::string& grid) const;
  Independence independence(const std::string& grid, const std::string& owners) const;
  Independence life_by_eyes(const std::string& grid, const std::string& owners) const;
  char owner_in_seki(char owner, int point) const;
  void count_points(const std::string& grid, Count& count) const;
  Count with_extras(Count count) const;

  Rules rules_;
  std::string grid_;
  char to_move_ = 'X';
  std::optional<int> ko_;  // closed to the opponent of who took it
  char ko_taker_ = '.';
  int captured_ = 0;
  std::vector<std::pair<std::string, char>> earlier_;  // of the main phase, for superko
  std::vector<std::tuple<std::string, char, std::set<int>>> since_pass_;
  std::set<std::tuple<std::string, char, std::set<int>>> passed_in_;
  int moves_ = 0;
  int passes_ = 0;
  int phase_ = 0;
  std::string ending_;
  char result_ = '?';
  std::set<int> blocked_;
  std::set<std::tuple<std::string, int, char>> ko_captures_done_;
  std::string phase_two_start_;
  std::map<char, int> charged_;  // stones put on the board, but for clean-up phase 2
  char button_ = '.';            // who took it
};

}  // namespace tengen
