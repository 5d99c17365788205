#include "solver.h"

#include <algorithm>
#include <vector>

namespace tengen {
namespace {
constexpr int kMaxPly = 300;  // each one is a Position on the stack
}

std::optional<int> Solver::margin(const Position& position, int alpha, int beta) {
  if (++nodes_ > limit_ || position.ply() > kMaxPly) return std::nullopt;
  if (position.is_over()) {
    const int black = position.score().black_margin_half_points();
    return position.to_move() == Color::kBlack ? black : -black;
  }
  std::vector<Move> moves;
  position.legal_points().for_each([&](int i) { moves.emplace_back(position.size().point(i)); });
  // A pass that ends the game is a quick cutoff, one that does not is rarely the best.
  moves.insert(position.passes_in_a_row() > 0 ? moves.begin() : moves.end(), Move::pass());
  int best = -100000;
  for (const Move m : moves) {
    Position next = position;
    next.play(m);
    const std::optional<int> answer = margin(next, -beta, -alpha);
    if (!answer) return std::nullopt;
    best = std::max(best, -*answer);
    alpha = std::max(alpha, best);
    if (alpha >= beta) break;
  }
  return best;
}

std::optional<int> Solver::result(const Position& position) {
  nodes_ = 0;
  const std::optional<int> m = margin(position, -1, 1);
  if (!m) return std::nullopt;
  return *m > 0 ? 1 : *m < 0 ? -1 : 0;
}

std::optional<int> Solver::result_after(const Position& position, Move move) {
  Position next = position;
  next.play(move);
  const std::optional<int> answer = result(next);
  if (!answer) return std::nullopt;
  return -*answer;
}

}  // namespace tengen
