#include <utility>
#include <vector>

#include "eval/player.h"
#include "rules/check.h"

namespace tengen {
namespace {

class SearchPlayer : public Player {
 public:
  SearchPlayer(std::shared_ptr<Evaluator> evaluator, const SearchOptions& options, int leaves)
      : evaluator_(std::move(evaluator)),
        options_(options),
        leaves_per_search_(static_cast<std::size_t>(leaves)) {
    check(leaves >= 1, "a leaf of each search in a batch");
    options_.features = evaluator_->features();
  }

  std::string name() const override {
    return evaluator_->id() + " at " + std::to_string(options_.visits) + " visits";
  }

  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    check(requests.size() == choices.size(), "one choice per request");
    std::vector<Search> searches;
    std::vector<std::size_t> owners;  // searches[k] answers requests[owners[k]]
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (const auto pass = pass_without_thinking(*requests[i].position)) {
        choices[i] = *pass;
        continue;
      }
      searches.emplace_back(options_, *requests[i].position, requests[i].seed);
      owners.push_back(i);
    }
    run(searches);
    for (std::size_t k = 0; k < searches.size(); ++k) {
      const SearchResult result = searches[k].result();
      choices[owners[k]] = {.move = result.move, .win = result.win, .score = result.score};
    }
  }

 private:
  struct Asking {
    std::size_t search;
    std::size_t leaves = 0;
  };

  // Searches all to their ends; each round asks for leaves of every search that still wants some.
  void run(std::vector<Search>& searches) {
    std::vector<Asking> active;
    for (std::size_t k = 0; k < searches.size(); ++k) active.push_back({k});
    while (!active.empty()) {
      leaves_.resize(active.size() * leaves_per_search_);
      std::size_t asked = 0;
      for (Asking& a : active) {
        const auto room = std::span(leaves_).subspan(asked).first(leaves_per_search_);
        a.leaves = static_cast<std::size_t>(searches[a.search].gather(room));
        asked += a.leaves;
      }
      std::erase_if(active, [](const Asking& a) { return a.leaves == 0; });
      answers_.resize(asked);
      evaluator_->evaluate({leaves_.data(), asked}, answers_);
      auto rest = std::span<const Evaluation>(answers_);
      for (const Asking& a : active) {
        searches[a.search].absorb(rest.first(a.leaves));
        rest = rest.subspan(a.leaves);
      }
    }
  }

  std::shared_ptr<Evaluator> evaluator_;
  SearchOptions options_;
  std::size_t leaves_per_search_;
  std::vector<EvaluationInput> leaves_;
  std::vector<Evaluation> answers_;
};

}  // namespace

std::unique_ptr<Player> make_search_player(std::shared_ptr<Evaluator> evaluator,
                                           const SearchOptions& options, int leaves) {
  return std::make_unique<SearchPlayer>(std::move(evaluator), options, leaves);
}

}  // namespace tengen
