#include <utility>
#include <vector>

#include "eval/player.h"
#include "rules/check.h"

namespace tengen {
namespace {

class SearchPlayer : public Player {
 public:
  SearchPlayer(std::shared_ptr<Evaluator> evaluator, const SearchOptions& options)
      : evaluator_(std::move(evaluator)), options_(options) {
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
  // Searches all to their ends; each round asks for one leaf of every search that still wants one.
  void run(std::vector<Search>& searches) {
    std::vector<std::size_t> active(searches.size());
    for (std::size_t k = 0; k < active.size(); ++k) active[k] = k;
    while (!active.empty()) {
      leaves_.resize(active.size());
      std::size_t asking = 0;
      for (const std::size_t k : active) {
        if (searches[k].gather(leaves_[asking])) active[asking++] = k;
      }
      active.resize(asking);
      answers_.resize(asking);
      evaluator_->evaluate({leaves_.data(), asking}, {answers_.data(), asking});
      for (std::size_t i = 0; i < asking; ++i) searches[active[i]].absorb(answers_[i]);
    }
  }

  std::shared_ptr<Evaluator> evaluator_;
  SearchOptions options_;
  std::vector<EvaluationInput> leaves_;
  std::vector<Evaluation> answers_;
};

}  // namespace

std::unique_ptr<Player> make_search_player(std::shared_ptr<Evaluator> evaluator,
                                           const SearchOptions& options) {
  return std::make_unique<SearchPlayer>(std::move(evaluator), options);
}

}  // namespace tengen
