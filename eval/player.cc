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
      choices[i] = MoveChoice{};
      if (is_winning_pass(*requests[i].position)) continue;
      choices[i].move = random_move(*requests[i].position, rng);
    }
  }
};

}  // namespace

bool is_winning_pass(const Position& position) {
  return position.passes_in_a_row() == 1 && position.score().winner() == position.to_move();
}

std::unique_ptr<Player> make_random_player() {
  return std::make_unique<RandomPlayer>();
}

}  // namespace tengen
