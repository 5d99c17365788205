#include "oracle_ladder.h"

#include <algorithm>

namespace tengen {
namespace {

class NaiveLadder {
 public:
  NaiveLadder(BoardSize size, int stone, char owner) : size_(size), stone_(stone), owner_(owner) {}

  bool has_given_up() const { return plays_ > 25000; }

  // The owner begins; kos that are there do not matter.
  bool is_taken(const Oracle& board) {
    plays_ = 0;
    Rules rules;
    rules.size = size_;
    rules.ko = Ko::kSimple;
    rules.multi_stone_suicide = rules.single_stone_suicide = false;
    const bool taken = owner_moves(Oracle(rules, board.grid(), owner_), 0);
    return taken && !has_given_up();
  }

  std::set<int> liberties(const Oracle& board, int stone) const {
    std::set<int> found;
    for (const int p : board.chain(stone)) {
      for (const int q : beside(p)) {
        if (board.grid()[q] == '.') found.insert(q);
      }
    }
    return found;
  }
  char attacker() const { return owner_ == 'X' ? 'O' : 'X'; }

 private:
  std::vector<int> beside(int p) const {
    std::vector<int> result;
    const Point at = size_.point(p);
    for (const auto& [row, column] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const Point q = Point::at(at.row() + row, at.column() + column);
      if (size_.contains(q)) result.push_back(size_.index(q));
    }
    return result;
  }

  std::set<int> attackers_in_atari(const Oracle& board) const {
    std::set<int> found;
    for (const int p : board.chain(stone_)) {
      for (const int q : beside(p)) {
        if (board.grid()[q] == attacker() && board.liberties(q) == 1) found.insert(q);
      }
    }
    return found;
  }

  bool is_too_long(int plies) const { return plies >= size_.area() * 3 / 2; }

  bool owner_moves(const Oracle& board, int plies) {
    if (is_too_long(plies)) return true;
    if (board.liberties(stone_) >= 2 || (plies > 0 && board.ko())) return false;
    std::set<int> moves = liberties(board, stone_);
    for (const int q : attackers_in_atari(board)) moves.merge(liberties(board, q));
    return std::ranges::none_of(moves, [&](int move) {
      if (!board.is_legal(move) || ++plays_ > 25000) return false;
      Oracle next = board;
      next.play(move);
      return !attacker_moves(next, plies + 1);
    });
  }

  bool attacker_moves(const Oracle& board, int plies) {
    if (is_too_long(plies)) return true;
    const std::set<int> moves = liberties(board, stone_);
    if (moves.size() != 2) return moves.size() < 2;
    if (is_double_ko_death(board, moves)) return true;
    return std::ranges::any_of(moves, [&](int move) {
      if (!board.is_legal(move) || ++plays_ > 25000) return false;
      Oracle next = board;
      next.play(move);
      return owner_moves(next, plies + 1);
    });
  }

  bool is_double_ko_death(const Oracle& board, const std::set<int>& moves) const {
    return attackers_in_atari(board).empty() && std::ranges::all_of(moves, [&](int move) {
             int weak = 0;
             for (const int q : beside(move)) {
               if (board.grid()[q] != owner_) return false;
               if (board.liberties(q) > 1) continue;
               if (board.chain(q).size() > 1) return false;
               ++weak;
             }
             Oracle connected = board;
             connected.set_to_move(owner_);
             connected.play(move);
             return weak == 1 && connected.liberties(move) <= 2;
           });
  }

  BoardSize size_;
  int stone_;
  char owner_;
  int plays_ = 0;
};

}  // namespace

OracleLadders oracle_ladders(const Oracle& board, BoardSize size, char attacker) {
  OracleLadders result;
  std::set<int> done;
  for (int stone = 0; stone < size.area(); ++stone) {
    const char owner = board.grid()[stone];
    if (owner == '.' || done.contains(stone) || board.liberties(stone) > 2) continue;
    const auto chain = board.chain(stone);
    done.insert(chain.begin(), chain.end());
    NaiveLadder ladder(size, stone, owner);
    bool captured = false;
    if (board.liberties(stone) == 1) {
      captured = ladder.is_taken(board);
      result.given_up += ladder.has_given_up();
    } else {
      for (const int move : ladder.liberties(board, stone)) {
        Oracle attacked = board;
        if (attacked.to_move() != ladder.attacker()) attacked.set_to_move(ladder.attacker());
        if (board.ko() == move || !attacked.is_legal(move)) continue;
        attacked.play(move);
        const bool works = ladder.is_taken(attacked);
        result.given_up += ladder.has_given_up();
        captured |= works;
        if (works && ladder.attacker() == attacker) result.working.insert(move);
      }
    }
    if (captured) result.captured.insert(chain.begin(), chain.end());
  }
  return result;
}

}  // namespace tengen
