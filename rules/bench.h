#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "rules/point.h"
#include "rules/position.h"

namespace tengen {

// Speed of GameBatch::play_random on one core, from the empty board, with exact positional superko
// and without suicide. The moves of a game say that it was the real thing: 111.0, 219.3 and 455.4
// within 0.3 % on 9x9, 13x13 and 19x19.
struct RandomGameRate {
  double moves_per_s = 0;
  double moves_per_game = 0;
  std::int64_t games = 0;
};
// Plays whole games for about `seconds` of processor time.
RandomGameRate measure_random_games(BoardSize size, double seconds, std::uint64_t seed);

// Environment steps: the whole legal mask with superko, a uniform draw from it less own eyes, the
// move. `games` games in turn, one step each; moves per second.
double measure_steps(int size, int games, double seconds);
// `games` games in turn, one random move each; moves per second.
double measure_turns(int size, int games, double seconds);

// Positions spread evenly over a few random games, for single questions in all phases of a game.
std::vector<Position> sample_positions(const Rules& rules);

// One line of the table that `tengen bench rules` prints.
struct BenchRow {
  std::string name;
  int size;
  double target;  // 0: no target of its own
  double figure;
  std::string unit;
  double ratio;  // of the figure to the target, turned so that 1 and more are met
  bool is_met;
  std::string note;
};
// What the processor gives now, as GHz of a chain of dependent multiplications (three cycles each).
// Targets are for 2.95, so where a machine is slower or busy they shrink with it.
double measure_clock_ghz(double seconds);
// The whole table on one core; each row is told to `report` when it is there.
std::vector<BenchRow> measure_rules(double seconds_per_row,
                                    const std::function<void(const BenchRow&)>& report);
void print_heading(std::ostream& out, double clock_ghz);
void print_row(std::ostream& out, const BenchRow& row);
// `tengen bench rules`: the whole table, row by row, and how many targets are met.
void print_rules_bench(std::ostream& out, double seconds_per_row);

}  // namespace tengen
