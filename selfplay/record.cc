#include "selfplay/record.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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
  const std::pair<const char*, float> values[] = {{"root_score", move.root_score},
                                                  {"root_no_result", move.root_no_result},
                                                  {"raw_win", move.raw_win},
                                                  {"raw_score", move.raw_score},
                                                  {"policy_surprise", move.policy_surprise}};
  for (const auto& [name, value] : values) {
    if (!std::isfinite(value)) refuse(record, ply, std::string(name) + " is not finite");
  }
  if (move.visits < 0) refuse(record, ply, "visits are negative");
  if (!std::isfinite(move.weight) || move.weight < 0) {
    refuse(record, ply, "its weight is " + std::to_string(move.weight) + ", expected 0 or more");
  }
  if (!move.policy.empty()) {
    if (move.weight == 0) refuse(record, ply, "a move that gives no row has a policy");
    if (ply < static_cast<std::size_t>(record.opening_moves)) {
      refuse(record, ply, "an opening move has a policy");
    }
    verify_policy(record, ply, position);
  } else if (move.weight != 0 &&
             (move.root_win != 0.5F || move.root_score != 0.F || move.visits != 0)) {
    refuse(record, ply, "a move without policy has search values");
  }
}

// The nets are those of the moves, in the order of their first ones.
void verify_nets(const GameRecord& record) {
  int known = 0;
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    const int net = record.moves[ply].net;
    if (net < 0 || net > known || std::cmp_greater_equal(net, record.nets.size())) {
      refuse(
          record, ply,
          "its net is number " + std::to_string(net) + " of " + std::to_string(record.nets.size()));
    }
    if (net == known) ++known;
  }
  if (std::cmp_not_equal(known, record.nets.size())) {
    refuse(record, record.moves.size(), "a net has no moves");
  }
}

void verify_end(const GameRecord& record, const Position& position) {
  const std::size_t plies = record.moves.size();
  const std::string complaint = end_complaint(position, record.end);
  if (!complaint.empty()) refuse(record, plies, complaint);
  const Score expected = final_score(position, record.end);
  if (record.score != expected) {
    refuse(record, plies,
           "expected score " + to_text(expected) + ", found " + to_text(record.score) +
               " or other areas");
  }
  if (record.outcome != final_outcome(position, record.end, expected)) {
    refuse(record, plies, "its outcome is not that of its end and score");
  }
}

}  // namespace

bool gives_row(const GameRecord& record, std::size_t ply) {
  return std::cmp_greater_equal(ply, record.opening_moves) && record.moves[ply].weight > 0;
}

std::int64_t row_count(const GameRecord& record) {
  std::int64_t rows = 0;
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) rows += gives_row(record, ply);
  return rows;
}

std::string_view name_of(GameEnd end) {
  switch (end) {
    case GameEnd::kPasses:
      return "passes";
    case GameEnd::kAllPassAlive:
      return "all-pass-alive";
    case GameEnd::kMoveCap:
      return "move-cap";
    case GameEnd::kRepetition:
      return "repetition";
    case GameEnd::kThreeKos:
      return "three-kos";
    case GameEnd::kResignation:
      return "resignation";
  }
  return "unknown";
}

GameEnd end_of(PlayEnding ending) {
  switch (ending) {
    case PlayEnding::kPasses:
      return GameEnd::kPasses;
    case PlayEnding::kMoveCap:
      return GameEnd::kMoveCap;
    case PlayEnding::kRepetition:
      return GameEnd::kRepetition;
    case PlayEnding::kThreeKos:
      return GameEnd::kThreeKos;
  }
  check(false, "an ending is one of four");
  return GameEnd::kPasses;
}

Outcome final_outcome(const Position& position, GameEnd end, const Score& score) {
  if (end == GameEnd::kResignation) return {opponent(position.to_move())};
  return is_unscored(end) ? position.outcome() : Outcome{score.winner()};
}

std::string end_complaint(const Position& position, GameEnd end) {
  if (end == GameEnd::kAllPassAlive && !position.is_all_pass_alive()) {
    return "ended as all pass-alive, but it is not";
  }
  // A game that was cut, settled or resigned need not be over by its rules.
  const bool is_cut =
      end == GameEnd::kMoveCap || end == GameEnd::kAllPassAlive || end == GameEnd::kResignation;
  const auto ending = position.ending();
  if (ending ? end == end_of(*ending) : is_cut) return "";
  return "ended by " + std::string(name_of(end)) + ", but the rules " +
         (ending ? "end it by " + std::string(name_of(*ending))
                 : std::string("do not end it here"));
}

Score final_score(const Position& position, GameEnd end) {
  if (end != GameEnd::kAllPassAlive) return position.score();
  const std::optional<Score> settled = position.settled_score();
  if (!settled) throw Error("ended as all pass-alive, but it is not");
  return *settled;
}

void finish(GameRecord& record, const Position& position, GameEnd end) {
  record.end = end;
  record.score = final_score(position, end);
  record.outcome = final_outcome(position, end, record.score);
}

void verify(const GameRecord& record) {
  if (record.moves.empty()) refuse(record, 0, "no moves");
  if (record.opening_moves < 0 ||
      static_cast<std::size_t>(record.opening_moves) > record.moves.size()) {
    refuse(record, 0, "opening_moves is " + std::to_string(record.opening_moves));
  }
  verify_nets(record);
  Position position(record.rules);
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    if (position.is_over()) refuse(record, ply, "a move after the end of the game");
    verify_move(record, ply, position);
    position.play(record.moves[ply].move);
  }
  verify_end(record, position);
}

}  // namespace tengen
