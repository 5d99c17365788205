#include "nn/bench.h"

#include <array>
#include <ctime>
#include <iomanip>
#include <ostream>
#include <vector>

#include "nn/features.h"
#include "rules/playout.h"

namespace tengen {
namespace {

double cpu_s() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::vector<Position> sample_positions(int size) {
  constexpr int kGames = 24;
  Rules rules;
  rules.size = BoardSize::square(size);
  rules.multi_stone_suicide = false;
  std::vector<Position> positions;
  for (int game = 0; game < kGames; ++game) {
    Rng rng(1, game);
    Position position(rules);
    while (!position.is_over()) {
      play_random_game(position, rng, rules.size.area() / 10 + 1);
      positions.push_back(position);
    }
  }
  return positions;
}

}  // namespace

FeaturesSpeed measure_features(int size, double seconds) {
  const auto positions = sample_positions(size);
  constexpr std::array<FeatureSchema, 2> kSchemas = {FeatureSchema::kV7NoLadders,
                                                     FeatureSchema::kV7};
  std::array<double, 2> spent{};
  double rounds = 0;
  int stones = 0;  // what the features say, so that they are not left out
  while (spent[0] + spent[1] < 2 * seconds) {
    for (std::size_t i = 0; i < kSchemas.size(); ++i) {
      const double begin = cpu_s();
      for (const Position& p : positions) {
        stones += features_of(p, kSchemas[i]).planes[kPlaneLadders].count();
      }
      asm volatile("" : "+r"(stones));
      spent[i] += cpu_s() - begin;
    }
    ++rounds;
  }
  const double us = 1e6 / (rounds * static_cast<double>(positions.size()));
  return {us * spent[0], us * spent[1]};
}

void print_features_bench(std::ostream& out, double seconds) {
  for (const int size : {9, 13, 19}) {
    const FeaturesSpeed speed = measure_features(size, seconds);
    out << "features of a position, " << size << "x" << size << ": " << std::fixed
        << std::setprecision(2) << speed.without_ladders_us << " us without ladders, "
        << speed.with_ladders_us << " us with them\n";
    out.flush();
  }
}

}  // namespace tengen
