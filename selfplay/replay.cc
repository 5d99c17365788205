#include "selfplay/replay.h"

#include <cstdio>
#include <map>
#include <utility>

#include "rules/playout.h"
#include "selfplay/game_fork.h"
#include "selfplay/game_start.h"
#include "selfplay/move_budget.h"
#include "selfplay/sample.h"

namespace tengen {
namespace {

class Replay {
 public:
  Replay(const GameRecord& record, SelfplaySettings settings, const ReplayNet& evaluator_of)
      : record_(record),
        settings_(std::move(settings)),
        evaluator_of_(evaluator_of),
        position_(record.rules),
        random_game_(stream_of(record.seed, record.index, GameStream::kRandomGame)) {
    settings_.seed = record.seed;
    is_given_ =
        is_fork(record.index) || !drawn_start(settings_, record.index, record.rules).empty();
  }

  ReplayReport run() {
    for (const MoveRecord& expected : record_.moves) {
      compare(expected);
      position_.play(expected.move);
      ++report_.plies;
    }
    return std::move(report_);
  }

 private:
  void compare(const MoveRecord& expected) {
    if (record_.nets.front() == kRandomNet) {
      compare_move(expected.move, random_move(position_, random_game_));
    } else if (position_.ply() >= record_.opening_moves) {
      compare_search(expected);
    } else if (is_given_) {
      ++report_.given;
    } else {
      compare_move(expected.move, opening_move(expected.net));
    }
  }

  std::uint64_t seed() const { return ply_seed(record_.seed, record_.index, position_.ply()); }

  Evaluator& net(int entry) {
    const auto& id = record_.nets.at(static_cast<std::size_t>(entry));
    auto& found = nets_[id];
    if (!found) found = evaluator_of_(id);
    return *found;
  }

  Move opening_move(int entry) {
    Rng rng(seed(), kMoveOfOpening);
    if (drawn_random_opening(settings_, record_.index)) return evenly_random_move(position_, rng);
    EvaluationInput leaf;
    Rng symmetry(seed(), kSymmetryOfOpening);
    leaf.features = features_of(position_, net(entry).features());
    leaf.symmetry = Symmetry(static_cast<int>(
        symmetry.below(static_cast<std::uint32_t>(Symmetry::count(position_.size())))));
    Evaluation answer;
    net(entry).evaluate({&leaf, 1}, {&answer, 1});
    return sampled_move(position_, answer.policy_logits.data(), rng);
  }

  void compare_search(const MoveRecord& expected) {
    const auto before = std::span(record_.moves).first(static_cast<std::size_t>(position_.ply()));
    const MoveBudget planned = drawn_budget(settings_, before, seed());
    SearchOptions options = settings_.search;
    options.features = net(expected.net).features();
    options.visits = expected.visits > 0 ? expected.visits : planned.visits;
    if (planned.is_cheap) options.gumbel_scale = 0;
    const SearchResult found = search_position(options, position_, seed(), net(expected.net));
    ++report_.searched;
    compare_move(expected.move, found.move);
    if (expected.visits == 0) return;  // what the search thought was not kept
    compare_value("win probability", expected.root_win, found.win);
    compare_value("score", expected.root_score, found.score);
    if (!expected.policy.empty() && expected.policy != found.policy &&
        expected.policy != policy_from_quantised(quantised_policy(found.policy))) {
      differ("another policy");
    }
  }

  void compare_move(Move expected, Move found) {
    if (expected == found) return;
    differ("expected the move " + to_text(expected, position_.size()) + ", found " +
           to_text(found, position_.size()));
  }
  void compare_value(const std::string& what, float expected, float found) {
    if (expected == found) return;
    char text[96];
    std::snprintf(text, sizeof text, "expected the %s %.9g, found %.9g", what.c_str(),
                  static_cast<double>(expected), static_cast<double>(found));
    differ(text);
  }
  void differ(const std::string& what) {
    report_.differences.push_back("ply " + std::to_string(position_.ply()) + ": " + what);
  }

  const GameRecord& record_;
  SelfplaySettings settings_;
  const ReplayNet& evaluator_of_;
  std::map<std::string, std::shared_ptr<Evaluator>> nets_;
  Position position_;
  Rng random_game_;
  bool is_given_ = false;
  ReplayReport report_;
};

}  // namespace

ReplayReport replay(const GameRecord& record, SelfplaySettings settings,
                    const ReplayNet& evaluator_of) {
  return Replay(record, std::move(settings), evaluator_of).run();
}

}  // namespace tengen
