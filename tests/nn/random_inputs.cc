#include "random_inputs.h"

#include "rules/playout.h"
#include "rules/rng.h"

namespace tengen {

std::vector<EvaluationInput> random_inputs(int count, const std::vector<BoardSize>& sizes,
                                           std::uint64_t seed) {
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < count; ++i) {
    Rules rules;
    rules.size = sizes[static_cast<std::size_t>(i) % sizes.size()];
    rules.komi = Komi::from_half_points(i % 21 - 10);
    Position position(rules);
    Rng rng(seed, static_cast<std::uint64_t>(i));
    for (auto ply = rng.below(static_cast<std::uint32_t>(rules.size.area())); ply > 0; --ply) {
      if (!position.is_over()) position.play(random_move(position, rng));
    }
    inputs.push_back({features_of(position), Symmetry(i % Symmetry::count(rules.size))});
  }
  return inputs;
}

}  // namespace tengen
