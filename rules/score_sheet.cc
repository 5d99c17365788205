#include "rules/score_sheet.h"

#include <sstream>

#include "rules/check.h"
#include "rules/neighbours.h"

namespace tengen {
namespace {

using PointSets = std::array<PointSet, 2>;  // [colour]

constexpr std::array kColors = {Color::kBlack, Color::kWhite};

PointSets stones_of(const Board& board) {
  return {board.stones(Color::kBlack), board.stones(Color::kWhite)};
}

Board without(const Board& board, const PointSet& dead) {
  if (dead.is_empty()) return board;
  const PointSets stones = stones_of(board);
  return *Board::from_stones(board.size(), stones[0] - dead, stones[1] - dead);
}

// Points of nobody's that no stone stands on.
PointSet dame_of(const Board& board, const PointSets& owned) {
  return board.empty() - owned[0] - owned[1];
}

// Life as players see it, who leave dame unfilled. A connected part of an area is in doubt if it is
// not pass-alive and surrounds a single region or none, of no more points than the largest that one
// move kills (the rabbity six): a larger one has room for two eyes. Seki is between parts in doubt
// of both colours that share dame.
IndependentLife life_by_eyes(const Board& board, const Rules& rules, const PointSets& owned) {
  constexpr int kMostPointsKilled = 6;
  const BoardSize size = board.size();
  IndependentLife life;
  PointSets in_doubt;
  for (const Color c : kColors) {
    const int side = index_of(c);
    const PointSet alive = pass_alive(board, c, rules.multi_stone_suicide).stones;
    for_each_part(size, owned[side], [&](const PointSet& part) {
      int eyes = 0;
      for_each_part(size, part & board.empty(), [&](const PointSet& region) {
        eyes += region.count() > kMostPointsKilled ? 2 : 1;
      });
      if (eyes < 2 && (part & alive).is_empty()) in_doubt[side] |= part;
    });
  }
  PointSet shared;  // dame
  for_each_part(size, dame_of(board, owned), [&](const PointSet& dame) {
    const PointSet beside = border(size, dame);
    if ((beside & in_doubt[0]).is_empty() || (beside & in_doubt[1]).is_empty()) return;
    shared |= dame;
  });
  for (int side = 0; side < 2; ++side) {
    for_each_part(size, owned[side], [&](const PointSet& part) {
      if (!(part & in_doubt[side]).is_empty() && !(border(size, part) & shared).is_empty()) return;
      life.points[side] |= part;
      ++life.regions[side];
    });
  }
  return life;
}

// The counts and reasons of one way to count. What is counted: for each colour the stones and the
// surrounded points, the latter including those under dead stones.
struct Count {
  PointSets stones;
  PointSets territory;
  std::array<int, 2> living_regions{};
};

// Living stones and every point they surround.
Count count_owned(const Board& board, const PointSets& owned) {
  const PointSets stones = stones_of(board);
  Count count;
  for (int side = 0; side < 2; ++side) {
    count.stones[side] = stones[side] & owned[side];
    count.territory[side] = owned[side] - stones[side];
  }
  return count;
}

Count count_by(const Board& board, const Rules& rules, const PlayCount& play,
               const PointSets& owned) {
  Count count = count_owned(board, owned);
  const bool is_played_out = rules.dead_stones == DeadStones::kPlayedOut;
  if (rules.tax == Tax::kNone && !is_played_out) return count;
  const IndependentLife life = rules.scoring == Scoring::kTerritory && !is_played_out
                                   ? life_by_eyes(board, rules, owned)
                                   : independent_life(board, owned);
  count.living_regions = life.regions;
  if (rules.tax != Tax::kNone) {
    for (int side = 0; side < 2; ++side) count.territory[side] &= life.points[side];
  }
  if (!is_played_out) return count;
  const PointSets stones = stones_of(board);
  for (int side = 0; side < 2; ++side) {
    const PointSet unproven = stones[side] - life.points[side] - count.territory[side ^ 1];
    count.stones[side] = (stones[side] & life.points[side]) |
                         (play.phase < 2 ? unproven : unproven & play.phase_two_start[side]);
  }
  return count;
}

// `board` is as played, `count` of what was left after taking dead stones off.
ScoreSheet sheet_of(const Board& board, const Rules& rules, const PlayCount& play,
                    const Count& count) {
  ScoreSheet sheet;
  sheet.size = board.size();
  const PointSets stones = stones_of(board);
  for (int side = 0; side < 2; ++side) {
    SideCount& counted = sheet.sides[side];
    const int alive = count.stones[side].count();
    counted.territory = count.territory[side].count();
    if (rules.scoring == Scoring::kArea) {
      counted.stones = alive;
    } else {
      counted.prisoners =
          stones_charged(board, play, kColors[side ^ 1]) - count.stones[side ^ 1].count();
    }
    if (rules.tax == Tax::kAll) counted.tax = 2 * count.living_regions[side];
    counted.button = play.button == kColors[side];
    sheet.owned[side] = count.stones[side] | count.territory[side];
    count.territory[side].for_each([&](int i) {
      const bool has_stone = stones[side ^ 1].contains(i);
      sheet.reasons[i] = has_stone ? PointReason::kDeadStone : PointReason::kTerritory;
    });
    count.stones[side].for_each([&](int i) { sheet.reasons[i] = PointReason::kStone; });
  }
  sheet.sides[1].bonus = handicap_bonus(rules);
  sheet.sides[1].komi_half_points = rules.komi.half_points();
  return sheet;
}

}  // namespace

PointSet ScoreSheet::dame() const {
  PointSet dame;
  for (int i = 0; i < size.area(); ++i) {
    if (reasons[i] == PointReason::kDame) dame.insert(i);
  }
  return dame;
}

Score ScoreSheet::score() const {
  Score score = {owned[0], owned[1], Komi::from_half_points(sides[1].komi_half_points)};
  const int margin = sides[0].half_points() - sides[1].half_points();
  score.black_extra_half_points = margin - score.black_margin_half_points();
  return score;
}

std::string to_text(const ScoreSheet& sheet, const Board& board) {
  std::ostringstream out;
  out << "             black  white\n";
  const auto line = [&](const char* name, auto get) {
    const auto black = get(sheet.sides[0]), white = get(sheet.sides[1]);
    if (black == 0 && white == 0) return;
    char text[64];
    std::snprintf(text, sizeof text, "%-10s%8.4g%7.4g\n", name, static_cast<double>(black),
                  static_cast<double>(white));
    out << text;
  };
  line("stones", [](const SideCount& s) { return s.stones; });
  line("territory", [](const SideCount& s) { return s.territory; });
  line("prisoners", [](const SideCount& s) { return s.prisoners; });
  line("tax", [](const SideCount& s) { return -s.tax; });
  line("handicap", [](const SideCount& s) { return s.bonus; });
  line("button", [](const SideCount& s) { return s.button ? 0.5 : 0.0; });
  line("komi", [](const SideCount& s) { return s.komi_half_points / 2.0; });
  line("points", [](const SideCount& s) { return s.half_points() / 2.0; });
  for (int row = 0; row < sheet.size.height; ++row) {
    for (int column = 0; column < sheet.size.width; ++column) {
      const Point p = Point::at(row, column);
      const int i = sheet.size.index(p);
      const bool is_black = board.stone_at(p) == Stone::kBlack;
      char mark = '.';
      switch (sheet.reasons[i]) {
        case PointReason::kStone:
          mark = is_black ? 'X' : 'O';
          break;
        case PointReason::kDeadStone:
          mark = is_black ? 'x' : 'o';
          break;
        case PointReason::kTerritory:
          mark = sheet.owned[0].contains(i) ? '#' : '+';
          break;
        case PointReason::kSekiEye:
        case PointReason::kIgnored:
          mark = '?';
          break;
        case PointReason::kDame:
          break;
      }
      out << (column == 0 ? "" : " ") << mark;
    }
    out << "\n";
  }
  return out.str();
}

int stones_charged(const Board& board, const PlayCount& play, Color c) {
  const int side = index_of(c);
  const int stones = play.phase == 2 ? play.phase_two_start[side].count() : board.stones(c).count();
  return stones + play.lost[side];
}

ScoreSheet count_score(const Board& board, const Rules& rules, const PlayCount& play,
                       const PointSet& dead) {
  check(rules.dead_stones != DeadStones::kPlayedOut || dead.is_empty(),
        "where play decides, no stone is judged dead");
  const bool removes_pass_dead =
      rules.dead_stones == DeadStones::kPassDead || rules.dead_stones == DeadStones::kPlayedOut;
  const Board left = without(board, dead);
  const PointSets owned =
      removes_pass_dead ? area_pass_dead_removed(left, rules.multi_stone_suicide) : area(left);
  ScoreSheet sheet = sheet_of(board, rules, play, count_by(left, rules, play, owned));
  // What is left without a reason though it is a stone, or somebody surrounds it.
  for (int i = 0; i < sheet.size.area(); ++i) {
    if (sheet.reasons[i] != PointReason::kDame) continue;
    if (board.stone_at(sheet.size.point(i)) != Stone::kEmpty) {
      sheet.reasons[i] = PointReason::kIgnored;
    } else if (owned[0].contains(i) || owned[1].contains(i)) {
      sheet.reasons[i] = PointReason::kSekiEye;
    }
  }
  return sheet;
}

ScoreSheet count_settled(const Board& board, const Rules& rules, const PlayCount& play,
                         const PointSets& owned) {
  Count count = count_owned(board, owned);
  count.living_regions = independent_life(board, owned).regions;
  return sheet_of(board, rules, play, count);
}

IndependentLife independent_life(const Board& board, const PointSets& owned) {
  const BoardSize size = board.size();
  const PointSet dame = dame_of(board, owned);
  const PointSet in_atari = board.stones_by_liberties()[0];
  const PointSets stones = stones_of(board);
  IndependentLife life;
  for (int side = 0; side < 2; ++side) {
    for_each_part(size, owned[side], [&](const PointSet& part) {
      const bool is_seki =
          !(part & stones[side] & in_atari).is_empty() || !(border(size, part) & dame).is_empty();
      if (is_seki) return;
      life.points[side] |= part;
      ++life.regions[side];
    });
  }
  return life;
}

}  // namespace tengen
