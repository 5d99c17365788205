#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "nn/evaluator.h"
#include "rules/position.h"
#include "selfplay/search.h"

namespace tengen {

// A position in which a player is to move, and the seed of its chance.
struct MoveRequest {
  const Position* position;
  std::uint64_t seed;
};

struct MoveChoice {
  Move move = Move::pass();
  float win = 0.5F;  // the player's opinion, side to move; 0.5 if it has none
  float score = 0.F;
};

// Chooses moves for many games at once, so that players with networks can batch. One caller at a
// time.
class Player {
 public:
  virtual ~Player() = default;
  virtual std::string name() const = 0;
  // Fills choices[i] for requests[i] with legal moves; equal lengths.
  virtual void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) = 0;
};

// A network with a search: all requests are searched in lockstep. Noise-free unless options say
// otherwise. Passes when the opponent has passed and the pass wins, and it may end games early when
// all is pass-alive (the arena does that).
std::unique_ptr<Player> make_search_player(std::shared_ptr<Evaluator> evaluator,
                                           const SearchOptions& options);
// UCT with random playouts, no network (UCB1, Kocsis and Szepesvari 2006): a fixed anchor that
// needs no other program.
std::unique_ptr<Player> make_rollout_player(int playouts);
std::unique_ptr<Player> make_random_player();

}  // namespace tengen
