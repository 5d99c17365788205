#include "selfplay/game_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "nn/features.h"
#include "rules/playout.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

// Streams of a game's chance; the plies have streams of their own.
enum Stream : std::uint64_t { kSize, kKomi, kOpening, kEnd, kPlies, kRandomGame, kRandomOpening };

Rng stream_of(std::uint64_t seed, std::uint64_t index, Stream stream) {
  return Rng(mix64(seed, index), stream);
}

BoardSize drawn_size(const GameOptions& options, Rng& rng) {
  const auto weight = [&](std::size_t i) {
    return options.size_weights.empty() ? 1.0 : options.size_weights[i];
  };
  double total = 0;
  for (std::size_t i = 0; i < options.sizes.size(); ++i) total += weight(i);
  double left = rng.uniform() * total;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < options.sizes.size(); ++i) {
    if (weight(i) <= 0) continue;
    chosen = i;
    left -= weight(i);
    if (left < 0) break;
  }
  return BoardSize::square(options.sizes[chosen]);
}

double truncated_normal(Rng& rng) {
  double x = rng.normal();
  while (std::abs(x) > 3) x = rng.normal();
  return x;
}

Komi drawn_komi(const SelfplaySettings& settings, BoardSize size, Rng& rng) {
  const GameOptions& games = settings.games;
  double noise = 0;
  if (rng.uniform() < games.komi_uniform_share) {
    noise = (2 * rng.uniform() - 1) * games.komi_uniform_width;
  } else {
    const bool is_wide = rng.uniform() < games.komi_wide_share;
    noise = truncated_normal(rng) * (is_wide ? games.komi_wide_stdev : games.komi_stdev);
  }
  const double limit = std::min(size.area() + kKomiClipMargin, Komi::kMaxPoints);
  const double komi = std::clamp(settings.komi_centre + noise, -limit, limit);
  return Komi::from_half_points(static_cast<int>(std::lround(2 * komi)));
}

}  // namespace

void validate(const GameOptions& options) {
  if (options.sizes.empty()) throw UsageError("games.sizes: expected at least one board size");
  for (const int n : options.sizes) {
    if (n < kMinBoardSize || n > kMaxBoardSize) {
      throw UsageError("games.sizes: expected 2 to 19, found " + std::to_string(n));
    }
  }
  const auto& weights = options.size_weights;
  if (!weights.empty()) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (weights.size() != options.sizes.size() || !(sum > 0) || std::ranges::min(weights) < 0) {
      throw UsageError(
          "games.size_weights: expected one weight per size, none negative, not all 0");
    }
  }
  for (const int n : options.sizes) rules_of(options, BoardSize::square(n));
}

Rules asked_rules(const GameOptions& options, BoardSize size) {
  try {
    Rules rules = parse_rules(options.rules, size);
    if (rules.handicap != 0) throw Error("rules, handicap: expected none, self-play is even");
    if (options.rules.find("komi=") != std::string::npos) {
      throw Error("rules, komi: expected none here, games.komi_mean tells it");
    }
    rules.komi = Komi::from_half_points(static_cast<int>(std::lround(2 * options.komi_mean)));
    return rules;
  } catch (const Error& error) {
    throw UsageError("games.rules: " + std::string(error.what()));
  }
}

Rules rules_of(const GameOptions& options, BoardSize size) {
  return played_out(asked_rules(options, size), options.play_out);
}

Rules drawn_rules(const SelfplaySettings& settings, std::uint64_t index) {
  Rng size_rng = stream_of(settings.seed, index, kSize);
  Rng komi_rng = stream_of(settings.seed, index, kKomi);
  Rules rules = rules_of(settings.games, drawn_size(settings.games, size_rng));
  rules.komi = drawn_komi(settings, rules.size, komi_rng);
  return rules;
}

bool drawn_random_opening(const SelfplaySettings& settings, std::uint64_t index) {
  Rng rng = stream_of(settings.seed, index, kRandomOpening);
  return rng.uniform() < settings.games.random_opening_share;
}

int drawn_opening_moves(const SelfplaySettings& settings, std::uint64_t index, BoardSize size) {
  Rng rng = stream_of(settings.seed, index, kOpening);
  const GameOptions& games = settings.games;
  const double moves =
      drawn_random_opening(settings, index)
          ? rng.uniform() * (std::floor(2 * games.random_opening_mean * size.area()) + 1)
          : rng.exponential() * games.opening_mean * size.area();
  return static_cast<int>(std::min<double>(moves, move_cap(games, size) - 1));
}

bool drawn_pass_alive_end(const SelfplaySettings& settings, std::uint64_t index) {
  Rng rng = stream_of(settings.seed, index, kEnd);
  return rng.uniform() < settings.games.pass_alive_end_share;
}

int move_cap(const GameOptions& options, BoardSize size) {
  return std::max(1, static_cast<int>(std::ceil(options.move_cap * size.area())));
}

GameRecord begun_record(const SelfplaySettings& settings, std::uint64_t index, std::string net) {
  GameRecord record;
  record.index = index;
  record.seed = settings.seed;
  record.net = std::move(net);
  record.rules = drawn_rules(settings, index);
  record.opening_moves = drawn_opening_moves(settings, index, record.rules.size);
  record.score.komi = record.rules.komi;
  return record;
}

std::uint64_t ply_seed(std::uint64_t seed, std::uint64_t index, int ply) {
  return mix64(mix64(seed, index), kPlies, static_cast<std::uint64_t>(ply));
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
  record.opening_moves = 0;
  Rng rng = stream_of(settings.seed, index, kRandomGame);
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
