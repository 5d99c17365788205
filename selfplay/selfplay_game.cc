#include "selfplay/selfplay_game.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tengen {
namespace {

// A move that is history and no training row.
MoveRecord unrecorded(Move move) {
  MoveRecord played;
  played.move = move;
  played.weight = 0;
  return played;
}

// Before anything is done with it: the question can then be asked again.
void require_finite(const Evaluation& answer) {
  if (!std::isfinite(answer.score)) throw Error("a network's score is not finite");
}

// As a finished record has them: the nets that moved, in the order of their first moves.
void order_nets(GameRecord& record) {
  std::vector<int> place(record.nets.size(), -1);
  std::vector<std::string> ordered;
  for (MoveRecord& played : record.moves) {
    int& now = place.at(static_cast<std::size_t>(played.net));
    if (now < 0) {
      now = static_cast<int>(ordered.size());
      ordered.push_back(record.nets[static_cast<std::size_t>(played.net)]);
    }
    played.net = now;
  }
  record.nets = std::move(ordered);
}

}  // namespace

std::vector<std::size_t> nets_needed(const GameRecord& record) {
  for (const MoveRecord& played : record.moves) {
    if (played.net < 0 || played.net >= std::ssize(record.nets)) {
      throw Error("parked game " + std::to_string(record.index) + ": a move is by net " +
                  std::to_string(played.net) + " of " + std::to_string(record.nets.size()));
    }
  }
  if (record.opponent) return {0, 1};
  return {record.moves.empty() ? 0 : static_cast<std::size_t>(record.moves.back().net)};
}

SelfplayGame::SelfplayGame(GameRecord record, std::shared_ptr<const SelfplaySettings> settings,
                           std::vector<std::shared_ptr<Evaluator>> nets)
    : settings_(std::move(settings)),
      nets_(std::move(nets)),
      record_(std::move(record)),
      position_(record_.rules),
      cap_(move_cap(settings_->games, record_.rules.size)),
      opens_at_random_(!is_fork(record_.index) && drawn_random_opening(*settings_, record_.index)),
      ends_when_pass_alive_(drawn_pass_alive_end(*settings_, record_.index)),
      resign_below_(drawn_calibration(*settings_, record_.index) ? 0 : settings_->resign_below) {
  check(nets_.size() == record_.nets.size(), "an evaluator or null for each net");
  net_ = nets_needed(record_).front();
  for (std::size_t ply = 0; ply < record_.moves.size(); ++ply) replay(ply);
  // Only here: the settings in force now may end a game earlier than those it was parked under.
  if (!record_.moves.empty()) find_end();
}

bool SelfplayGame::gather(EvaluationInput& leaf) {
  while (!is_done_) {
    if (is_opening() && opens_at_random_) {
      play_at_random();
    } else if (is_opening() && is_fork(record_.index)) {
      asked_ = Asked::kForkMove;
      ask_for_fork_move(leaf);
      return true;
    } else if (is_opening() || record_.must_balance) {
      asked_ = is_opening() ? Asked::kOpeningMove : Asked::kBalance;
      ask(position_, ply_seed(), leaf);
      return true;
    } else {
      asked_ = Asked::kSearch;
      begin_search();
      if (search_->gather(leaf)) return true;
      play_found();
    }
  }
  return false;
}

void SelfplayGame::absorb(const Evaluation& answer) {
  switch (asked_) {
    case Asked::kOpeningMove:
      return play_sampled(answer);
    case Asked::kForkMove:
      return weigh_fork_move(answer);
    case Asked::kBalance:
      return balance(answer);
    case Asked::kSearch:
      return search_->absorb(answer);
  }
}

// Balancing is done again when the game goes on, from the same komi.
GameRecord SelfplayGame::take_record() {
  if (!is_done_ && komi_before_ && !is_opening() && position_.ply() == record_.opening_moves) {
    record_.rules.komi = *komi_before_;
    record_.score.komi = *komi_before_;
    --record_.evaluations;
    record_.must_balance = true;
  }
  return std::move(record_);
}

std::uint64_t SelfplayGame::ply_seed() const {
  return tengen::ply_seed(record_.seed, record_.index, position_.ply());
}

bool SelfplayGame::is_opponents_turn() const {
  return record_.opponent == position_.to_move() && !is_opening() && !record_.must_balance;
}

void SelfplayGame::change_net(std::shared_ptr<Evaluator> net) {
  if (record_.opponent) return;
  if (settings_->games.change_nets_at == "move") next_net_ = std::move(net);
}

void SelfplayGame::add_nets(std::vector<std::string>& ids) const {
  for (const auto& net : nets_) {
    if (net) ids.push_back(net->id());
  }
  if (next_net_) ids.push_back(next_net_->id());
}

void SelfplayGame::take_next_net() {
  if (!next_net_) return;
  const std::string id = next_net_->id();
  nets_[net_] = nullptr;  // let go
  const auto found = std::ranges::find(record_.nets, id);
  net_ = static_cast<std::size_t>(found - record_.nets.begin());
  if (found == record_.nets.end()) {
    record_.nets.push_back(id);
    nets_.emplace_back();
  }
  nets_[net_] = std::exchange(next_net_, nullptr);
}

void SelfplayGame::replay(std::size_t ply) {
  const Move move = record_.moves[ply].move;
  if (position_.is_over() || !position_.is_legal(move)) {
    throw Error("parked game " + std::to_string(record_.index) + ", ply " + std::to_string(ply) +
                ": expected a legal move in a game under way");
  }
  position_.play(move);
}

void SelfplayGame::ask(const Position& position, std::uint64_t chance,
                       EvaluationInput& leaf) const {
  Rng rng(chance, kSymmetryOfOpening);
  leaf.features = features_of(position, evaluator()->features());
  leaf.symmetry = Symmetry(
      static_cast<int>(rng.below(static_cast<std::uint32_t>(Symmetry::count(position.size())))));
}

void SelfplayGame::ask_for_fork_move(EvaluationInput& leaf) {
  if (choices_.empty()) choices_ = fork_choices(*settings_, record_.index, position_);
  Position after = position_;
  after.play(choices_[choice_]);
  ask(after, mix64(ply_seed(), choice_), leaf);
}

void SelfplayGame::weigh_fork_move(const Evaluation& answer) {
  require_finite(answer);
  const double score = -answer.score;
  if (choice_ == 0 || score > best_score_) {
    best_score_ = score;
    best_choice_ = choices_[choice_];
  }
  if (++choice_ < choices_.size()) return;
  record_.evaluations += std::ssize(choices_);
  if (drawn_balance(*settings_, record_.index)) {
    const double black = position_.to_move() == Color::kBlack ? best_score_ : -best_score_;
    set_komi(record_.rules.komi.points() + black);
  }
  play(unrecorded(best_choice_));
}

// The same moves under another komi.
void SelfplayGame::set_komi(double points) {
  record_.rules.komi = rounded_komi(points, record_.rules.size);
  record_.score.komi = record_.rules.komi;
  position_ = Position(record_.rules);
  for (const MoveRecord& played : record_.moves) position_.play(played.move);
}

void SelfplayGame::balance(const Evaluation& answer) {
  require_finite(answer);
  ++record_.evaluations;
  record_.must_balance = false;
  komi_before_ = record_.rules.komi;
  const double black = position_.to_move() == Color::kBlack ? answer.score : -answer.score;
  set_komi(record_.rules.komi.points() + black);
}

void SelfplayGame::play_at_random() {
  Rng rng(ply_seed(), kMoveOfOpening);
  play(unrecorded(evenly_random_move(position_, rng)));
}

void SelfplayGame::play_sampled(const Evaluation& answer) {
  Rng rng(ply_seed(), kMoveOfOpening);
  const Move move = sampled_move(position_, answer.policy_logits.data(), rng);
  ++record_.evaluations;
  play(unrecorded(move));
}

void SelfplayGame::begin_search() {
  if (is_searching_) return;
  take_next_net();
  budget_ = drawn_budget(*settings_, record_.moves, ply_seed());
  SearchOptions options = settings_->search;
  options.features = evaluator()->features();
  options.visits = budget_.visits;
  if (budget_.is_cheap) options.gumbel_scale = 0;
  if (search_) {
    search_->reset(options, position_, ply_seed());
  } else {
    search_.emplace(options, position_, ply_seed());
  }
  is_searching_ = true;
}

void SelfplayGame::play_found() {
  SearchResult result = search_->result();
  is_searching_ = false;
  record_.evaluations += result.evaluations;
  MoveRecord played;
  played.move = result.move;
  played.net = static_cast<int>(mover());
  played.weight = is_opponents_turn() ? 0 : budget_.weight;
  if (played.weight > 0) played.policy = std::move(result.policy);
  played.root_win = result.win;
  played.root_score = result.score;
  played.root_no_result = result.no_result;
  played.raw_win = result.raw_win;
  played.raw_score = result.raw_score;
  played.policy_surprise = result.policy_surprise;
  played.visits = std::accumulate(result.visits.begin(), result.visits.end(), 0);
  play(std::move(played));
}

void SelfplayGame::play(MoveRecord played) {
  position_.play(played.move);
  record_.moves.push_back(std::move(played));
  find_end();
}

void SelfplayGame::find_end() {
  GameEnd end{};
  if (position_.is_over()) {
    end = end_of(*position_.ending());
  } else if (ends_when_pass_alive_ && position_.is_all_pass_alive()) {
    end = GameEnd::kAllPassAlive;
  } else if (position_.ply() >= cap_) {
    end = GameEnd::kMoveCap;
  } else if (would_resign(record_.moves, settings_->games.resign_turns, resign_below_)) {
    end = GameEnd::kResignation;
  } else {
    return;
  }
  is_done_ = true;
  record_.opening_moves = std::min(record_.opening_moves, position_.ply());
  finish(record_, position_, end);
  order_nets(record_);
  record_.opponent.reset();
  record_.must_balance = false;
}

}  // namespace tengen
