#include "naive_puct.h"

#include <algorithm>
#include <cmath>

#include "selfplay/utility.h"

namespace tengen {
namespace {

std::string kind_of(const Position& p) {
  std::string kind = p.to_move() == Color::kBlack ? "W" : "B";
  for (int back = 0; back < std::min(2, p.ply()); ++back) {
    kind += " " + to_text(p.recent(back).move, p.size());
  }
  p.ko_banned().for_each([&](int i) { kind += " ko" + std::to_string(i); });
  if (p.ply() == 0 || p.recent(0).move.is_pass()) return kind;
  const Point centre = p.recent(0).move.point();
  for (int r = -2; r <= 2; ++r) {
    for (int c = -2; c <= 2; ++c) {
      const Point at = Point::at(centre.row() + r, centre.column() + c);
      const bool is_inside = p.size().contains(at);
      const Stone stone = is_inside ? p.board().stone_at(at) : Stone::kEmpty;
      kind += !is_inside ? '#' : stone == Stone::kBlack ? 'X' : stone == Stone::kWhite ? 'O' : '.';
    }
  }
  return kind;
}

}  // namespace

NaivePuct::NaivePuct(const SearchOptions& options, Evaluator& evaluator, const Position& root)
    : options_(options), evaluator_(evaluator), root_(node(root)) {}

std::unique_ptr<NaivePuct::Node> NaivePuct::node(const Position& position) {
  auto made = std::make_unique<Node>(Node{.position = position});
  Node& n = *made;
  n.kind = kind_of(position);
  all_.push_back(&n);
  const int area = position.size().area();
  if (position.is_over()) {
    const Score score = position.score();
    const double sign = position.to_move() == Color::kBlack ? 1 : -1;
    const double margin = sign * score.black_margin();
    const double win = margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
    n.raw = utility_of(win, 1 - win, margin, options_.score_weight, area);
    return made;
  }
  const EvaluationInput input{features_of(position), Symmetry()};
  Evaluation answer;
  evaluator_.evaluate({&input, 1}, {&answer, 1});
  n.raw = utility_of(answer.win, answer.loss, answer.score, options_.score_weight, area);
  double sum = 0;
  for (int i = 0; i <= area; ++i) {
    if (!position.is_legal(move_at(i, position.size()))) continue;
    sum += n.prior[i] = std::exp(answer.policy_logits[static_cast<std::size_t>(i)]);
  }
  for (auto& [i, p] : n.prior) p /= sum;
  n.correction = options_.puct.subtree_bias * kind_mean(n.kind);
  return made;
}

double NaivePuct::kind_mean(const std::string& kind) const {
  if (options_.puct.subtree_bias == 0) return 0;
  double error = 0, weight = 0;
  for (const Node* n : all_) {
    if (n->kind == kind) error += n->error, weight += n->error_weight;
  }
  return weight > 1e-3 ? error / weight : 0;
}

NaivePuct::Sums NaivePuct::sums(const Node& n) const {
  if (n.ends > 0) return {n.ends, n.ends * n.raw, n.ends * n.raw * n.raw};
  const double own = n.raw + n.correction;
  Sums all{1, own, own * own};
  for (const auto& [i, child] : n.children) {
    const Sums below = sums(*child);
    all.visits += below.visits;
    all.utility -= below.utility;
    all.square += below.square;
  }
  return all;
}

int NaivePuct::choice(const Node& n) const {
  const PuctOptions& o = options_.puct;
  const Sums here = sums(n);
  const double children = here.visits - 1;
  const double mean = here.utility / here.visits;
  double stdev = 0.4;
  if (here.visits > 1) {
    const double variance =
        ((mean * mean + 0.16) * 2 + here.square) / (2 + here.visits - 1) - mean * mean;
    stdev = std::sqrt(variance);
  }
  const double scaling = (o.exploration + o.exploration_log * std::log((children + 500) / 500)) *
                         std::sqrt(children + 0.01) * (1 + o.stdev_scale * (stdev / 0.4 - 1));
  double visited_prior = 0;
  for (const auto& [i, child] : n.children) visited_prior += n.prior.at(i);
  const double blend = std::pow(visited_prior, o.fpu_parent_power);
  const double reduction = &n == root_.get() ? o.root_fpu_reduction : o.fpu_reduction;
  const double fpu = blend * mean + (1 - blend) * n.raw - reduction * std::sqrt(visited_prior);
  int best = -1;
  double best_value = 0;
  for (const auto& [i, prior] : n.prior) {
    double q = fpu, visits = 0;
    if (n.children.contains(i)) {
      const Sums below = sums(*n.children.at(i));
      visits = below.visits;
      q = -below.utility / below.visits;
    }
    const double value = q + scaling * prior / (1 + visits);
    if (best < 0 || value > best_value) best = i, best_value = value;
  }
  return best;
}

void NaivePuct::descend(Node& n) {
  const int i = choice(n);
  auto& child = n.children[i];
  if (!child) {
    Position next = n.position;
    next.play(move_at(i, next.size()));
    child = node(next);
    if (next.is_over()) child->ends = 1;
  } else if (child->position.is_over()) {
    ++child->ends;
  } else {
    descend(*child);
  }
  if (options_.puct.subtree_bias == 0) return;
  const Sums all = sums(n);
  const double weight = all.visits - 1;
  n.error_weight = std::pow(weight, options_.puct.subtree_bias_exponent);
  n.error = n.error_weight * ((all.utility - n.raw - n.correction) / weight - n.raw);
  n.correction = options_.puct.subtree_bias * kind_mean(n.kind);
}

void NaivePuct::simulate(int times) {
  for (int i = 0; i < times; ++i) descend(*root_);
}

void NaivePuct::advance(Move move) {
  auto child = std::move(root_->children.at(policy_index(move, root_->position.size())));
  root_->children.erase(policy_index(move, root_->position.size()));
  forget(*root_, 0.2);
  gone_.push_back(std::move(root_));
  root_ = std::move(child);
}

void NaivePuct::forget(Node& n, double factor) {
  n.error *= factor;
  n.error_weight *= factor;
  for (auto& [i, child] : n.children) forget(*child, factor);
}

std::vector<int> NaivePuct::visits() const {
  std::vector<int> all(static_cast<std::size_t>(root_->position.size().area()) + 1, 0);
  for (const auto& [i, child] : root_->children) {
    all[static_cast<std::size_t>(i)] = sums(*child).visits;
  }
  return all;
}

double NaivePuct::utility() const {
  const Sums all = sums(*root_);
  return all.utility / all.visits;
}

}  // namespace tengen
