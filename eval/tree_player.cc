#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "eval/player.h"
#include "rules/check.h"

namespace tengen {
namespace {

class TreePlayer : public Player {
 public:
  TreePlayer(std::shared_ptr<Evaluator> evaluator, const SearchOptions& options, int leaves)
      : evaluator_(std::move(evaluator)),
        options_(options),
        leaves_(static_cast<std::size_t>(leaves)),
        answers_(leaves_.size()) {
    check(leaves >= 1, "a leaf in a batch");
    options_.features = evaluator_->features();
  }

  std::string name() const override {
    return evaluator_->id() + " at " + std::to_string(options_.visits) + " visits";
  }

  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    check(requests.size() == choices.size(), "one choice per request");
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto pass = pass_without_thinking(*requests[i].position);
      choices[i] = pass ? *pass : chosen(requests[i]);
    }
  }

  void ponder(const MoveRequest& request, const std::stop_token& stop) override {
    if (!keeps_trees() || request.position->is_over()) return;
    go_to(request);
    search_->set_visits(
        std::max(options_.visits, std::min(options_.visits * kPonderFactor, kMostPonderVisits)));
    run(stop);
  }

 private:
  bool keeps_trees() const { return options_.algorithm != "gumbel"; }

  MoveChoice chosen(const MoveRequest& request) {
    go_to(request);
    if (keeps_trees()) search_->set_visits(options_.visits);
    run({});
    const SearchResult result = search_->result();
    return {.move = result.move, .win = result.win, .score = result.score};
  }

  void run(const std::stop_token& stop) try {
    while (!stop.stop_requested()) {
      const auto asked = static_cast<std::size_t>(search_->gather(leaves_));
      if (asked == 0) return;
      evaluator_->evaluate({leaves_.data(), asked}, {answers_.data(), asked});
      search_->absorb({answers_.data(), asked});
    }
  } catch (...) {
    search_.reset();  // it waits for answers that will not come
    throw;
  }

  // Takes the search to the position that is asked about: by the moves since the last one, if the
  // game went on from there, else anew.
  void go_to(const MoveRequest& request) {
    if (!follow(request)) search_.emplace(options_, *request.position, request.seed);
    played_.assign(request.moves.begin(), request.moves.end());
  }

  bool follow(const MoveRequest& request) {
    const Position& wanted = *request.position;
    const bool is_known = search_ && std::ssize(request.moves) == wanted.ply() &&
                          std::ssize(played_) == search_->root().ply();
    if (!is_known || search_->root().rules() != wanted.rules()) return false;
    if (played_.size() > request.moves.size() ||
        !std::equal(played_.begin(), played_.end(), request.moves.begin())) {
      return false;
    }
    for (const Position::Played& p : request.moves.subspan(played_.size())) {
      if (search_->root().is_over() || p.color != search_->root().to_move()) return false;
      search_->advance(p.move, request.seed);
    }
    // A set-up has no moves to tell it from another.
    return search_->root().to_move() == wanted.to_move() && !search_->root().is_over() &&
           search_->root().board().hash() == wanted.board().hash();
  }

  std::shared_ptr<Evaluator> evaluator_;
  SearchOptions options_;
  std::vector<EvaluationInput> leaves_;
  std::vector<Evaluation> answers_;
  std::optional<Search> search_;
  std::vector<Position::Played> played_;  // up to the search's root
};

}  // namespace

std::unique_ptr<Player> make_tree_player(std::shared_ptr<Evaluator> evaluator,
                                         const SearchOptions& options, int leaves) {
  return std::make_unique<TreePlayer>(std::move(evaluator), options, leaves);
}

}  // namespace tengen
