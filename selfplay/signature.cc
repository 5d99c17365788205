#include "selfplay/signature.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "rules/hash.h"
#include "selfplay/game_pool.h"

namespace tengen {
namespace {

constexpr std::uint64_t kGames = 40;
constexpr std::uint64_t kSeed = 20;

// Sums and softmax of such logits differ clearly or not at all.
class CoarseHashEvaluator : public HashEvaluator {
 public:
  CoarseHashEvaluator(std::uint64_t seed, std::string id)
      : HashEvaluator(seed), id_(std::move(id)) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    HashEvaluator::evaluate(inputs, outputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const int entries = inputs[i].features.size.area() + 1;
      for (int move = 0; move < entries; ++move) {
        float& logit = outputs[i].policy_logits[static_cast<std::size_t>(move)];
        logit = std::round(4 * logit) / 4;
      }
    }
  }
  std::string id() const override { return id_; }

 private:
  std::string id_;
};

// All that matters is told here: defaults of a config may change and move nothing.
SelfplaySettings settings() {
  SelfplaySettings s;
  s.seed = kSeed;
  s.komi_centre = 3;
  s.run_share = 0.5;
  s.resign_below = 0.3;
  s.games = {.sizes = {5, 7, 9},
             .size_weights = {3, 2, 1},
             .rules = "tromp-taylor suicide=none | japanese | tromp-taylor",
             .rules_weights = {3, 2, 1},
             .play_out = true,
             .komi_mean = 3,
             .komi_stdev = 2,
             .komi_wide_share = 0.1,
             .komi_wide_stdev = 12,
             .komi_uniform_share = 0.2,
             .komi_uniform_width = 10,
             .handicap_share = 0.2,
             .handicap_max = 4,
             .handicap_balanced_share = 0.5,
             .opening_mean = 0.04,
             .random_opening_share = 0.2,
             .random_opening_mean = 0.1,
             .fork_share = 0.2,
             .fork_mean = 0.1,
             .late_fork_share = 0.1,
             .starts_share = 0,
             .balanced_share = 0.7,
             .opponent_share = 0.2,
             .change_nets_at = "game",
             .pass_alive_end_share = 0.9,
             .resign_below = 0.3,
             .resign_turns = 2,
             .resign_calibration_share = 0.3,
             .move_cap = 2,
             .cheap_share = 0.3,
             .cheap_visits = 4,
             .reduced_visits = 6,
             .reduced_weight = 0.25,
             .reduce_above = 0.2,
             .reduce_turns = 3,
             .first_visits = 8,
             .full_visits_at = 0.8};
  s.search = {.visits = 24,
              .max_considered = 8,
              .c_visit = 50,
              .c_scale = 0.5,
              .score_weight = 0.3,
              .gumbel_scale = 1};
  return s;
}

void add(std::string& text, double value, double unit = 1) {
  text += std::to_string(std::lround(value * unit)) + ' ';
}

std::string text_of(const GameRecord& game) {
  std::string text = "game " + std::to_string(game.index) + ' ';
  add(text, game.rules.size.width);
  add(text, game.rules.handicap);
  add(text, game.rules.komi.half_points());
  add(text, game.opening_moves);
  for (const MoveRecord& played : game.moves) {
    add(text, policy_index(played.move, game.rules.size));
    add(text, played.visits);
    add(text, played.net);
    add(text, played.weight, 16);
    add(text, played.root_win, 1024);
    add(text, played.root_score, 16);
    for (const float p : played.policy) add(text, p, 256);
  }
  add(text, static_cast<int>(game.end));
  add(text, game.score.black_margin_half_points());
  add(text, static_cast<double>(game.evaluations));
  return text;
}

}  // namespace

std::string search_signature(int slots) {
  std::uint64_t next = 0;
  GamePool pool(slots, [&](std::uint64_t& index) {
    if (next == kGames) return false;
    index = next++;
    return true;
  });
  pool.set_settings(settings());
  pool.set_evaluator(std::make_shared<CoarseHashEvaluator>(1, "coarse-1"));
  pool.set_opponent(std::make_shared<CoarseHashEvaluator>(2, "coarse-2"));
  std::vector<GameRecord> games;
  while (pool.step(games) > 0) {
  }
  std::ranges::sort(games, {}, &GameRecord::index);
  std::string text;
  for (const GameRecord& game : games) text += text_of(game);
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08llx",
                static_cast<unsigned long long>(hash_of_bytes(text) & 0xFFFFFFFFULL));
  return digits;
}

}  // namespace tengen
