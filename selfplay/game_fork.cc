#include "selfplay/game_fork.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "selfplay/game_chance.h"

namespace tengen {
namespace {

constexpr int kLeastChoices = 3;
constexpr int kMostChoices[] = {12, 36};  // early, late

// Chance of a fork, by its parent's index: whether there is one is drawn first.
struct ForkDraw {
  bool is_early = false;
  bool is_late = false;
  Rng rng;  // what follows
};
ForkDraw draw_of(const SelfplaySettings& settings, std::uint64_t parent) {
  ForkDraw draw{.rng = stream_of(settings.seed, parent, GameStream::kFork)};
  draw.is_early = draw.rng.uniform() < settings.games.fork_share;
  draw.is_late = draw.rng.uniform() < settings.games.late_fork_share && !draw.is_early;
  return draw;
}

}  // namespace

std::optional<GameRecord> begun_fork(const SelfplaySettings& settings, const GameRecord& parent,
                                     std::string net) {
  if (is_fork(parent.index)) return std::nullopt;
  ForkDraw draw = draw_of(settings, parent.index);
  if (!draw.is_early && !draw.is_late) return std::nullopt;
  const int plies = static_cast<int>(parent.moves.size());
  const double mean = settings.games.fork_mean * parent.rules.size.area();
  const int ply =
      draw.is_early
          ? static_cast<int>(std::min<double>(draw.rng.exponential() * mean, plies))
          : static_cast<int>(draw.rng.below(static_cast<std::uint32_t>(std::max(1, plies))));
  if (ply >= plies) return std::nullopt;
  GameRecord fork;
  fork.index = parent.index | kForkBit;
  fork.seed = parent.seed;
  fork.nets.push_back(std::move(net));
  fork.rules = parent.rules;
  fork.score.komi = fork.rules.komi;
  Position position(fork.rules);
  for (int i = 0; i < ply; ++i) {
    fork.moves.push_back({.move = parent.moves[static_cast<std::size_t>(i)].move, .weight = 0});
    position.play(fork.moves.back().move);
  }
  fork.opening_moves = ply + 1;
  if (position.legal_points().is_empty()) return std::nullopt;
  return fork;
}

std::vector<Move> fork_choices(const SelfplaySettings& settings, std::uint64_t index,
                               const Position& position) {
  const bool is_early = draw_of(settings, index & ~kForkBit).is_early;
  Rng rng = stream_of(settings.seed, index, GameStream::kFork);
  std::vector<Move> moves;
  position.legal_points().for_each([&](int i) { moves.push_back(move_at(i, position.size())); });
  const int most = kMostChoices[is_early ? 0 : 1];
  const auto count = static_cast<std::size_t>(
      kLeastChoices + static_cast<int>(rng.below(static_cast<std::uint32_t>(most - 2))));
  for (std::size_t i = 0; i < std::min(count, moves.size()); ++i) {
    std::swap(moves[i], moves[i + rng.below(static_cast<std::uint32_t>(moves.size() - i))]);
  }
  if (moves.size() > count) moves.resize(count, Move::pass());
  return moves;
}

bool drawn_balance(const SelfplaySettings& settings, std::uint64_t index) {
  Rng rng = stream_of(settings.seed, index, GameStream::kBalance);
  return rng.uniform() < settings.games.balanced_share;
}

}  // namespace tengen
