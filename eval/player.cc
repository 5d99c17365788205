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

MoveChoice pass_with(const Position& position, const Score& score) {
  const Color mover = position.to_move();
  const double margin = score.black_margin() * (mover == Color::kBlack ? 1 : -1);
  return {.win = !score.winner()           ? 0.5F
                 : score.winner() == mover ? 1.F
                                           : 0.F,
          .score = static_cast<float>(margin)};
}

}  // namespace

std::optional<MoveChoice> pass_without_thinking(const Position& position) {
  const bool may_end = position.pass_would_end_game();
  const std::optional<Score> settled = position.settled_score();
  if (!may_end && !settled) return std::nullopt;
  const Score score = position.score();
  const bool is_settled =
      settled && score.black_area == settled->black_area && score.white_area == settled->white_area;
  if (!(may_end && score.winner() == position.to_move()) && !is_settled) return std::nullopt;
  return pass_with(position, score);
}

std::unique_ptr<Player> make_random_player() {
  return std::make_unique<RandomPlayer>();
}

}  // namespace tengen
