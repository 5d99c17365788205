#include "selfplay/game_sgf.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "rules/rules_text.h"
#include "rules/sgf_game.h"

namespace tengen {
namespace {

constexpr std::size_t kMovesShown = 5;

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[160];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string result_of(const GameRecord& record) {
  if (record.outcome.is_no_result) return "Void";
  if (!record.outcome.winner) return "0";
  if (!is_unscored(record.end)) return to_text(record.score);
  const std::string winner = *record.outcome.winner == Color::kBlack ? "B+" : "W+";
  return winner + (record.end == GameEnd::kResignation ? "R" : "F");
}

// The largest entries of a policy: "E5 61.0 %, D4 20.5 %".
std::string best_moves(const std::vector<float>& policy, BoardSize size) {
  std::vector<std::size_t> order(policy.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min(kMovesShown, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return std::pair(-policy[a], a) < std::pair(-policy[b], b);
                    });
  std::string text;
  for (std::size_t k = 0; k < count && policy[order[k]] > 0; ++k) {
    if (k > 0) text += ", ";
    text += to_text(move_at(static_cast<int>(order[k]), size), size) +
            formatted(" %.1f %%", 100.0 * policy[order[k]]);
  }
  return text;
}

std::string comment_of(const GameRecord& record, std::size_t ply) {
  const MoveRecord& played = record.moves[ply];
  if (std::cmp_less(ply, record.opening_moves)) return "opening";
  if (played.visits == 0) return "random";
  std::string text = formatted("win %.1f %%, score %+.1f after %d visits; net alone %.1f %%, %+.1f",
                               100.0 * played.root_win, double{played.root_score}, played.visits,
                               100.0 * played.raw_win, double{played.raw_score});
  if (record.nets.size() > 1) text += "\nnet " + record.nets[static_cast<std::size_t>(played.net)];
  if (played.policy.empty()) return text + "\nno training row";
  return text +
         formatted("\nsurprise %.3f nats, weight %.2f\n", double{played.policy_surprise},
                   double{played.weight}) +
         best_moves(played.policy, record.rules.size);
}

// Who made a side's first move.
const std::string& name_of_side(const GameRecord& record, bool moves_first) {
  const std::size_t ply = moves_first ? 0 : 1;
  return record
      .nets[ply < record.moves.size() ? static_cast<std::size_t>(record.moves[ply].net) : 0];
}

}  // namespace

SgfTree sgf_of(const GameRecord& record) {
  const Position start(record.rules);
  SgfGame game;
  game.setup = start.board();
  game.to_move = start.to_move();
  game.komi = record.rules.komi;
  game.handicap = record.rules.handicap;
  game.rules = rule_set_text(record.rules);
  game.result = result_of(record);
  const bool black_begins = start.to_move() == Color::kBlack;
  game.black_name = name_of_side(record, black_begins);
  game.white_name = name_of_side(record, !black_begins);
  game.game_name =
      "game " + std::to_string(record.index) + " of seed " + std::to_string(record.seed);
  game.application = "Tengen";
  game.charset = "UTF-8";
  Color mover = start.to_move();
  for (const MoveRecord& played : record.moves) {
    game.moves.push_back({mover, played.move});
    mover = opponent(mover);
  }
  SgfTree tree = tree_of(game);
  tree.node(SgfTree::kRoot)
      .add("C", "ended by " + std::string(name_of(record.end)) + "; " +
                    std::to_string(record.evaluations) + " evaluations");
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    tree.node(static_cast<int>(ply) + 1).add("C", comment_of(record, ply));
  }
  return tree;
}

}  // namespace tengen
