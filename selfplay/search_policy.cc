#include "selfplay/search_policy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "selfplay/judgement.h"
#include "selfplay/puct.h"

namespace tengen {
namespace {

bool weighs_by_uncertainty(const SearchOptions& options) {
  return options.algorithm != "gumbel" && options.puct.uncertainty_coefficient > 0;
}

}  // namespace

void SearchPolicy::prepare(const SearchTree& tree, const Position& root,
                           const SearchOptions& options, std::uint64_t seed,
                           const Evaluation* answer) {
  is_pure_gumbel_ = options.algorithm == "gumbel";
  sigma_ = {options.c_visit, options.c_scale};
  halving_ = 0;
  if (answer != nullptr && options.algorithm != "puct") {
    std::vector<double> logits;
    for (const Edge& e : tree.edges(SearchTree::kRoot)) {
      logits.push_back(answer->policy_logits[static_cast<std::size_t>(e.policy_index)]);
    }
    halving_ = is_pure_gumbel_ ? options.visits : std::min(options.visits, options.hybrid_visits);
    gumbel_.prepare(std::move(logits), options, halving_, seed);
  }
  if (is_pure_gumbel_) return;
  const bool explores = options.gumbel_scale != 0;
  const bool has_noise = explores && options.algorithm == "puct";
  puct_options_ = options.puct;
  puct_.prepare(tree, root, options.puct, explores, has_noise, seed);
}

int SearchPolicy::choose(SearchTree& tree, NodeIndex at, int simulation) const {
  const bool is_halving = simulation < halving_;
  if (at == SearchTree::kRoot) {
    return is_halving ? gumbel_.choose(tree, gumbel_.required(simulation)) : puct_.choose(tree);
  }
  return is_halving ? tree.choose_interior(at, sigma_) : choose_puct(tree, at, puct_options_);
}

bool SearchPolicy::may_join(int simulation) const {
  if (simulation >= halving_) return simulation > halving_;
  return gumbel_.required(simulation) == gumbel_.required(simulation - 1);
}

void SearchPolicy::fill(const SearchTree& tree, BoardSize size, SearchResult& result) const {
  if (is_pure_gumbel_) {
    gumbel_.fill(tree, size, result);
  } else {
    puct_.fill(tree, result);
  }
}

double weight_of(const Evaluation& answer, const SearchOptions& options, int area) {
  if (!weighs_by_uncertainty(options) || answer.win_error < 0) return 1;
  const double slope = score_slope(answer.score, options.score_weight, area);
  const double error =
      (1 - options.score_weight) * answer.win_error + slope * std::max(0.F, answer.score_error);
  return uncertainty_weight(error, options.puct.uncertainty_coefficient,
                            options.puct.uncertainty_max_weight);
}

double certain_weight(const SearchOptions& options) {
  return weighs_by_uncertainty(options) ? options.puct.uncertainty_max_weight : 1;
}

}  // namespace tengen
