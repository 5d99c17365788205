#include "eval/player.h"

#include "rules/check.h"
#include "rules/playout.h"
#include "rules/rng.h"

namespace tengen {
namespace {

class RandomPlayer : public Player {
 public:
  std::string name() const override { return "random"; }
  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    check(requests.size() == choices.size(), "one choice per request");
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Rng rng(requests[i].seed);
      const auto pass = pass_without_thinking(*requests[i].position);
      choices[i] = pass ? *pass : MoveChoice{.move = random_move(*requests[i].position, rng)};
    }
  }
};

// Whether every point is pass-alive and already counts for its owner.
bool is_settled(const Position& position, const Score& score) {
  const std::optional<Score> settled = position.settled_score();
  return settled && score.black_area == settled->black_area &&
         score.white_area == settled->white_area;
}

}  // namespace

std::optional<MoveChoice> pass_without_thinking(const Position& position) {
  const Score score = position.score();
  const Color mover = position.to_move();
  const bool wins = score.winner() == mover;
  if (!(position.passes_in_a_row() == 1 && wins) && !is_settled(position, score)) {
    return std::nullopt;
  }
  const double margin = score.black_margin() * (mover == Color::kBlack ? 1 : -1);
  return MoveChoice{.win = !score.winner() ? 0.5F
                           : wins          ? 1.F
                                           : 0.F,
                    .score = static_cast<float>(margin)};
}

std::unique_ptr<Player> make_random_player() {
  return std::make_unique<RandomPlayer>();
}

}  // namespace tengen
