#include <algorithm>
#include <cmath>
#include <vector>

#include "eval/player.h"
#include "rules/check.h"
#include "rules/playout.h"
#include "rules/rng.h"

namespace tengen {
namespace {

// Weight of the exploration term for results in [0, 1]. UCB1's own sqrt(2) explores so widely that
// a thousand playouts look two plies deep; 0.5 plays clearly better on small boards.
constexpr double kExploration = 0.5;
// Share of the margin in a playout's result, so that among sure wins the larger one is preferred.
constexpr double kMarginShare = 0.1;
// A playout this long, times the area, is scored as it stands.
constexpr int kPlayoutCap = 3;

// UCB1 (Auer et al. 2002): mean result plus sqrt(ln N / n), `wins` for the side that chooses.
double ucb_score(double wins, int visits, double log_parent_visits) {
  return wins / visits + kExploration * std::sqrt(log_parent_visits / visits);
}

// Result for `c` in [0, 1]: 1, 0.5 or 0, and the share of the margin.
double result_for(Color c, const Score& score, int area) {
  const auto winner = score.winner();
  const double result = !winner ? 0.5 : *winner == c ? 1.0 : 0.0;
  const double black_share = std::clamp(score.black_margin() / (2 * area), -0.5, 0.5);
  const double share = 0.5 + (c == Color::kBlack ? black_share : -black_share);
  return (1 - kMarginShare) * result + kMarginShare * share;
}

// One UCT search of one position.
class RolloutTree {
 public:
  RolloutTree(const Position& root, std::uint64_t seed) : root_(root), rng_(seed) {
    nodes_.push_back({});
    expand(0, root_);
  }

  // Descends, adds one node's children, plays a random game from there and backs its result up.
  void play_once() {
    Position position = root_;
    path_.assign(1, 0);
    int node = 0;
    while (nodes_[node].children > 0 && !position.is_over()) {
      node = select(node);
      path_.push_back(node);
      position.play(nodes_[node].move);
    }
    if (nodes_[node].visits > 0 && nodes_[node].children == 0 && !position.is_over()) {
      expand(node, position);
      node = select(node);
      path_.push_back(node);
      position.play(nodes_[node].move);
    }
    if (!position.is_over()) {
      play_random_game(position, rng_, kPlayoutCap * position.size().area());
    }
    back_up(result_of(position));
  }

  MoveChoice best() const {
    int best = nodes_[0].first_child;
    for (int i = best; i < nodes_[0].first_child + nodes_[0].children; ++i) {
      if (nodes_[i].visits > nodes_[best].visits) best = i;
    }
    const Node& node = nodes_[best];
    const double win = node.visits > 0 ? node.wins / node.visits : 0.5;
    return {.move = node.move, .win = static_cast<float>(win)};
  }

 private:
  struct Node {
    Move move = Move::pass();  // the move that led here
    int visits = 0;
    double wins = 0;  // for the side that played `move`
    int first_child = 0;
    int children = 0;
  };

  // Moves that fill no own eye; a pass where it ends the game or nothing else is left.
  void expand(int node, const Position& position) {
    const PointSet points =
        position.legal_points() - position.board().single_point_eyes(position.to_move());
    const int first = static_cast<int>(nodes_.size());
    points.for_each([&](int index) { nodes_.push_back({.move = position.size().point(index)}); });
    if (points.is_empty() || position.has_button() || position.pass_would_end_phase()) {
      nodes_.push_back({});
    }
    nodes_[node].first_child = first;
    nodes_[node].children = static_cast<int>(nodes_.size()) - first;
  }

  // An unvisited child, drawn evenly, or the one with the highest UCB1 score.
  int select(int node) {
    const Node& parent = nodes_[node];
    const double log_visits = std::log(static_cast<double>(std::max(parent.visits, 1)));
    int best = -1;
    int unvisited = 0;
    double best_score = -1;
    for (int i = parent.first_child; i < parent.first_child + parent.children; ++i) {
      if (nodes_[i].visits == 0) {
        if (rng_.below(static_cast<std::uint32_t>(++unvisited)) == 0) best = i;
      } else if (unvisited == 0) {
        const double score = ucb_score(nodes_[i].wins, nodes_[i].visits, log_visits);
        if (score > best_score) {
          best_score = score;
          best = i;
        }
      }
    }
    return best;
  }

  // For the root's side. Playouts fill the board: nothing is left for a judge to find.
  double result_of(const Position& position) const {
    if (!position.is_scored()) {
      const Outcome outcome = position.outcome();
      return !outcome.winner ? 0.5 : *outcome.winner == root_.to_move() ? 1.0 : 0.0;
    }
    return result_for(root_.to_move(), position.score_sheet(PointSet()).score(),
                      position.size().area());
  }

  void back_up(double root_result) {
    // path_[1] was chosen by the root's side, path_[2] by its opponent, and so on.
    for (std::size_t depth = 0; depth < path_.size(); ++depth) {
      Node& node = nodes_[path_[depth]];
      ++node.visits;
      node.wins += depth % 2 == 1 ? root_result : 1.0 - root_result;
    }
  }

  const Position& root_;
  Rng rng_;
  std::vector<Node> nodes_;
  std::vector<int> path_;
};

class RolloutPlayer : public Player {
 public:
  explicit RolloutPlayer(int playouts) : playouts_(playouts) {
    check(playouts >= 1, "at least one playout per move");
  }
  std::string name() const override {
    return "tree search without a net, " + std::to_string(playouts_) + " playouts";
  }
  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    check(requests.size() == choices.size(), "one choice per request");
    for (std::size_t i = 0; i < requests.size(); ++i) {
      choices[i] = choose_one(*requests[i].position, requests[i].seed);
    }
  }

 private:
  MoveChoice choose_one(const Position& position, std::uint64_t seed) const {
    if (const auto pass = pass_without_thinking(position)) return *pass;
    RolloutTree tree(position, seed);
    for (int i = 0; i < playouts_; ++i) tree.play_once();
    return tree.best();
  }

  int playouts_;
};

}  // namespace

std::unique_ptr<Player> make_rollout_player(int playouts) {
  return std::make_unique<RolloutPlayer>(playouts);
}

}  // namespace tengen
