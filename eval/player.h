#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "nn/evaluator.h"
#include "rules/position.h"
#include "selfplay/search.h"

namespace tengen {

// A position in which a player is to move, and the seed of its chance.
struct MoveRequest {
  const Position* position;
  std::uint64_t seed;
  // The game so far, from an empty board of the position's rules. Only players that speak to other
  // programs need it; it may be empty where nobody knows it.
  std::span<const Position::Played> moves = {};
};

struct MoveChoice {
  Move move = Move::pass();
  float win = 0.5F;     // the player's opinion, side to move; 0.5 if it has none
  float score = 0.F;    // points ahead, side to move; 0 if it has no opinion
  bool resign = false;  // gives the game up; `move` is meaningless then
};

// Chooses moves for many games at once, so that players with networks can batch. One caller at a
// time.
class Player {
 public:
  virtual ~Player() = default;
  virtual std::string name() const = 0;
  // Fills choices[i] for requests[i] with legal moves; equal lengths. No position may be over. A
  // choice is a function of its request alone, whatever the other requests are. Throws Error if
  // the player cannot go on.
  virtual void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) = 0;
  // Thinks about a position while others are to move, until a stop is asked for, at the latest; the
  // next choice may profit. Not while another call is under way. Throws as choose.
  virtual void ponder(const MoveRequest&, const std::stop_token&) {}
};

// The rule by which all players here end games. They pass at once when the opponent has just passed
// and a pass wins by the score as it stands, and when nothing can change any more: every point is
// pass-alive and no dead stone is left to be taken. nullopt: the player has to think.
std::optional<MoveChoice> pass_without_thinking(const Position& position);

// A network with a search: all requests are searched in lockstep, `leaves` of each per batch (see
// Search::gather). Matches want options.gumbel_scale 0, which makes the choice free of noise.
std::unique_ptr<Player> make_search_player(std::shared_ptr<Evaluator> evaluator,
                                           const SearchOptions& options, int leaves = 1);

// The same for a player of one game (GTP): what is left of the tree after each move is kept and it
// ponders, up to kPonderFactor times options.visits; both in PUCT and hybrid searches alone. A
// choice depends on what was asked before in the same game.
inline constexpr int kPonderFactor = 16;
inline constexpr int kMostPonderVisits = 200'000;  // some GiB on 19x19; more if options.visits are
std::unique_ptr<Player> make_tree_player(std::shared_ptr<Evaluator> evaluator,
                                         const SearchOptions& options, int leaves = 1);

// UCT with random playouts and no network (UCB1 in a tree: Kocsis and Szepesvari, ECML 2006): a
// fixed anchor that needs no other program. It neither fills its own single-point eyes nor passes
// before nothing else is left, unless a pass wins; among sure wins it prefers the larger one.
// `playouts` per move, >= 1.
std::unique_ptr<Player> make_rollout_player(int playouts);

// Uniformly random legal moves that fill no own single-point eyes (random_move).
std::unique_ptr<Player> make_random_player();

}  // namespace tengen
