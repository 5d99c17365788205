#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "selfplay/game_fork.h"
#include "selfplay/game_start.h"
#include "selfplay/move_budget.h"
#include "selfplay/record.h"
#include "selfplay/resignation.h"
#include "selfplay/search.h"

namespace tengen {

// Entries of record.nets that a game under way still needs: of the net that plays now, which is
// that of the last move, and of an earlier one that plays one side. Throws Error for a move by a
// net that is not in record.nets.
std::vector<std::size_t> nets_needed(const GameRecord& record);

// One game of self-play under way. Until it is over record.nets begins with the net that began it,
// then comes an earlier one that plays one side, if any; then those that moved, as they first did.
// Like a Search it hands out leaves and takes the answers back; a
// pool steps many of them. What happens is a function of the settings, the record's seed and index,
// and the answers.
class SelfplayGame {
 public:
  // `record` is a begun one or a parked one, which is played on; `nets` answer for record.nets,
  // entry by entry, and are null where nets_needed has none. Throws Error if its moves do not
  // replay.
  SelfplayGame(GameRecord record, std::shared_ptr<const SelfplaySettings> settings,
               std::vector<std::shared_ptr<Evaluator>> nets);

  // Who answers the leaf that gather gave.
  const std::shared_ptr<Evaluator>& evaluator() const { return nets_[mover()]; }
  // The net that takes over from the next search on, unless an earlier net plays one side. Without
  // games.change_nets_at = "move" nothing happens.
  void change_net(std::shared_ptr<Evaluator> net);
  // Appends the ids of the nets that it may still ask.
  void add_nets(std::vector<std::string>& ids) const;

  // Plays until the next leaf is needed and returns true, or to the end and returns false.
  bool gather(EvaluationInput& leaf);
  void absorb(const Evaluation& answer);
  // Forgets a search under way; the next gather begins the move anew.
  void drop_search() { is_searching_ = false; }

  // Moves the record out; requires that gather returned false, or that the game is to be parked.
  GameRecord take_record();

 private:
  // What the net was asked for last.
  enum class Asked { kOpeningMove, kForkMove, kBalance, kSearch };

  std::uint64_t ply_seed() const;
  bool is_opponents_turn() const;
  std::size_t mover() const { return is_opponents_turn() ? 1 : net_; }
  void take_next_net();
  void replay(std::size_t ply);
  bool is_opening() const { return position_.ply() < record_.opening_moves; }
  void ask(const Position& position, std::uint64_t chance, EvaluationInput& leaf) const;
  void ask_for_fork_move(EvaluationInput& leaf);
  void weigh_fork_move(const Evaluation& answer);
  void set_komi(double points);
  void balance(const Evaluation& answer);
  void play_at_random();
  void play_sampled(const Evaluation& answer);
  void begin_search();
  void play_found();
  void play(MoveRecord played);
  void find_end();

  std::shared_ptr<const SelfplaySettings> settings_;
  std::vector<std::shared_ptr<Evaluator>> nets_;  // of record_.nets
  GameRecord record_;
  Position position_;
  int cap_;
  bool opens_at_random_;
  bool ends_when_pass_alive_;
  double resign_below_;
  std::size_t net_ = 0;                  // of the other side, or of both
  std::shared_ptr<Evaluator> next_net_;  // that takes over
  bool is_done_ = false;
  bool is_searching_ = false;
  Asked asked_ = Asked::kSearch;
  std::optional<Komi> komi_before_;  // that balancing changed
  std::vector<Move> choices_;        // of a fork
  std::size_t choice_ = 0;           // the one that is asked about
  Move best_choice_ = Move::pass();
  double best_score_ = 0;         // for the side that makes it
  MoveBudget budget_;             // of the search under way
  std::optional<Search> search_;  // kept from move to move for its memory
};

}  // namespace tengen
