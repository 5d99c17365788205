#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/position.h"

namespace tengen {

// The rules of Go once more, as plainly as can be: a grid of characters, a flood fill for every
// question, and a list of all earlier boards. Slow; it shares no code with rules/.
class Oracle {
 public:
  explicit Oracle(const Rules& rules);

  const std::string& grid() const { return grid_; }  // 'X', 'O' or '.', row by row
  char to_move() const { return to_move_; }
  std::optional<int> ko() const { return ko_; }
  int captured() const { return captured_; }  // by the last move

  bool is_legal(int point) const;
  bool is_ko_banned(int point) const;  // empty, and illegal only by ko or superko
  std::string grid_after(int point) const;
  void play(std::optional<int> point);  // nullopt is a pass

  std::vector<int> chain(int point) const { return flood(grid_, point); }
  int liberties(int point) const { return static_cast<int>(reach(grid_, point, '.').size()); }
  bool is_single_point_eye(int point, char color) const;

  // For each point the owner, 'X', 'O' or '.'.
  std::string area() const;
  std::string area_pass_dead_removed() const;
  // Pass-alive stones ('S') and territory ('T') of a colour.
  std::string pass_alive(char color) const;

 private:
  struct Life;
  std::vector<int> neighbours(int point) const;
  // The points of one character that connect to `point`, sorted.
  std::vector<int> flood(const std::string& grid, int point) const;
  // The points that hold `ch` and touch the flood of `point`.
  std::set<int> reach(const std::string& grid, int point, char ch) const;
  std::string after(int point, int* captured, bool* is_suicide, int* own_size) const;
  bool is_suicide_allowed(int point) const;
  Life life(char color) const;

  Rules rules_;
  std::string grid_;
  char to_move_ = 'X';
  std::optional<int> ko_;
  int captured_ = 0;
  std::vector<std::pair<std::string, char>> earlier_;
};

}  // namespace tengen
