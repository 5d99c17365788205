#include "selfplay/search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rules/check.h"
#include "rules/rng.h"
#include "selfplay/judgement.h"
#include "selfplay/search_policy.h"
#include "selfplay/search_tree.h"
#include "selfplay/subtree_bias.h"

namespace tengen {
namespace {

constexpr std::uint64_t kSymmetryStream = 2;

// KL(policy || prior), nats.
float policy_surprise(std::span<const float> policy, std::span<const float> prior) {
  double sum = 0;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (policy[i] > 0) sum += double{policy[i]} * std::log(double{policy[i]} / double{prior[i]});
  }
  return static_cast<float>(std::max(0.0, sum));  // rounding aside
}

}  // namespace

struct Search::Impl {
  using Path = std::vector<NodeIndex>;  // of a simulation, from the root

  SearchOptions options;
  std::uint64_t seed = 0;
  Position root_position;
  Position scratch;  // of the simulation under way, played down from the root

  SearchTree tree;
  JudgeMemo judged;  // kept from move to move: one search is of one game
  SearchPolicy policy;
  SubtreeBias bias;
  std::vector<Path> paths;  // the first `pending` of them: to leaves that wait for answers
  std::size_t pending = 0;
  int simulations = 0;  // begun, those of a tree that was kept included
  int evaluations = 0;
  bool is_complete = false;

  Impl(const SearchOptions& o, const Position& root, std::uint64_t s)
      : root_position(root), scratch(root) {
    begin(o, root, s);
  }

  void begin(const SearchOptions& o, const Position& root, std::uint64_t s);
  void advance(Move move, std::uint64_t s);
  int gather(std::span<EvaluationInput> leaves);
  void absorb(std::span<const Evaluation> answers);
  SearchResult result() const;

  bool descend(Path& path);
  bool can_begin() const;
  void give(const Path& path, EvaluationInput& leaf);
  void take(const Path& path, const Evaluation& answer);
  void add(const Path& path, const Judgement& outcome, double weight);
  bool is_gumbel() const { return options.algorithm == "gumbel"; }
  bool has_bias() const { return options.puct.subtree_bias > 0 && !is_gumbel(); }
  Path& next_path() {
    if (pending == paths.size()) paths.emplace_back();
    return paths[pending];
  }
};

void Search::Impl::begin(const SearchOptions& o, const Position& root, std::uint64_t s) {
  check(o.visits >= 1 && o.max_considered >= 1, "a search has a visit and a move to consider");
  check(std::ranges::find(kSearchAlgorithms, o.algorithm) != kSearchAlgorithms.end(),
        "a search algorithm that there is");
  options = o;
  seed = s;
  root_position = root;
  tree.clear();
  bias.clear();
  pending = 0;
  simulations = 0;
  evaluations = 0;
  is_complete = false;
}

void Search::Impl::advance(Move move, std::uint64_t s) {
  check(pending == 0, "absorb comes before advance");
  NodeIndex next = kNoNode;
  if (tree.size() > 0) {
    for (const Edge& e : tree.edges(SearchTree::kRoot)) {
      if (move_at(e.policy_index, root_position.size()) == move) next = e.child;
    }
  }
  Position after = root_position;
  after.play(move);
  const bool keeps = next != kNoNode && !tree.node(next).is_terminal && !is_gumbel();
  if (!keeps) {
    begin(SearchOptions(options), after, s);
    return;
  }
  seed = s;
  root_position = after;
  const std::vector<NodeIndex> kept = tree.keep_subtree(next);
  if (has_bias()) bias.keep(kept);
  simulations = tree.node(SearchTree::kRoot).visits - 1;
  evaluations = 0;
  is_complete = false;
  policy.prepare(tree, root_position, options, seed, nullptr);
}

int Search::Impl::gather(std::span<EvaluationInput> leaves) {
  check(pending == 0, "absorb comes before the next gather");
  while (pending < leaves.size()) {
    Path& path = next_path();
    if (tree.size() == 0) {
      scratch = root_position;
      path.assign(1, tree.add_root());
      if (has_bias()) bias.add_node(scratch);
      give(path, leaves[pending++]);
      break;  // all else depends on the root's answer
    }
    if (!descend(path)) break;
    give(path, leaves[pending++]);
  }
  if (pending == 0) is_complete = true;
  return static_cast<int>(pending);
}

// Hands out the leaf at the end of the path, whose position is `scratch`.
void Search::Impl::give(const Path& path, EvaluationInput& leaf) {
  tree.add_edges(path.back(), scratch);
  tree.add_pending(path, 1);
  leaf.features = features_of(scratch, options.features);
  const auto symmetries = static_cast<std::uint64_t>(Symmetry::count(scratch.size()));
  leaf.symmetry =
      Symmetry(static_cast<int>(mix64(seed, kSymmetryStream, path.back()) % symmetries));
  ++evaluations;
}

void Search::Impl::absorb(std::span<const Evaluation> answers) {
  check(pending > 0 && answers.size() == pending, "an answer to each leaf that was gathered");
  for (std::size_t i = 0; i < pending; ++i) tree.add_pending(paths[i], -1);
  for (std::size_t i = 0; i < pending; ++i) take(paths[i], answers[i]);
  pending = 0;
}

void Search::Impl::take(const Path& path, const Evaluation& answer) {
  const int area = root_position.size().area();
  const Judgement raw = raw_judgement(answer, options.score_weight, area);
  tree.set_evaluation(path.back(), answer, raw);
  Judgement outcome = raw;
  const double weight = weight_of(answer, options, area);
  if (has_bias()) outcome.utility += bias.begin(path.back(), weight, options.puct.subtree_bias);
  add(path, outcome, weight);
  if (path.back() == SearchTree::kRoot) {
    policy.prepare(tree, root_position, options, seed, &answer);
  }
}

void Search::Impl::add(const Path& path, const Judgement& outcome, double weight) {
  tree.back_up(path, outcome, weight);
  if (has_bias()) {
    bias.update(tree, path, options.puct.subtree_bias, options.puct.subtree_bias_exponent);
  }
}

// Whether another simulation may begin now.
bool Search::Impl::can_begin() const {
  return simulations < options.visits && (pending == 0 || policy.may_join(simulations));
}

// Walks down to a position without evaluation, to which a node is added, and returns true.
// Simulations that end in a finished game are completed on the way. False: the budget is spent, or
// what is under way has to be answered first.
bool Search::Impl::descend(Path& path) {
  while (can_begin()) {
    scratch = root_position;
    path.assign(1, SearchTree::kRoot);
    while (!tree.node(path.back()).is_terminal) {
      const int edge = policy.choose(tree, path.back(), simulations);
      const Edge chosen = tree.edges(path.back())[static_cast<std::size_t>(edge)];
      if (chosen.child != kNoNode) {
        const Node& child = tree.node(chosen.child);
        if (child.visits == 0) return false;  // it waits for its answer
        scratch.play(move_at(chosen.policy_index, scratch.size()));
        path.push_back(chosen.child);
        continue;
      }
      scratch.play(move_at(chosen.policy_index, scratch.size()));
      path.push_back(tree.add_child(path.back(), edge));
      if (has_bias()) bias.add_node(scratch);
      if (!scratch.is_over()) {
        ++simulations;
        return true;
      }
      tree.set_terminal(path.back(), terminal_judgement(scratch, options.score_weight, judged));
    }
    add(path, tree.node(path.back()).raw, certain_weight(options));
    ++simulations;
  }
  return false;
}

SearchResult Search::Impl::result() const {
  check(is_complete, "a result is asked of a complete search");
  SearchResult r;
  const auto entries = static_cast<std::size_t>(root_position.size().area()) + 1;
  r.policy.assign(entries, 0);
  r.prior.assign(entries, 0);
  r.visits.assign(entries, 0);
  for (const Edge& e : tree.edges(SearchTree::kRoot)) {
    r.prior[static_cast<std::size_t>(e.policy_index)] = e.prior;
    r.visits[static_cast<std::size_t>(e.policy_index)] = tree.visits(e);
  }
  policy.fill(tree, root_position.size(), r);
  const Judgement& raw = tree.node(SearchTree::kRoot).raw;
  r.raw_win = static_cast<float>(raw.win);
  r.raw_score = static_cast<float>(raw.score);
  r.raw_no_result = static_cast<float>(raw.no_result);
  r.policy_surprise = policy_surprise(r.policy, r.prior);
  r.evaluations = evaluations;
  return r;
}

Search::Search(const SearchOptions& options, const Position& root, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(options, root, seed)) {}
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;
Search::~Search() = default;

void Search::reset(const SearchOptions& options, const Position& root, std::uint64_t seed) {
  impl_->begin(options, root, seed);
}
void Search::advance(Move move, std::uint64_t seed) {
  impl_->advance(move, seed);
}
const Position& Search::root() const {
  return impl_->root_position;
}
int Search::gather(std::span<EvaluationInput> leaves) {
  return impl_->gather(leaves);
}
void Search::absorb(std::span<const Evaluation> answers) {
  impl_->absorb(answers);
}
void Search::set_visits(int visits) {
  check(visits >= 1 && !impl_->is_gumbel(), "a search without a plan for its visits");
  impl_->options.visits = visits;
  impl_->is_complete = false;
}
SearchResult Search::result() const {
  return impl_->result();
}
std::size_t Search::bytes() const {
  return sizeof(Impl) + impl_->tree.bytes();
}

SearchResult search_position(const SearchOptions& options, const Position& root, std::uint64_t seed,
                             Evaluator& evaluator, int leaves) {
  Search search(options, root, seed);
  std::vector<EvaluationInput> inputs(static_cast<std::size_t>(leaves));
  std::vector<Evaluation> answers(inputs.size());
  while (const int count = search.gather(inputs)) {
    const auto asked = static_cast<std::size_t>(count);
    evaluator.evaluate({inputs.data(), asked}, {answers.data(), asked});
    search.absorb({answers.data(), asked});
  }
  return search.result();
}

}  // namespace tengen
