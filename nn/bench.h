#pragma once

#include <iosfwd>

namespace tengen {

// Microseconds of features_of for a position, on one core, with and without the ladder planes; over
// positions of all ages of random games.
struct FeaturesSpeed {
  double without_ladders_us = 0;
  double with_ladders_us = 0;
};
// Measures both in turn for `seconds` each. Requires 2 <= size <= 19.
FeaturesSpeed measure_features(int size, double seconds);

// `tengen bench features`: 9x9, 13x13 and 19x19, `seconds` each.
void print_features_bench(std::ostream& out, double seconds);

}  // namespace tengen
