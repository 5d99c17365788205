#include "oracle.h"

#include <algorithm>
#include <map>

namespace tengen {
namespace {

char other(char color) {
  return color == 'X' ? 'O' : 'X';
}

}  // namespace

Oracle::Oracle(const Rules& rules) : rules_(rules), grid_(rules.size.area(), '.') {
  earlier_.emplace_back(grid_, to_move_);
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
  return size == 1 ? rules_.single_stone_suicide : rules_.multi_stone_suicide;
}

bool Oracle::is_ko_banned(int point) const {
  if (grid_[point] != '.' || !is_suicide_allowed(point)) return false;
  if (ko_ == point) return true;
  if (rules_.ko == Ko::kSimple) return false;
  const std::string next = grid_after(point);
  return std::ranges::any_of(earlier_, [&](const auto& e) {
    return e.first == next && (rules_.ko == Ko::kPositional || e.second == other(to_move_));
  });
}

bool Oracle::is_legal(int point) const {
  return grid_[point] == '.' && is_suicide_allowed(point) && !is_ko_banned(point);
}

void Oracle::play(std::optional<int> point) {
  ko_.reset();
  captured_ = 0;
  if (point) {
    const std::string before = grid_;
    int size;
    bool is_suicide;
    grid_ = after(*point, &captured_, &is_suicide, &size);
    if (captured_ == 1 && size == 1 && !is_suicide && liberties(*point) == 1) {
      for (std::size_t i = 0; i < grid_.size(); ++i) {
        if (before[i] == other(to_move_) && grid_[i] == '.') ko_ = static_cast<int>(i);
      }
    }
  }
  to_move_ = other(to_move_);
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

std::string Oracle::area() const {
  std::string owner = grid_;
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (grid_[i] != '.') continue;
    const bool black = !reach(grid_, static_cast<int>(i), 'X').empty();
    const bool white = !reach(grid_, static_cast<int>(i), 'O').empty();
    owner[i] = black == white ? '.' : black ? 'X' : 'O';
  }
  return owner;
}

// Benson's analysis over whole-board scans.
struct Oracle::Life {
  std::string alive;       // 'S' stones, 'T' territory
  std::string safe_big;    // regions without enemy stones beside alive chains only
  std::string unsafe_big;  // beside any chains
};

Oracle::Life Oracle::life(char color) const {
  const std::string none(grid_.size(), '.');
  Life result{none, none, none};
  if (grid_.find(color) == std::string::npos) return result;
  std::string merged = grid_;  // all that is not `color` as one
  for (char& c : merged) c = c == color ? color : '.';

  std::set<std::vector<int>> chains;
  std::set<std::vector<int>> regions;
  for (int i = 0; i < rules_.size.area(); ++i) {
    if (grid_[i] == color) chains.insert(flood(grid_, i));
    if (grid_[i] == '.') regions.insert(flood(merged, i));
  }
  const auto touches = [&](const std::vector<int>& chain, int point) {
    return std::ranges::any_of(neighbours(point),
                               [&](int q) { return std::ranges::binary_search(chain, q); });
  };
  const auto is_vital = [&](const std::vector<int>& region, const std::vector<int>& chain) {
    return std::ranges::all_of(region, [&](int p) {
      return (grid_[p] != '.' && !rules_.multi_stone_suicide) || touches(chain, p);
    });
  };
  const auto borders = [&](const std::vector<int>& region, const std::vector<int>& chain) {
    return std::ranges::any_of(region, [&](int p) { return touches(chain, p); });
  };
  // Regions beside a killed chain are lost, until every chain has two vital ones.
  std::set<std::vector<int>> alive = chains;
  std::set<std::vector<int>> good = regions;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& chain : std::set(alive)) {
      if (std::ranges::count_if(good, [&](const auto& r) { return is_vital(r, chain); }) >= 2) {
        continue;
      }
      alive.erase(chain);
      std::erase_if(good, [&](const auto& r) { return borders(r, chain); });
      changed = true;
    }
  }
  for (const auto& chain : alive) {
    for (const int p : chain) result.alive[p] = 'S';
  }
  for (const auto& region : regions) {
    const auto inner = std::ranges::count_if(region, [&](int p) {
      return std::ranges::none_of(neighbours(p), [&](int q) { return grid_[q] == color; });
    });
    const bool has_enemy =
        std::ranges::any_of(region, [&](int p) { return grid_[p] == other(color); });
    for (const int p : region) {
      if (good.contains(region) && inner <= 1) result.alive[p] = 'T';
      if (good.contains(region) && !has_enemy) result.safe_big[p] = 'T';
      if (!has_enemy) result.unsafe_big[p] = 'T';
    }
  }
  return result;
}

std::string Oracle::pass_alive(char color) const {
  return life(color).alive;
}

std::string Oracle::area_pass_dead_removed() const {
  std::string owner(grid_.size(), '.');
  for (const char color : {'X', 'O'}) {
    const Life l = life(color);
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      if (l.alive[i] != '.' || l.safe_big[i] != '.') owner[i] = color;
      if (l.unsafe_big[i] != '.' && owner[i] == '.') owner[i] = color;
    }
  }
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (owner[i] == '.') owner[i] = grid_[i];
  }
  return owner;
}

}  // namespace tengen
