#include "selfplay/record.h"

#include <cmath>
#include <optional>

namespace tengen {
namespace {

[[noreturn]] void refuse(const GameRecord& record, std::size_t ply, const std::string& what) {
  throw Error("game " + std::to_string(record.index) + ", ply " + std::to_string(ply) + ": " +
              what);
}

void verify_policy(const GameRecord& record, std::size_t ply, const Position& position) {
  const std::vector<float>& policy = record.moves[ply].policy;
  const int area = position.size().area();
  if (policy.size() != static_cast<std::size_t>(area) + 1) {
    refuse(record, ply,
           "expected a policy of " + std::to_string(area + 1) + " entries, found " +
               std::to_string(policy.size()));
  }
  const PointSet legal = position.legal_points();
  double sum = 0;
  for (int i = 0; i <= area; ++i) {
    const float p = policy[static_cast<std::size_t>(i)];
    if (!std::isfinite(p) || p < 0) {
      refuse(record, ply, "policy entry " + std::to_string(i) + " is " + std::to_string(p));
    }
    if (p > 0 && i < area && !legal.contains(i)) {
      refuse(record, ply,
             "policy entry " + std::to_string(i) + " is positive, but the move is illegal");
    }
    sum += p;
  }
  if (std::abs(sum - 1) > 1e-3) {
    refuse(record, ply, "policy sums to " + std::to_string(sum) + ", expected 1");
  }
}

void verify_move(const GameRecord& record, std::size_t ply, const Position& position) {
  const MoveRecord& move = record.moves[ply];
  if (!move.move.is_pass() && !position.size().contains(move.move.point())) {
    refuse(record, ply, "the move is off the board");
  }
  if (!position.is_legal(move.move)) {
    refuse(record, ply, "illegal move " + to_text(move.move, position.size()));
  }
  if (!std::isfinite(move.root_win) || move.root_win < 0 || move.root_win > 1) {
    refuse(record, ply, "root_win is " + std::to_string(move.root_win) + ", expected 0 to 1");
  }
  if (!std::isfinite(move.root_score)) refuse(record, ply, "root_score is not finite");
  if (move.visits < 0) refuse(record, ply, "visits are negative");
  if (!move.policy.empty()) {
    if (ply < static_cast<std::size_t>(record.opening_moves)) {
      refuse(record, ply, "an opening move has a policy");
    }
    verify_policy(record, ply, position);
  } else if (move.root_win != 0.5F || move.root_score != 0.F || move.visits != 0) {
    refuse(record, ply, "a move without policy has search values");
  }
}

void verify_end(const GameRecord& record, const Position& position) {
  const std::size_t plies = record.moves.size();
  if (record.end == GameEnd::kAllPassAlive && !position.is_all_pass_alive()) {
    refuse(record, plies, "ended as all pass-alive, but it is not");
  }
  if ((record.end == GameEnd::kPasses) != position.is_over()) {
    refuse(record, plies,
           "ended by " + std::string(name_of(record.end)) + ", but two passes in a row " +
               (position.is_over() ? "were" : "were not") + " played");
  }
  const Score expected = final_score(position, record.end);
  if (record.score.black_area != expected.black_area ||
      record.score.white_area != expected.white_area || record.score.komi != expected.komi) {
    refuse(record, plies,
           "expected score " + to_text(expected) + ", found " + to_text(record.score) +
               " or other areas");
  }
}

}  // namespace

std::string_view name_of(GameEnd end) {
  switch (end) {
    case GameEnd::kPasses:
      return "passes";
    case GameEnd::kAllPassAlive:
      return "all-pass-alive";
    case GameEnd::kMoveCap:
      return "move-cap";
  }
  return "unknown";
}

Score final_score(const Position& position, GameEnd end) {
  if (end != GameEnd::kAllPassAlive) return position.score();
  const std::optional<Score> settled = position.settled_score();
  if (!settled) throw Error("ended as all pass-alive, but it is not");
  return *settled;
}

void verify(const GameRecord& record) {
  if (record.moves.empty()) refuse(record, 0, "no moves");
  if (record.opening_moves < 0 ||
      static_cast<std::size_t>(record.opening_moves) > record.moves.size()) {
    refuse(record, 0, "opening_moves is " + std::to_string(record.opening_moves));
  }
  Position position(record.rules);
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    if (position.is_over()) refuse(record, ply, "a move after the end of the game");
    verify_move(record, ply, position);
    position.play(record.moves[ply].move);
  }
  verify_end(record, position);
}

}  // namespace tengen
