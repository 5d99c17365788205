#include "oracle.h"

#include <algorithm>

namespace tengen {
namespace {

char other(char color) {
  return color == 'X' ? 'O' : 'X';
}

}  // namespace

Oracle::Oracle(const Rules& rules) : Oracle(rules, std::string(rules.size.area(), '.'), 'X') {}

Oracle::Oracle(const Rules& rules, const std::string& grid, char to_move)
    : rules_(rules), grid_(grid), to_move_(to_move) {
  for (const char color : {'X', 'O'}) {
    charged_[color] = static_cast<int>(std::ranges::count(grid_, color));
  }
  earlier_.emplace_back(grid_, to_move_);
  since_pass_.push_back(state());
}

std::vector<int> Oracle::neighbours(int point) const {
  const int row = point / rules_.size.width;
  const int column = point % rules_.size.width;
  std::vector<int> result;
  if (row > 0) result.push_back(point - rules_.size.width);
  if (column > 0) result.push_back(point - 1);
  if (column + 1 < rules_.size.width) result.push_back(point + 1);
  if (row + 1 < rules_.size.height) result.push_back(point + rules_.size.width);
  return result;
}

std::vector<int> Oracle::flood(const std::string& grid, int point) const {
  std::vector<int> found = {point};
  std::vector<bool> seen(grid.size());
  seen[point] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const int q : neighbours(found[i])) {
      if (!seen[q] && grid[q] == grid[point]) {
        seen[q] = true;
        found.push_back(q);
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

std::set<int> Oracle::reach(const std::string& grid, int point, char ch) const {
  std::set<int> result;
  for (const int p : flood(grid, point)) {
    for (const int q : neighbours(p)) {
      if (grid[q] == ch) result.insert(q);
    }
  }
  return result;
}

std::string Oracle::after(int point, int* captured, bool* is_suicide, int* own_size) const {
  std::string grid = grid_;
  grid[point] = to_move_;
  *captured = 0;
  for (const int q : neighbours(point)) {
    if (grid[q] != other(to_move_) || !reach(grid, q, '.').empty()) continue;
    for (const int p : flood(grid, q)) {
      grid[p] = '.';
      ++*captured;
    }
  }
  const auto own = flood(grid, point);
  *own_size = static_cast<int>(own.size());
  *is_suicide = reach(grid, point, '.').empty();
  if (*is_suicide) {
    for (const int p : own) grid[p] = '.';
  }
  return grid;
}

std::string Oracle::grid_after(int point) const {
  int captured, size;
  bool is_suicide;
  return after(point, &captured, &is_suicide, &size);
}

bool Oracle::is_suicide_allowed(int point) const {
  int captured, size;
  bool is_suicide;
  after(point, &captured, &is_suicide, &size);
  if (!is_suicide) return true;
  // In clean-up a lone stone's suicide would be one pass more, and one that ends nothing.
  return size == 1 ? rules_.single_stone_suicide && phase_ == 0 : rules_.multi_stone_suicide;
}

std::optional<int> Oracle::ko_prey(int point, char color) const {
  if (grid_[point] != '.') return std::nullopt;
  std::optional<int> prey;
  for (const int q : neighbours(point)) {
    if (grid_[q] != other(color)) return std::nullopt;
    if (liberties(q) > 1) continue;
    if (prey || chain(q).size() > 1) return std::nullopt;
    prey = q;
  }
  return prey;
}

std::optional<int> Oracle::lifted(int point) const {
  if (phase_ == 0) return std::nullopt;
  if (grid_[point] == other(to_move_) && blocked_.contains(point) && chain(point).size() == 1 &&
      liberties(point) == 1) {
    return point;
  }
  const auto prey = ko_prey(point, to_move_);
  return prey && blocked_.contains(*prey) ? prey : std::nullopt;
}

bool Oracle::is_superko(int point) const {
  if (rules_.ko == Ko::kSimple) return false;
  const std::string next = grid_after(point);
  return std::ranges::any_of(earlier_, [&](const auto& e) {
    return e.first == next && (rules_.ko == Ko::kPositional || e.second == other(to_move_));
  });
}

bool Oracle::is_ko_banned(int point) const {
  if (grid_[point] != '.' || !is_suicide_allowed(point)) return false;
  if (phase_ > 0) return ko_captures_done_.contains({grid_, point, to_move_});
  return (ko_ == point && ko_taker_ != to_move_) || is_superko(point);
}

bool Oracle::is_legal(int point) const {
  if (lifted(point)) return true;
  return grid_[point] == '.' && is_suicide_allowed(point) && !is_ko_banned(point);
}

// Nobody may end a phase by passing once more where he has passed before, but for rules that say
// so; in clean-up that is always the rule.
bool Oracle::ends_by_same_pass() const {
  return phase_ > 0 || rules_.play_end == PlayEnd::kTwoPassesOrSamePass;
}

bool Oracle::would_pass_end_phase() const {
  if (has_button()) return false;
  return passes_ == 1 || (ends_by_same_pass() && passed_in_.contains(state()));
}

void Oracle::next_phase() {
  ++phase_;
  if (phase_ == 2) phase_two_start_ = grid_;
  passes_ = 0;
  passed_in_.clear();
  blocked_.clear();
  ko_captures_done_.clear();
}

void Oracle::play_pass() {
  const bool ends = would_pass_end_phase();
  ++passes_;
  passed_in_.insert(state());
  if (has_button()) {
    button_ = to_move_;
    passes_ = 0;
    passed_in_.clear();
    earlier_.clear();
  }
  to_move_ = other(to_move_);
  if (ends) {
    if (rules_.dead_stones != DeadStones::kPlayedOut || phase_ == 2) {
      ending_ = "passes";
    } else {
      next_phase();
    }
  }
  since_pass_.clear();
}

void Oracle::play_stone(int point) {
  passes_ = 0;
  if (const auto freed = lifted(point)) {
    blocked_.erase(*freed);
    to_move_ = other(to_move_);
    return;
  }
  const std::string before = grid_;
  int size;
  bool is_suicide;
  grid_ = after(point, &captured_, &is_suicide, &size);
  if (phase_ < 2) ++charged_[to_move_];
  if (captured_ == 1 && size == 1 && !is_suicide && liberties(point) == 1) {
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      if (before[i] == other(to_move_) && grid_[i] == '.') ko_ = static_cast<int>(i);
      ko_taker_ = to_move_;
    }
  }
  if (phase_ > 0) {
    if (ko_) {
      blocked_.insert(point);
      ko_captures_done_.insert({before, point, to_move_});
    }
    ko_.reset();
    std::erase_if(blocked_, [&](int p) { return grid_[p] == '.'; });
  }
  to_move_ = other(to_move_);
}

bool Oracle::is_third_time() const {
  const bool is_asked =
      phase_ > 0 || (rules_.ko == Ko::kSimple && rules_.repetition != Repetition::kPlayOn);
  return is_asked && std::ranges::count(since_pass_, state()) >= 3;
}

// Three points or more where one of the two could take a ko, and one of them is refused to the side
// to move by an earlier board and not just by the capture that was the last move.
bool Oracle::is_three_ko_draw() const {
  if (!rules_.three_ko_draw || phase_ > 0) return false;
  int open = 0;
  bool is_refused = false;
  for (int i = 0; i < rules_.size.area(); ++i) {
    const bool mine = ko_prey(i, to_move_).has_value();
    open += mine || ko_prey(i, other(to_move_)) ? 1 : 0;
    is_refused = is_refused || (mine && ko_ != i && is_superko(i));
  }
  return open >= 3 && is_refused;
}

void Oracle::play(std::optional<int> point) {
  ko_.reset();
  captured_ = 0;
  ++moves_;
  const char mover = to_move_;
  if (point) {
    play_stone(*point);
  } else {
    play_pass();
  }
  since_pass_.push_back(state());
  earlier_.emplace_back(grid_, to_move_);
  if (!ending_.empty()) return;
  if (point && is_third_time()) {
    ending_ = "repetition";
    result_ = rules_.repetition == Repetition::kDraw   ? '='
              : rules_.repetition == Repetition::kLoss ? other(mover)
                                                       : '?';
  } else if (is_three_ko_draw()) {
    ending_ = "three-kos";
    result_ = '=';
  } else if (rules_.move_cap > 0 && moves_ >= rules_.move_cap) {
    ending_ = "move-cap";
  }
}

void Oracle::set_to_move(char color) {
  if (color == to_move_) return;
  to_move_ = color;
  since_pass_.push_back(state());
  earlier_.emplace_back(grid_, to_move_);
}

bool Oracle::is_single_point_eye(int point, char color) const {
  if (grid_[point] != '.') return false;
  for (const int q : neighbours(point)) {
    if (grid_[q] != color) return false;
  }
  int enemies = 0;
  const Point p = rules_.size.point(point);
  for (const int row : {p.row() - 1, p.row() + 1}) {
    for (const int column : {p.column() - 1, p.column() + 1}) {
      const Point q = Point::at(row, column);
      enemies += rules_.size.contains(q) && grid_[rules_.size.index(q)] == other(color) ? 1 : 0;
    }
  }
  return enemies <= (neighbours(point).size() < 4 ? 0 : 1);
}

}  // namespace tengen
