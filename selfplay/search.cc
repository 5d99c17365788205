#include "selfplay/search.h"

#include <algorithm>
#include <utility>

#include "rules/check.h"
#include "rules/rng.h"
#include "selfplay/gumbel.h"
#include "selfplay/search_tree.h"

namespace tengen {
namespace {

// Streams of the search's seed.
constexpr std::uint64_t kGumbelStream = 1;
constexpr std::uint64_t kSymmetryStream = 2;

// A node's mixed values: v_mix for the utility, and the same formula for win and score.
class Mixture {
 public:
  void add(double prior, int visits, const Judgement& mean) {
    visits_ += visits;
    prior_ += prior;
    weighted_ += prior * mean;
  }
  Judgement outcome(const Judgement& raw) const {
    return {mix(raw.utility, weighted_.utility), mix(raw.win, weighted_.win),
            mix(raw.score, weighted_.score)};
  }

 private:
  double mix(double raw, double weighted) const {
    return mixed_value(raw, visits_, prior_, weighted);
  }
  int visits_ = 0;
  double prior_ = 0;
  Judgement weighted_;
};

// What the root's formulas need of all its edges together.
struct RootSummary {
  int max_visits = 0;
  Judgement mixed;  // completes unvisited edges
};

}  // namespace

struct Search::Impl {
  enum class State { kRoot, kDescend, kAwaitAnswer, kComplete };

  SearchOptions options;
  std::uint64_t seed = 0;
  Position root_position;
  Position scratch;  // of the simulation under way, played down from the root

  SearchTree tree;
  JudgeMemo judged;                   // kept from move to move: one search is of one game
  std::vector<NodeIndex> path;        // of the simulation under way, from the root
  std::vector<double> logits;         // of the root's edges
  std::vector<double> gumbel_logits;  // the same plus the Gumbel noise, drawn once
  std::vector<int> sequence;          // sequential halving: visits of the edge to choose
  int simulation = 0;
  int evaluations = 0;
  State state = State::kRoot;

  Impl(const SearchOptions& o, const Position& root, std::uint64_t s)
      : root_position(root), scratch(root) {
    begin(o, root, s);
  }

  void begin(const SearchOptions& o, const Position& root, std::uint64_t s);
  bool gather(EvaluationInput& leaf);
  void absorb(const Evaluation& answer);
  SearchResult result() const;

  bool descend();
  void prepare_root(const Evaluation& answer);
  int choose_root(int required_visits) const;
  RootSummary summarise_root() const;

  Sigma sigma() const { return {options.c_visit, options.c_scale}; }
  std::span<const Edge> root_edges() const { return tree.edges(SearchTree::kRoot); }
  Judgement completed(const Edge& e, const RootSummary& root) const {
    return e.child == kNoNode ? root.mixed : tree.mean(e);
  }
};

void Search::Impl::begin(const SearchOptions& o, const Position& root, std::uint64_t s) {
  check(o.visits >= 1 && o.max_considered >= 1, "a search has a visit and a move to consider");
  options = o;
  seed = s;
  root_position = root;
  tree.clear();
  simulation = 0;
  evaluations = 0;
  state = State::kRoot;
}

bool Search::Impl::gather(EvaluationInput& leaf) {
  check(state != State::kAwaitAnswer, "absorb comes before the next gather");
  if (state == State::kRoot) {
    scratch = root_position;
    path.assign(1, tree.add_root());
  } else if (state == State::kComplete || !descend()) {
    state = State::kComplete;
    return false;
  }
  tree.add_edges(path.back(), scratch);
  leaf.features = features_of(scratch, options.features);
  const auto symmetries = static_cast<std::uint64_t>(Symmetry::count(scratch.size()));
  leaf.symmetry =
      Symmetry(static_cast<int>(mix64(seed, kSymmetryStream, path.back()) % symmetries));
  ++evaluations;
  state = State::kAwaitAnswer;
  return true;
}

void Search::Impl::absorb(const Evaluation& answer) {
  check(state == State::kAwaitAnswer, "gather comes before absorb");
  const Judgement raw = raw_judgement(answer, options.score_weight, scratch.size().area());
  tree.set_evaluation(path.back(), answer, raw);
  tree.back_up(path, raw);
  if (path.back() == SearchTree::kRoot) {
    prepare_root(answer);
  } else {
    ++simulation;
  }
  state = State::kDescend;
}

// Walks down to a position without evaluation, to which a node is added, and returns true.
// Simulations that end in a finished game are completed on the way. False: the budget is spent.
bool Search::Impl::descend() {
  while (simulation < options.visits) {
    scratch = root_position;
    path.assign(1, SearchTree::kRoot);
    int edge = choose_root(sequence[static_cast<std::size_t>(simulation)]);
    while (true) {
      const Edge chosen = tree.edges(path.back())[static_cast<std::size_t>(edge)];
      scratch.play(move_at(chosen.policy_index, scratch.size()));
      if (chosen.child == kNoNode) {
        path.push_back(tree.add_child(path.back(), edge));
        if (!scratch.is_over()) return true;
        tree.set_terminal(path.back(), terminal_judgement(scratch, options.score_weight, judged));
      } else {
        path.push_back(chosen.child);
      }
      if (tree.node(path.back()).is_terminal) break;
      edge = tree.choose_interior(path.back(), sigma());
    }
    tree.back_up(path, tree.node(path.back()).raw);
    ++simulation;
  }
  return false;
}

// Draws the Gumbel noise and lays out the budget.
void Search::Impl::prepare_root(const Evaluation& answer) {
  logits.clear();
  for (const Edge& e : root_edges()) {
    logits.push_back(answer.policy_logits[static_cast<std::size_t>(e.policy_index)]);
  }
  gumbel_logits = logits;
  if (options.gumbel_scale != 0) {
    Rng rng(seed, kGumbelStream);
    for (double& l : gumbel_logits) l += options.gumbel_scale * rng.gumbel();
  }
  const int considered =
      std::min({options.max_considered, options.visits, static_cast<int>(logits.size())});
  sequence = halving_sequence(considered, options.visits);
}

// The place of the root edge with `required_visits` visits and the largest g + logit + sigma(q).
int Search::Impl::choose_root(int required_visits) const {
  const RootSummary root = summarise_root();
  const std::span<const Edge> edges = root_edges();
  int best = -1;
  double best_score = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (tree.visits(edges[i]) != required_visits) continue;
    const double q = completed(edges[i], root).utility;
    const double score = gumbel_logits[i] + sigma()(q, root.max_visits);
    if (best < 0 || score > best_score) {
      best = static_cast<int>(i);
      best_score = score;
    }
  }
  check(best >= 0, "a root move with the visits that sequential halving asks for");
  return best;
}

RootSummary Search::Impl::summarise_root() const {
  RootSummary root;
  Mixture mixture;
  for (const Edge& e : root_edges()) {
    if (e.child == kNoNode) continue;
    root.max_visits = std::max(root.max_visits, tree.visits(e));
    mixture.add(e.prior, tree.visits(e), tree.mean(e));
  }
  root.mixed = mixture.outcome(tree.node(SearchTree::kRoot).raw);
  return root;
}

SearchResult Search::Impl::result() const {
  check(state == State::kComplete, "a result is asked of a complete search");
  const RootSummary root = summarise_root();
  const std::span<const Edge> edges = root_edges();
  std::vector<double> completed_q;
  for (const Edge& e : edges) completed_q.push_back(completed(e, root).utility);
  std::vector<double> policy(edges.size());
  improved_policy(logits, completed_q, root.max_visits, sigma(), policy);

  SearchResult r;
  const BoardSize size = root_position.size();
  const auto entries = static_cast<std::size_t>(size.area()) + 1;
  r.policy.assign(entries, 0);
  r.prior.assign(entries, 0);
  r.visits.assign(entries, 0);
  Judgement improved;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto entry = static_cast<std::size_t>(edges[i].policy_index);
    r.policy[entry] = static_cast<float>(policy[i]);
    r.prior[entry] = edges[i].prior;
    r.visits[entry] = tree.visits(edges[i]);
    improved += policy[i] * completed(edges[i], root);
  }
  const int chosen = choose_root(root.max_visits);
  r.move = move_at(edges[static_cast<std::size_t>(chosen)].policy_index, size);
  r.win = static_cast<float>(std::clamp(improved.win, 0.0, 1.0));  // rounding aside
  r.utility = static_cast<float>(improved.utility);
  r.score = static_cast<float>(improved.score);
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
bool Search::gather(EvaluationInput& leaf) {
  return impl_->gather(leaf);
}
void Search::absorb(const Evaluation& answer) {
  impl_->absorb(answer);
}
SearchResult Search::result() const {
  return impl_->result();
}

SearchResult search_position(const SearchOptions& options, const Position& root, std::uint64_t seed,
                             Evaluator& evaluator) {
  Search search(options, root, seed);
  EvaluationInput leaf;
  Evaluation answer;
  while (search.gather(leaf)) {
    evaluator.evaluate({&leaf, 1}, {&answer, 1});
    search.absorb(answer);
  }
  return search.result();
}

}  // namespace tengen
