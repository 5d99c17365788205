#include "rules/rng.h"

#include <cmath>
#include <numbers>

namespace tengen {
namespace {

// Uniform in (0, 1): never 0, so that its logarithm is finite.
double open_uniform(Rng& rng) {
  return (static_cast<double>(rng.next() >> 12) + 0.5) * 0x1.0p-52;
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t x = mix64(seed, stream);
  for (auto& word : state_) {
    word = mix64(x);
    x += 0x9E3779B97F4A7C15ULL;
  }
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(open_uniform(*this)));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Rng::exponential() {
  return -std::log(open_uniform(*this));
}

double Rng::gumbel() {
  return -std::log(-std::log(open_uniform(*this)));
}

}  // namespace tengen
