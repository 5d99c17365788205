#include "selfplay/search_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rules/check.h"
#include "rules/dead_stones.h"
#include "selfplay/utility.h"

namespace tengen {

namespace {

Score final_score_of(const Position& position, JudgeMemo& memo) {
  constexpr std::size_t kMostKept = 4096;
  const Rules& rules = position.rules();
  const bool is_judged =
      rules.dead_stones == DeadStones::kMarked || rules.dead_stones == DeadStones::kAutomatic;
  if (!is_judged) return position.score();
  if (memo.size() >= kMostKept) memo.clear();
  const auto [entry, is_new] = memo.try_emplace(position.board().hash());
  if (is_new) entry->second = judge_dead_stones(position.board(), rules).dead;
  return position.score_sheet(entry->second).score();
}

}  // namespace

Judgement terminal_judgement(const Position& position, double score_weight, JudgeMemo& memo) {
  const bool is_scored = position.is_scored();
  const Score score = is_scored ? final_score_of(position, memo) : Score{};
  const Outcome outcome = is_scored ? Outcome{score.winner()} : position.outcome();
  const double win = !outcome.winner ? 0.5 : *outcome.winner == position.to_move() ? 1 : 0;
  const double black_margin = is_scored ? score.black_margin() : 0;
  const double margin = position.to_move() == Color::kBlack ? black_margin : -black_margin;
  return {utility_of(win, 1 - win, margin, score_weight, position.size().area()), win, margin};
}

Judgement raw_judgement(const Evaluation& answer, double score_weight, int area) {
  const Judgement outcome = {utility_of(answer.win, answer.loss, answer.score, score_weight, area),
                             answer.win + 0.5 * answer.no_result, answer.score};
  if (!std::isfinite(outcome.utility + outcome.win + outcome.score)) {
    throw Error("evaluation: expected a finite value and score, found NaN or infinity");
  }
  return outcome;
}

void SearchTree::clear() {
  nodes_.clear();
  edges_.clear();
}

NodeIndex SearchTree::add_root() {
  check(nodes_.empty(), "one root");
  nodes_.emplace_back();
  return kRoot;
}

NodeIndex SearchTree::add_child(NodeIndex parent, int edge) {
  Node& above = nodes_[parent];
  Edge& e = edges_[above.first_edge + static_cast<std::size_t>(edge)];
  check(e.child == kNoNode, "one child per edge");
  e.child = static_cast<NodeIndex>(nodes_.size());
  ++above.visited_edges;
  nodes_.emplace_back();
  return e.child;
}

void SearchTree::set_terminal(NodeIndex node, const Judgement& outcome) {
  nodes_[node].raw = outcome;
  nodes_[node].is_terminal = true;
}

void SearchTree::add_edges(NodeIndex node, const Position& position) {
  const std::size_t first = edges_.size();
  const auto add = [&](int policy_index) {
    edges_.push_back({0, kNoNode, static_cast<std::int16_t>(policy_index)});
  };
  position.legal_points().for_each(add);
  add(policy_index(Move::pass(), position.size()));
  nodes_[node].first_edge = static_cast<std::uint32_t>(first);
  nodes_[node].edge_count = static_cast<std::int16_t>(edges_.size() - first);
}

void SearchTree::set_evaluation(NodeIndex node, const Evaluation& answer, const Judgement& raw) {
  Node& n = nodes_[node];
  n.raw = raw;
  const std::span<Edge> moves(edges_.data() + n.first_edge, static_cast<std::size_t>(n.edge_count));
  const auto logit_of = [&](const Edge& e) {
    return answer.policy_logits[static_cast<std::size_t>(e.policy_index)];
  };
  float largest = -std::numeric_limits<float>::infinity();
  for (const Edge& e : moves) largest = std::max(largest, logit_of(e));
  float sum = 0;
  for (Edge& e : moves) sum += e.prior = std::exp(logit_of(e) - largest);
  if (!std::isfinite(sum)) {
    throw Error("evaluation: expected finite policy logits, found NaN or infinity");
  }
  const float scale = 1 / sum;
  for (Edge& e : moves) e.prior = std::max(e.prior * scale, std::numeric_limits<float>::min());
}

int SearchTree::choose_interior(NodeIndex n, const Sigma& sigma) {
  const Node& node = nodes_[n];
  const std::span<Edge> moves(edges_.data() + node.first_edge,
                              static_cast<std::size_t>(node.edge_count));
  const std::span<Edge> unvisited = moves.subspan(static_cast<std::size_t>(node.visited_edges));
  visited_.clear();
  for (const Edge& e : moves.first(static_cast<std::size_t>(node.visited_edges))) {
    const Node& child = nodes_[e.child];
    visited_.push_back({e.prior, -child.sum.utility / child.visits, child.visits});
  }
  double best_prior = 0;
  if (!unvisited.empty()) {
    const auto is_likelier = [](const Edge& a, const Edge& b) {  // of equals the lower index
      return a.prior > b.prior || (a.prior == b.prior && a.policy_index < b.policy_index);
    };
    Edge& best = *std::ranges::min_element(unvisited, is_likelier);
    best_prior = best.prior;
    std::swap(best, unvisited.front());
  }
  return interior_choice(visited_, best_prior, node.raw.utility, sigma);
}

void SearchTree::back_up(std::span<const NodeIndex> path, Judgement outcome) {
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    nodes_[*at].sum += outcome;
    ++nodes_[*at].visits;
    outcome = outcome.turned();
  }
}

}  // namespace tengen
