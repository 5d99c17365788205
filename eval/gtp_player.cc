#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "eval/gtp_client.h"
#include "rules/check.h"

namespace tengen {
namespace {

using Played = Position::Played;

bool same(const Played& a, const Played& b) {
  return a.color == b.color && a.move == b.move;
}

// One program and the game it holds.
class Seat {
 public:
  Seat(const std::string& command_line, double timeout_s) : client_(command_line, timeout_s) {}

  bool is_idle() const { return !rules_; }
  // Whether the wanted game goes on from the one held here, and how many moves they share.
  std::optional<std::size_t> shared_moves(const MoveRequest& wanted) const {
    if (rules_ != wanted.position->rules() || played_.size() > wanted.moves.size()) {
      return std::nullopt;
    }
    const bool is_prefix = std::equal(played_.begin(), played_.end(), wanted.moves.begin(), same);
    return is_prefix ? std::optional(played_.size()) : std::nullopt;
  }

  MoveChoice choose(const MoveRequest& wanted) {
    if (!shared_moves(wanted)) start(wanted.position->rules());
    const BoardSize size = rules_->size;
    for (const Played& p : wanted.moves.subspan(played_.size())) {
      client_.tell(std::string("play ") + name_of(p.color) + " " + to_text(p.move, size));
      played_.push_back(p);
    }
    const Color mover = wanted.position->to_move();
    const std::string answer = client_.tell(std::string("genmove ") + name_of(mover));
    if (answer == "resign" || answer == "RESIGN") return {.resign = true};
    const auto move = parse_move(answer, size);
    if (!move) throw Error(client_name() + ": expected a move, found '" + answer + "'");
    played_.push_back({mover, *move});
    return {.move = *move};
  }

  std::string client_name() { return client_.tell("name"); }

 private:
  void start(const Rules& rules) {
    rules_.reset();  // holds nothing while a command may fail
    played_.clear();
    const BoardSize size = rules.size;
    client_.tell(size.is_square() ? "boardsize " + std::to_string(size.width)
                                  : "rectangular_boardsize " + std::to_string(size.width) + " " +
                                        std::to_string(size.height));
    client_.tell("clear_board");
    client_.tell("komi " + to_text(rules.komi));
    rules_ = rules;
  }

  GtpClient client_;
  std::optional<Rules> rules_;
  std::vector<Played> played_;
};

class GtpPlayer : public Player {
 public:
  GtpPlayer(std::string command_line, double timeout_s, int processes)
      : command_line_(std::move(command_line)), timeout_s_(timeout_s), processes_(processes) {
    check(processes >= 1, "at least one process");
    add_seat();
    name_ = seats_.front()->client_name();
  }

  std::string name() const override { return name_; }

  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    check(requests.size() == choices.size(), "one choice per request");
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (std::ssize(requests[i].moves) != requests[i].position->ply()) {
        throw Error(name_ + ": needs the whole game, from an empty board");
      }
      choices[i] = seat_for(requests[i]).choose(requests[i]);
    }
  }

 private:
  void add_seat() { seats_.push_back(std::make_unique<Seat>(command_line_, timeout_s_)); }

  // The program that holds the longest beginning of this game; else a new one, or the one unused
  // for longest. The seat goes to the end of the row, which is thus ordered by use.
  Seat& seat_for(const MoveRequest& wanted) {
    auto best = seats_.end();
    std::size_t most = 0;
    for (auto it = seats_.begin(); it != seats_.end(); ++it) {
      const auto shared = (*it)->shared_moves(wanted);
      if (shared && *shared > most) {
        most = *shared;
        best = it;
      }
    }
    if (best == seats_.end()) {
      best = std::ranges::find_if(seats_, [](const auto& seat) { return seat->is_idle(); });
    }
    if (best == seats_.end()) {
      if (std::ssize(seats_) < processes_) {
        add_seat();
        best = std::prev(seats_.end());
      } else {
        best = seats_.begin();
      }
    }
    std::rotate(best, best + 1, seats_.end());
    return *seats_.back();
  }

  std::string command_line_;
  double timeout_s_;
  int processes_;
  std::string name_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace

std::unique_ptr<Player> make_gtp_player(const std::string& command_line, double timeout_s,
                                        int processes) {
  return std::make_unique<GtpPlayer>(command_line, timeout_s, processes);
}

}  // namespace tengen
