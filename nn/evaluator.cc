#include "nn/evaluator.h"

#include <algorithm>
#include <bit>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr float kHashScoreSpread = 10.F;

// Sums one mixed term per word that is not zero; the terms do not wait for one another.
std::uint64_t hash_of(const Features& f, std::uint64_t seed) {
  std::uint64_t place = mix64(seed);
  const auto term = [&place](std::uint64_t word) {
    place += 0xD1342543DE82EF95ULL;  // odd, so no two places of one hash are equal
    return word == 0 ? 0 : mix64(word ^ mix64(place));
  };
  std::uint64_t sum = term(static_cast<std::uint64_t>(f.size.width * 256 + f.size.height));
  for (const PointSet& plane : f.planes) {
    for (const std::uint64_t word : plane.words()) sum += term(word);
  }
  for (const float scalar : f.scalars) sum += term(std::bit_cast<std::uint32_t>(scalar));
  return mix64(sum);
}

// Close to N(0, 1): the sum of four uniform numbers of 16 bits has variance 4 (2^32 - 1) / 12.
float normal_like(std::uint64_t bits) {
  const auto sum = static_cast<std::int32_t>((bits & 0xFFFF) + (bits >> 16 & 0xFFFF) +
                                             (bits >> 32 & 0xFFFF) + (bits >> 48));
  return static_cast<float>(sum - 2 * 0xFFFF) * (1.7320508F / 65536.F);
}

// Strictly inside (0, 1), on a grid that float and 1 - x hold exactly.
float uniform_inside(std::uint64_t bits) {
  return (static_cast<float>(bits >> 42) + 0.5F) * 0x1.0p-22F;
}

}  // namespace

void turn_back(const Evaluation& seen, Symmetry symmetry, BoardSize size, Evaluation& answer) {
  const short* map = symmetry.map(size);
  const int area = size.area();
  for (int i = 0; i < area; ++i) answer.policy_logits[i] = seen.policy_logits[map[i]];
  answer.policy_logits[area] = seen.policy_logits[area];
  answer.win = seen.win;
  answer.loss = seen.loss;
  answer.no_result = seen.no_result;
  answer.score = seen.score;
  answer.win_error = seen.win_error;
  answer.score_error = seen.score_error;
}

void UniformEvaluator::evaluate(std::span<const EvaluationInput> inputs,
                                std::span<Evaluation> outputs) {
  check(inputs.size() == outputs.size(), "one output per input");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    outputs[i] = Evaluation{};
    std::fill_n(outputs[i].policy_logits.begin(), inputs[i].features.size.area() + 1, 0.F);
  }
}

void HashEvaluator::evaluate(std::span<const EvaluationInput> inputs,
                             std::span<Evaluation> outputs) {
  check(inputs.size() == outputs.size(), "one output per input");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::uint64_t hash = hash_of(inputs[i].features, seed_);
    Evaluation& out = outputs[i];
    const int entries = inputs[i].features.size.area() + 1;
    for (int move = 0; move < entries; ++move) {
      out.policy_logits[move] = normal_like(mix64(hash + static_cast<std::uint64_t>(move)));
    }
    out.win = uniform_inside(mix64(hash, 1));
    out.loss = 1.F - out.win;
    out.no_result = 0.F;
    out.score = kHashScoreSpread * normal_like(mix64(hash, 2));
  }
}

}  // namespace tengen
