#include "rules/bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <ostream>

#include "rules/batch.h"
#include "rules/board_access.h"
#include "rules/engine.h"
#include "rules/legality.h"
#include "rules/playout.h"

namespace tengen {
namespace {

constexpr double kNominalGhz = 2.95;

double cpu_s() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Rules rules_of(BoardSize size) {
  Rules rules;
  rules.size = size;
  rules.ko = Ko::kPositional;
  rules.multi_stone_suicide = false;
  rules.single_stone_suicide = false;
  return rules;
}

// How often work() runs in a second; work does `each` units at once.
template <class Work>
double rate_of(double seconds, double each, Work work) {
  double done = 0;
  const double begin = cpu_s();
  double spent = 0;
  while (spent < seconds) {
    work();
    done += each;
    spent = cpu_s() - begin;
  }
  return done / spent;
}

std::uint64_t sink = 0;  // what questions answer, so that they are not left out
void use(const PointSet& set) {
  sink += set.words()[0];
}

// Nanoseconds of ask(position), each position asked several times in a row: what the question
// costs, not what a cold position does.
template <class Ask>
double ns_of(const std::vector<Position>& positions, double seconds, Ask ask) {
  constexpr int kTimes = 16;
  const double rate = rate_of(seconds, static_cast<double>(kTimes * positions.size()), [&] {
    for (const Position& p : positions) {
      for (int i = 0; i < kTimes; ++i) ask(p);
    }
  });
  return 1e9 / rate;
}

}  // namespace

std::vector<Position> sample_positions(const Rules& rules) {
  constexpr int kGames = 12;
  std::vector<Position> positions;
  for (int game = 0; game < kGames; ++game) {
    Rng rng(1, game);
    Position position(rules);
    while (!position.is_over()) {
      play_random_game(position, rng, rules.size.area() / 10);
      positions.push_back(position);
    }
  }
  return positions;
}

RandomGameRate measure_random_games(BoardSize size, double seconds, std::uint64_t seed) {
  constexpr int kGames = 32;  // few enough to stay in the cache
  const std::vector<Rules> rules(kGames, rules_of(size));
  GameBatch batch(rules, {.seed = seed});
  RandomGameRate rate;
  std::int64_t moves = 0;
  const double per_s = rate_of(seconds, 1, [&] {
    for (int i = 0; i < 4; ++i, rate.games += kGames) {
      batch.reset();
      batch.play_random(10 * size.area());
      for (int game = 0; game < kGames; ++game) moves += batch.ply(game);
    }
  });
  rate.moves_per_game = static_cast<double>(moves) / static_cast<double>(rate.games);
  rate.moves_per_s = per_s * 4 * kGames * rate.moves_per_game;
  return rate;
}

double measure_steps(int size, int games, double seconds) {
  const std::vector<Rules> rules(games, rules_of(BoardSize::square(size)));
  GameBatch batch(rules);
  std::vector<PointSet> legal(games);
  std::vector<std::uint8_t> done(games);
  return rate_of(seconds, 100.0 * games, [&] {
    for (int i = 0; i < 100; ++i) {
      batch.step_random(legal);
      batch.done(done);
      batch.reset(done);
    }
  });
}

double measure_turns(int size, int games, double seconds) {
  const std::vector<Rules> rules(games, rules_of(BoardSize::square(size)));
  GameBatch batch(rules);
  std::vector<std::uint8_t> done(games);
  const int rounds = std::max(1, 4096 / games);
  return rate_of(seconds, static_cast<double>(rounds) * games, [&] {
    for (int i = 0; i < rounds; ++i) {
      batch.play_random(1);
      batch.done(done);
      batch.reset(done);
    }
  });
}

double measure_clock_ghz(double seconds) {
  constexpr int kMultiplications = 100000;
  constexpr double kCyclesEach = 3;
  std::uint64_t x = 3;
  const double rate = rate_of(seconds, kMultiplications, [&] {
    for (int i = 0; i < kMultiplications; ++i) {
      x *= 0x9E3779B97F4A7C15ULL;
      asm volatile("" : "+r"(x));
    }
  });
  sink += x;
  return rate * kCyclesEach / 1e9;
}

std::vector<BenchRow> measure_rules(double seconds,
                                    const std::function<void(const BenchRow&)>& report) {
  constexpr std::array<int, 3> kSizes = {9, 13, 19};
  std::vector<BenchRow> rows;
  enum class Better { kMore, kLess };
  const auto add = [&](std::string name, int size, double target, double figure, std::string unit,
                       Better better, std::string note = {}) {
    const double clock = unit.ends_with("bytes") ? 1 : measure_clock_ghz(0.02) / kNominalGhz;
    double ratio = 0;
    if (target > 0) {
      ratio = better == Better::kMore ? figure / (target * clock) : target / clock / figure;
    }
    rows.push_back({std::move(name), size, target, figure, std::move(unit), ratio,
                    target == 0 || ratio >= 1, std::move(note)});
    report(rows.back());
  };
  const auto by_size = [&](auto measure) {
    for (std::size_t i = 0; i < kSizes.size(); ++i) measure(i, kSizes[i]);
  };
  const auto question = [&](const char* name, std::array<double, 3> targets, const char* unit,
                            double per_unit, auto ask) {
    by_size([&](std::size_t i, int size) {
      const auto positions = sample_positions(rules_of(BoardSize::square(size)));
      add(name, size, targets[i], ns_of(positions, seconds, ask) / per_unit, unit, Better::kLess);
    });
  };

  constexpr std::array<double, 3> kMovesPerGame = {111.0, 219.3, 455.4};
  by_size([&](std::size_t i, int size) {
    const auto rate = measure_random_games(BoardSize::square(size), 2 * seconds, 1);
    std::array<char, 64> note;
    std::snprintf(note.data(), note.size(), "%.1f moves a game, %+.2f %%", rate.moves_per_game,
                  100 * (rate.moves_per_game / kMovesPerGame[i] - 1));
    add("random games", size, std::array{20.0, 19.0, 18.0}[i], rate.moves_per_s / 1e6, "M moves/s",
        Better::kMore, note.data());
  });
  by_size([&](std::size_t i, int size) {
    add("environment steps", size, std::array{11.0, 9.0, 8.0}[i],
        measure_steps(size, 8, seconds) / 1e6, "M steps/s", Better::kMore);
  });
  by_size([&](std::size_t i, int size) {
    const double alone = measure_turns(size, 1, seconds);
    const double many = measure_turns(size, 512, seconds);
    std::array<char, 64> note;
    std::snprintf(note.data(), note.size(), "%.2f of one game alone", many / alone);
    add("512 games in turn", size, std::array{12.0, 12.0, 10.0}[i], many / 1e6, "M moves/s",
        Better::kMore, note.data());
  });
  by_size([&](std::size_t i, int size) {
    add("hot state of a game", size, std::array{1400.0, 2500.0, 5000.0}[i],
        static_cast<double>(GameBatch::hot_bytes(BoardSize::square(size))), "bytes", Better::kLess);
  });
  question("legal mask, superko", {15, 30, 50}, "ns", 1,
           [](const Position& p) { use(p.legal_points()); });
  question("area score", {50, 50, 50}, "ns", 1, [](const Position& p) { use(area(p.board())[0]); });
  question("pass-alive, both colours", {0.7, 1.2, 2.5}, "us", 1e3, [](const Position& p) {
    use(pass_alive(p.board(), Color::kBlack, false).stones);
    use(pass_alive(p.board(), Color::kWhite, false).stones);
  });
  by_size([&](std::size_t i, int size) {
    constexpr int kGames = 64;
    const std::vector<Rules> rules(kGames, rules_of(BoardSize::square(size)));
    GameBatch batch(rules);
    for (int game = 0; game < kGames; ++game) {  // games of all ages
      std::vector<std::uint8_t> younger(kGames);
      std::fill(younger.begin(), younger.begin() + game, std::uint8_t{1});
      batch.play_random(2 * size * size / kGames);
      if (game + 1 < kGames) batch.reset(younger);
    }
    std::vector<Planes> planes(kGames);
    const auto us = [&](GameBatch::AreaPlanes area) {
      return 1e6 / rate_of(seconds, kGames, [&] { batch.encode(planes, area); });
    };
    add("planes as bits", size, std::array{0.2, 0.2, 0.3}[i], us(GameBatch::AreaPlanes::kNo), "us",
        Better::kLess, "without the area planes");
    add("planes as bits, with area", size, 0, us(GameBatch::AreaPlanes::kYes), "us", Better::kLess);
  });
  return rows;
}

void print_heading(std::ostream& out, double clock_ghz) {
  std::array<char, 256> line;
  std::snprintf(
      line.data(), line.size(),
      "Instruction set %s; one core, which now multiplies at %.2f GHz. Targets are for "
      "%.2f GHz and scale with that.\n%-27s %5s %10s %10s %-10s %6s\n",
      std::string(kInstructionSetNames[static_cast<std::size_t>(instruction_set_in_use())]).c_str(),
      clock_ghz, kNominalGhz, "work", "board", "target", "figure", "", "ratio");
  out << line.data();
}

void print_row(std::ostream& out, const BenchRow& row) {
  std::array<char, 256> line;
  if (row.target > 0) {
    std::snprintf(line.data(), line.size(), "%-27s %2dx%-2d %10.5g %10.4g %-10s %6.2f %s%s%s\n",
                  row.name.c_str(), row.size, row.size, row.target, row.figure, row.unit.c_str(),
                  row.ratio, row.is_met ? "met" : "not met", row.note.empty() ? "" : "; ",
                  row.note.c_str());
  } else {
    std::snprintf(line.data(), line.size(), "%-27s %2dx%-2d %10s %10.4g %-10s %6s %s\n",
                  row.name.c_str(), row.size, row.size, "-", row.figure, row.unit.c_str(), "",
                  row.note.c_str());
  }
  out << line.data();
}

void print_rules_bench(std::ostream& out, double seconds_per_row) {
  print_heading(out, measure_clock_ghz(0.3));
  int met = 0, judged = 0;
  measure_rules(seconds_per_row, [&](const BenchRow& row) {
    print_row(out, row);
    out.flush();
    judged += row.target > 0 ? 1 : 0;
    met += row.target > 0 && row.is_met ? 1 : 0;
  });
  out << met << " of " << judged << " targets are met at this clock; "
      << "build/release/rules_bench --compare sets the prototype beside them\n";
}

}  // namespace tengen
