#include "selfplay/game_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nn/features.h"
#include "rules/playout.h"

namespace tengen {

bool drawn_random_opening(const SelfplaySettings& settings, std::uint64_t index) {
  Rng rng = stream_of(settings.seed, index, GameStream::kRandomOpening);
  return rng.uniform() < settings.games.random_opening_share;
}

int drawn_opening_moves(const SelfplaySettings& settings, std::uint64_t index, BoardSize size) {
  Rng rng = stream_of(settings.seed, index, GameStream::kOpening);
  const GameOptions& games = settings.games;
  const double moves =
      drawn_random_opening(settings, index)
          ? rng.uniform() * (std::floor(2 * games.random_opening_mean * size.area()) + 1)
          : rng.exponential() * games.opening_mean * size.area();
  return static_cast<int>(std::min<double>(moves, move_cap(games, size) - 1));
}

std::vector<Move> drawn_start(const SelfplaySettings& settings, std::uint64_t index,
                              const Rules& rules) {
  Rng rng = stream_of(settings.seed, index, GameStream::kStart);
  if (rng.uniform() >= settings.games.starts_share || !settings.starts || rules.handicap != 0) {
    return {};
  }
  std::vector<const StartLine*> lines;
  for (const StartLine& line : *settings.starts) {
    if (line.size == rules.size) lines.push_back(&line);
  }
  if (lines.empty()) return {};
  const auto below = [&](std::size_t n) { return rng.below(static_cast<std::uint32_t>(n)); };
  const StartLine& line = *lines[below(lines.size())];
  const Symmetry symmetry(
      static_cast<int>(below(static_cast<std::size_t>(Symmetry::count(rules.size)))));
  const auto wanted =
      std::min<std::size_t>(below(line.moves.size()) + 1,
                            static_cast<std::size_t>(move_cap(settings.games, rules.size)) - 1);
  std::vector<Move> moves;
  Position position(rules);
  while (moves.size() < wanted) {
    const Move move = symmetry.apply(line.moves[moves.size()], rules.size);
    if (!position.is_legal(move)) break;
    position.play(move);
    if (position.is_over() || position.is_all_pass_alive()) break;
    moves.push_back(move);
  }
  return moves;
}

std::optional<Color> drawn_opponent(const SelfplaySettings& settings, std::uint64_t index) {
  Rng rng = stream_of(settings.seed, index, GameStream::kOpponent);
  if (rng.uniform() >= settings.games.opponent_share) return std::nullopt;
  return rng.below(2) == 0 ? Color::kBlack : Color::kWhite;
}

bool drawn_pass_alive_end(const SelfplaySettings& settings, std::uint64_t index) {
  Rng rng = stream_of(settings.seed, index, GameStream::kEnd);
  return rng.uniform() < settings.games.pass_alive_end_share;
}

int move_cap(const GameOptions& options, BoardSize size) {
  return std::max(1, static_cast<int>(std::ceil(options.move_cap * size.area())));
}

GameRecord begun_record(const SelfplaySettings& settings, std::uint64_t index, std::string net) {
  GameRecord record;
  record.index = index;
  record.seed = settings.seed;
  record.nets.push_back(std::move(net));
  record.rules = drawn_rules(settings, index);
  for (const Move move : drawn_start(settings, index, record.rules)) {
    record.moves.push_back({.move = move, .weight = 0});
  }
  record.opening_moves = record.moves.empty()
                             ? drawn_opening_moves(settings, index, record.rules.size)
                             : static_cast<int>(record.moves.size());
  record.score.komi = record.rules.komi;
  return record;
}

Move sampled_move(const Position& position, const float* policy_logits, Rng& rng) {
  const PointSet legal = position.legal_points();
  if (legal.is_empty()) return Move::pass();
  float highest = -HUGE_VALF;
  legal.for_each([&](int i) { highest = std::max(highest, policy_logits[i]); });
  double total = 0;
  const auto weight = [&](int i) { return std::exp(double{policy_logits[i]} - highest); };
  legal.for_each([&](int i) { total += weight(i); });
  if (!std::isfinite(total)) throw Error("a network's policy is not finite");
  double left = rng.uniform() * total;
  int chosen = -1;
  legal.for_each([&](int i) {
    if (left < 0) return;
    chosen = i;
    left -= weight(i);
  });
  return move_at(chosen, position.size());
}

Move evenly_random_move(const Position& position, Rng& rng) {
  const PointSet points = position.legal_points();
  if (points.is_empty()) return Move::pass();
  const int count = points.count() + (position.passes_in_a_row() == 0 ? 1 : 0);
  int left = static_cast<int>(rng.below(static_cast<std::uint32_t>(count)));
  Move move = Move::pass();
  points.for_each([&](int i) {
    if (left-- == 0) move = position.size().point(i);
  });
  return move;
}

GameRecord random_game(const SelfplaySettings& settings, std::uint64_t index) {
  GameRecord record = begun_record(settings, index, std::string(kRandomNet));
  record.moves.clear();
  record.opening_moves = 0;
  Rng rng = stream_of(settings.seed, index, GameStream::kRandomGame);
  Position position(record.rules);
  const int cap = move_cap(settings.games, position.size());
  while (!position.is_over() && position.ply() < cap) {
    const Move move = random_move(position, rng);
    position.play(move);
    MoveRecord played;
    played.move = move;
    record.moves.push_back(std::move(played));
  }
  finish(record, position, position.is_over() ? end_of(*position.ending()) : GameEnd::kMoveCap);
  return record;
}

}  // namespace tengen
