#include "selfplay/subtree_bias.h"

#include <cmath>

#include "rules/rng.h"

namespace tengen {
namespace {

// What makes moves alike. The pattern is that after the move.
std::uint64_t kind_of(const Position& position) {
  const BoardSize size = position.size();
  std::uint64_t key = position.to_move() == Color::kBlack ? 1 : 2;
  const int moves = std::min(position.ply(), 2);
  for (int back = 0; back < moves; ++back) {
    key = mix64(key, static_cast<std::uint64_t>(policy_index(position.recent(back).move, size)));
  }
  position.ko_banned().for_each([&](int i) { key = mix64(key, static_cast<std::uint64_t>(i)); });
  if (moves == 0 || position.recent(0).move.is_pass()) return key;
  const Point centre = position.recent(0).move.point();
  for (int row = centre.row() - 2; row <= centre.row() + 2; ++row) {
    for (int column = centre.column() - 2; column <= centre.column() + 2; ++column) {
      const Point p = Point::at(row, column);
      const int stone = size.contains(p) ? static_cast<int>(position.board().stone_at(p)) : 3;
      key = key * 5 + static_cast<std::uint64_t>(stone);
    }
  }
  return mix64(key);
}

}  // namespace

void SubtreeBias::clear() {
  kinds_.clear();
  entries_.clear();
}

void SubtreeBias::add_node(const Position& position) {
  entries_.push_back({.kind = kind_of(position)});
}

double SubtreeBias::begin(NodeIndex n, double own_weight, double factor) {
  Entry& entry = entries_[n];
  entry.own_weight = own_weight;
  entry.correction = factor * kinds_[entry.kind].mean();
  return entry.correction;
}

void SubtreeBias::update(SearchTree& tree, std::span<const NodeIndex> path, double factor,
                         double exponent) {
  double utility_change = 0;  // of sums below, for the side to move there
  double square_change = 0;
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    utility_change = -utility_change;
    tree.correct(*at, utility_change, square_change);
    const Node& node = tree.node(*at);
    Entry& entry = entries_[*at];
    const double own = node.raw.utility + entry.correction;
    const double child_weight = node.weight - entry.own_weight;
    if (node.is_terminal || child_weight < 1e-9) continue;

    const double children = (node.sum.utility - entry.own_weight * own) / child_weight;
    const double weight = std::pow(child_weight, exponent);
    const double error = weight * (children - node.raw.utility);
    Kind& kind = kinds_[entry.kind];
    kind.error += error - entry.error;
    kind.weight += weight - entry.weight;
    entry.error = error;
    entry.weight = weight;

    entry.correction = factor * kind.mean();
    const double corrected = node.raw.utility + entry.correction;
    const double change = entry.own_weight * (corrected - own);
    const double change_of_square = entry.own_weight * (corrected * corrected - own * own);
    tree.correct(*at, change, change_of_square);
    utility_change += change;
    square_change += change_of_square;
  }
}

void SubtreeBias::keep(std::span<const NodeIndex> kept) {
  constexpr double kForgotten = 0.8;  // subtreeValueBiasFreeProp
  std::vector<Entry> entries;
  for (const NodeIndex n : kept) {
    entries.push_back(entries_[n]);
    entries_[n].weight = entries_[n].error = 0;
  }
  for (const Entry& gone : entries_) {
    Kind& kind = kinds_[gone.kind];
    kind.error -= kForgotten * gone.error;
    kind.weight -= kForgotten * gone.weight;
  }
  entries_ = std::move(entries);
}

}  // namespace tengen
