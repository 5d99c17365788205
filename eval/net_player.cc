#include "eval/net_player.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "eval/gtp_client.h"
#include "nn/symmetry_evaluator.h"
#include "rules/check.h"

namespace tengen {
namespace {

// One evaluator and search player for each size, since a canvas larger than the board costs time.
class NetPlayer : public Player {
 public:
  NetPlayer(std::shared_ptr<PlayableNet> net, const SearchOptions& options,
            const ThinkOptions& think)
      : net_(std::move(net)), options_(options), think_(think) {}

  std::string name() const override { return net_->id(); }

  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    if (requests.empty()) return;
    int side = 0;
    for (const MoveRequest& request : requests) {
      const BoardSize size = request.position->size();
      side = std::max({side, int{size.width}, int{size.height}});
    }
    player_for(side).choose(requests, choices);
  }

  void ponder(const MoveRequest& request, const std::stop_token& stop) override {
    const BoardSize size = request.position->size();
    player_for(std::max(size.width, size.height)).ponder(request, stop);
  }

 private:
  Player& player_for(int side) {
    auto& player = players_[side];
    if (!player) {
      std::shared_ptr<Evaluator> evaluator = net_->evaluator(BoardSize::square(side));
      if (think_.symmetries > 1) evaluator = std::make_shared<SymmetryEvaluator>(evaluator);
      player = think_.is_one_game ? make_tree_player(evaluator, options_, think_.leaves)
                                  : make_search_player(evaluator, options_, think_.leaves);
    }
    return *player;
  }

  std::shared_ptr<PlayableNet> net_;
  SearchOptions options_;
  ThinkOptions think_;
  std::map<int, std::unique_ptr<Player>> players_;
};

int playouts_of(const std::string& words) {
  const auto digits = words.substr(words.find(':') + 1);
  int playouts = 0;
  const auto* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, playouts);
  if (read.ec != std::errc() || read.ptr != end || playouts < 1) {
    throw UsageError("player '" + words + "': expected rollouts:N with N >= 1");
  }
  return playouts;
}

}  // namespace

std::unique_ptr<Player> make_net_player(std::shared_ptr<PlayableNet> net,
                                        const SearchOptions& options, const ThinkOptions& think) {
  return std::make_unique<NetPlayer>(std::move(net), options, think);
}

std::unique_ptr<Player> make_player(const std::string& words, const SearchOptions& options,
                                    const OpenNet& open, const ThinkOptions& think) {
  if (words == "random") return make_random_player();
  const auto searching = [&](std::shared_ptr<Evaluator> evaluator) {
    return think.is_one_game ? make_tree_player(std::move(evaluator), options, think.leaves)
                             : make_search_player(std::move(evaluator), options, think.leaves);
  };
  if (words == "hash") return searching(std::make_shared<HashEvaluator>(1));
  if (words == "uniform") return searching(std::make_shared<UniformEvaluator>());
  if (words.starts_with("rollouts:")) return make_rollout_player(playouts_of(words));
  if (words.starts_with("gtp:")) return make_gtp_player(words.substr(4));
  if (!std::filesystem::exists(words)) {
    throw UsageError("player '" + words +
                     "': no such net, and not rollouts:N, random, hash or gtp:COMMAND");
  }
  return make_net_player(open(words), options, think);
}

SearchOptions match_search(const SearchOptions& self_play, int visits,
                           const std::string& algorithm) {
  auto options = self_play;
  options.visits = visits;
  options.gumbel_scale = 0;
  options.max_considered = std::min(options.max_considered, kMatchConsidered);
  if (algorithm != "auto") {
    options.algorithm = algorithm;
  } else if (options.algorithm == "gumbel" && visits > kGumbelVisits) {
    options.algorithm = "puct";
  }
  options.puct.exploration = 1.0;
  options.puct.exploration_log = 0.45;
  options.puct.stdev_scale = 0.85;
  options.puct.root_fpu_reduction = 0.1;
  return options;
}

}  // namespace tengen
