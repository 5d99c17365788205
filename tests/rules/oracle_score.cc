#include <algorithm>

#include "oracle.h"

namespace tengen {
namespace {

char other(char color) {
  return color == 'X' ? 'O' : 'X';
}

}  // namespace

std::string Oracle::area() const {
  return area_of(grid_);
}

std::string Oracle::area_of(const std::string& grid) const {
  std::string owner = grid;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid[i] != '.') continue;
    const bool black = !reach(grid, static_cast<int>(i), 'X').empty();
    const bool white = !reach(grid, static_cast<int>(i), 'O').empty();
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

Oracle::Life Oracle::life(const std::string& grid, char color) const {
  const std::string none(grid.size(), '.');
  Life result{none, none, none};
  if (grid.find(color) == std::string::npos) return result;
  std::string merged = grid;  // all that is not `color` as one
  for (char& c : merged) c = c == color ? color : '.';

  std::set<std::vector<int>> chains;
  std::set<std::vector<int>> regions;
  for (int i = 0; i < rules_.size.area(); ++i) {
    if (grid[i] == color) chains.insert(flood(grid, i));
    if (grid[i] == '.') regions.insert(flood(merged, i));
  }
  const auto touches = [&](const std::vector<int>& chain, int point) {
    return std::ranges::any_of(neighbours(point),
                               [&](int q) { return std::ranges::binary_search(chain, q); });
  };
  const auto is_vital = [&](const std::vector<int>& region, const std::vector<int>& chain) {
    return std::ranges::all_of(region, [&](int p) {
      return (grid[p] != '.' && !rules_.multi_stone_suicide) || touches(chain, p);
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
      return std::ranges::none_of(neighbours(p), [&](int q) { return grid[q] == color; });
    });
    const bool has_enemy =
        std::ranges::any_of(region, [&](int p) { return grid[p] == other(color); });
    for (const int p : region) {
      if (good.contains(region) && inner <= 1) result.alive[p] = 'T';
      if (good.contains(region) && !has_enemy) result.safe_big[p] = 'T';
      if (!has_enemy) result.unsafe_big[p] = 'T';
    }
  }
  return result;
}

std::string Oracle::pass_alive(char color) const {
  return life(grid_, color).alive;
}

std::string Oracle::area_pass_dead_removed() const {
  std::string owner(grid_.size(), '.');
  for (const char color : {'X', 'O'}) {
    const Life l = life(grid_, color);
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

// Of an area, what lives by itself: its connected parts of one owner that hold no stone of the
// owner's in atari and touch no empty point of nobody's.
struct Oracle::Independence {
  std::string owners;  // '.' where nothing does
  int black_parts = 0, white_parts = 0;
};

Oracle::Independence Oracle::independence(const std::string& grid,
                                          const std::string& owners) const {
  Independence result{std::string(grid.size(), '.')};
  std::set<std::vector<int>> parts;
  for (int i = 0; i < rules_.size.area(); ++i) {
    if (owners[i] != '.') parts.insert(flood(owners, i));
  }
  for (const auto& part : parts) {
    const char owner = owners[part[0]];
    const bool is_seki = std::ranges::any_of(part, [&](int p) {
      if (grid[p] == owner && reach(grid, p, '.').size() == 1) return true;
      return std::ranges::any_of(neighbours(p),
                                 [&](int q) { return owners[q] == '.' && grid[q] == '.'; });
    });
    if (is_seki) continue;
    for (const int p : part) result.owners[p] = owner;
    ++(owner == 'X' ? result.black_parts : result.white_parts);
  }
  return result;
}

// Life as players see it, without waiting for all dame to be filled: a connected part of an area
// may die if it holds no pass-alive stone and has its empty points in one place of at most six, or
// nowhere. It is in seki if dame that it touches lead to such a part of the other colour.
Oracle::Independence Oracle::life_by_eyes(const std::string& grid,
                                          const std::string& owners) const {
  Independence result{std::string(grid.size(), '.')};
  const std::string alive[] = {life(grid, 'X').alive, life(grid, 'O').alive};
  std::set<std::vector<int>> parts;
  for (int i = 0; i < rules_.size.area(); ++i) {
    if (owners[i] != '.') parts.insert(flood(owners, i));
  }
  std::string may_die(grid.size(), '.');  // by colour
  for (const auto& part : parts) {
    const char owner = owners[part[0]];
    std::set<std::vector<int>> eyes;
    bool is_alive = false;
    for (const int p : part) {
      if (grid[p] == '.') eyes.insert(flood(grid, p));
      is_alive = is_alive || alive[owner == 'X' ? 0 : 1][p] == 'S';
    }
    if (is_alive || eyes.size() >= 2 || (eyes.size() == 1 && eyes.begin()->size() > 6)) continue;
    for (const int p : part) may_die[p] = owner;
  }
  const auto is_dame = [&](int p) { return owners[p] == '.' && grid[p] == '.'; };
  for (const auto& part : parts) {
    const char owner = owners[part[0]];
    bool is_seki = false;
    for (const int p : part) {
      if (may_die[p] == '.') continue;
      for (const int q : neighbours(p)) {
        if (!is_dame(q)) continue;
        for (const int dame : flood(grid, q)) {
          for (const int r : neighbours(dame)) is_seki = is_seki || may_die[r] == other(owner);
        }
      }
    }
    if (is_seki) continue;
    for (const int p : part) result.owners[p] = owner;
    ++(owner == 'X' ? result.black_parts : result.white_parts);
  }
  return result;
}

// What stands beside the board in every count, and the margin of it all.
Oracle::Count Oracle::with_extras(Count count) const {
  const bool is_handicap = rules_.handicap >= 2 && rules_.handicap_bonus != HandicapBonus::kNone;
  const int less = rules_.handicap_bonus == HandicapBonus::kStonesButOne ? 1 : 0;
  count.white.bonus = is_handicap ? rules_.handicap - less : 0;
  count.white.komi = rules_.komi.half_points();
  count.black.button += button_ == 'X' ? 1 : 0;
  count.white.button += button_ == 'O' ? 1 : 0;
  for (const char owner : count.owners) count.margin += owner == 'X' ? 2 : owner == 'O' ? -2 : 0;
  if (rules_.scoring == Scoring::kTerritory) {
    count.margin -= 2 * (charged_.at('X') - charged_.at('O'));
  }
  count.margin += count.black.button - count.white.button - 2 * count.white.bonus;
  count.margin -= count.white.komi + 2 * (count.black.tax - count.white.tax);
  return count;
}

// Who is given a point of an area that does not live by itself.
char Oracle::owner_in_seki(char owner, int point) const {
  const char stone = grid_[point];
  if (rules_.dead_stones != DeadStones::kPlayedOut) return owner;
  // Stones put there in the second phase of clean-up prove nothing.
  return phase_ < 2 || phase_two_start_[point] == stone ? stone : '.';
}

void Oracle::count_points(const std::string& grid, Count& count) const {
  const bool is_territory = rules_.scoring == Scoring::kTerritory;
  std::map<char, int> on_board;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid[i] != '.') ++on_board[grid[i]];
    if (count.owners[i] == '.') continue;
    Side& side = count.owners[i] == 'X' ? count.black : count.white;
    if (count.owners[i] != grid[i]) {
      ++side.territory;
    } else if (!is_territory) {
      ++side.stones;
    }
  }
  if (!is_territory) return;
  count.black.prisoners = charged_.at('O') - on_board['O'];
  count.white.prisoners = charged_.at('X') - on_board['X'];
}

Oracle::Count Oracle::count(const std::set<int>& dead) const {
  const bool is_played_out = rules_.dead_stones == DeadStones::kPlayedOut;
  const bool is_pass_dead = rules_.dead_stones == DeadStones::kPassDead && dead.empty();
  std::string grid = grid_;
  for (const int p : dead) grid[p] = '.';
  Count result;
  result.owners = is_played_out || is_pass_dead ? area_pass_dead_removed() : area_of(grid);
  const Independence alive = rules_.scoring == Scoring::kTerritory && !is_played_out
                                 ? life_by_eyes(grid, result.owners)
                                 : independence(grid, result.owners);
  for (int i = 0; i < rules_.size.area(); ++i) {
    char& owner = result.owners[i];
    if (alive.owners[i] != '.') continue;
    const bool is_surrounded = owner != grid[i];
    if (is_surrounded && rules_.tax == Tax::kNone) continue;
    owner = owner_in_seki(is_surrounded ? '.' : owner, i);
  }
  if (rules_.tax == Tax::kAll) {
    result.black.tax = 2 * alive.black_parts;
    result.white.tax = 2 * alive.white_parts;
  }
  if (!is_played_out) count_points(grid, result);
  return with_extras(result);
}

std::optional<Oracle::Count> Oracle::settled() const {
  const std::string black = pass_alive('X');
  const std::string white = pass_alive('O');
  Count result;
  // Who is to move would pass next and take the button.
  if (has_button()) ++(to_move_ == 'X' ? result.black : result.white).button;
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (black[i] == '.' && white[i] == '.') return std::nullopt;
    result.owners += white[i] != '.' ? 'O' : 'X';
  }
  if (rules_.tax == Tax::kAll) {
    const Independence alive = independence(grid_, result.owners);
    result.black.tax = 2 * alive.black_parts;
    result.white.tax = 2 * alive.white_parts;
  }
  return with_extras(result);
}

}  // namespace tengen
