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
  NetPlayer(std::shared_ptr<PlayableNet> net, const SearchOptions& options, int symmetries)
      : net_(std::move(net)), options_(options), symmetries_(symmetries) {}

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

 private:
  Player& player_for(int side) {
    auto& player = players_[side];
    if (!player) {
      std::shared_ptr<Evaluator> evaluator = net_->evaluator(BoardSize::square(side));
      if (symmetries_ > 1) evaluator = std::make_shared<SymmetryEvaluator>(evaluator);
      player = make_search_player(evaluator, options_);
    }
    return *player;
  }

  std::shared_ptr<PlayableNet> net_;
  SearchOptions options_;
  int symmetries_;
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
                                        const SearchOptions& options, int symmetries) {
  return std::make_unique<NetPlayer>(std::move(net), options, symmetries);
}

std::unique_ptr<Player> make_player(const std::string& words, const SearchOptions& options,
                                    const OpenNet& open, int symmetries) {
  if (words == "random") return make_random_player();
  if (words == "hash") return make_search_player(std::make_shared<HashEvaluator>(1), options);
  if (words == "uniform") return make_search_player(std::make_shared<UniformEvaluator>(), options);
  if (words.starts_with("rollouts:")) return make_rollout_player(playouts_of(words));
  if (words.starts_with("gtp:")) return make_gtp_player(words.substr(4));
  if (!std::filesystem::exists(words)) {
    throw UsageError("player '" + words +
                     "': no such net, and not rollouts:N, random, hash or gtp:COMMAND");
  }
  return make_net_player(open(words), options, symmetries);
}

SearchOptions match_search(const SearchOptions& self_play, int visits) {
  auto options = self_play;
  options.visits = visits;
  options.gumbel_scale = 0;
  return options;
}

}  // namespace tengen
