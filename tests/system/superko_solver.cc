#include "superko_solver.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr int kHorizon = 24;          // plies that move ordering looks ahead
constexpr std::size_t kRemember = 6;  // proofs kept a state

int power_of_3(int n) {
  int power = 1;
  while (n-- > 0) power *= 3;
  return power;
}

std::optional<Board> board_of(int number, BoardSize size) {
  PointSet black, white;
  for (int i = 0; i < size.area(); ++i, number /= 3) {
    if (number % 3 == 1) black.insert(i);
    if (number % 3 == 2) white.insert(i);
  }
  return Board::from_stones(size, black, white);
}

// Points that stay `c`'s whatever the opponent does while `c` only passes: pass-alive stones, and
// empty points all of whose neighbours are such stones (no suicide).
int sure_points(const Board& board, Color c) {
  const PointSet alive = pass_alive(board, c, false).stones;
  const BoardSize size = board.size();
  int count = alive.count();
  board.empty().for_each([&](int i) {
    const Point p = size.point(i);
    bool enclosed = true;
    for (const auto& [dr, dc] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const int row = p.row() + dr, column = p.column() + dc;
      if (row < 0 || row >= size.height || column < 0 || column >= size.width) continue;
      enclosed = enclosed && alive.contains(size.index(Point::at(row, column)));
    }
    count += enclosed ? 1 : 0;
  });
  return count;
}

void add(std::vector<std::uint16_t>& set, const std::vector<std::uint16_t>& more) {
  if (more.empty()) return;
  std::vector<std::uint16_t> all;
  all.reserve(set.size() + more.size());
  std::ranges::set_union(set, more, std::back_inserter(all));
  set = std::move(all);
}

void add(std::vector<std::uint16_t>& set, int board) {
  const auto value = static_cast<std::uint16_t>(board);
  const auto place = std::ranges::lower_bound(set, value);
  if (place == set.end() || *place != value) set.insert(place, value);
}

}  // namespace

SuperkoSolver::SuperkoSolver(BoardSize size, int threshold)
    : size_(size),
      threshold_(threshold),
      boards_(static_cast<std::size_t>(power_of_3(size.area()))),
      on_path_(boards_.size()),
      known_(boards_.size() * 4) {
  check(size.area() <= 9, "the solver takes boards of up to nine points");
  for (int i = 0; i < board_count(); ++i) prepare(i);
  order_children();
}

Board SuperkoSolver::board(int number) const {
  const auto board = board_of(number, size_);
  check(board.has_value(), "a legal board");
  return *board;
}

int SuperkoSolver::number_of(const Board& board) const {
  int number = 0;
  for (int i = size_.area(); i-- > 0;) {
    number = number * 3 + (board.stones(Color::kBlack).contains(i)   ? 1
                           : board.stones(Color::kWhite).contains(i) ? 2
                                                                     : 0);
  }
  return number;
}

void SuperkoSolver::prepare(int number) {
  const auto board = board_of(number, size_);
  if (!board) return;
  Entry& entry = boards_[static_cast<std::size_t>(number)];
  entry.is_legal = true;
  const auto areas = area(*board);
  entry.margin = static_cast<std::int8_t>(areas[0].count() - areas[1].count());
  // With n points for sure a side is ahead by at least n - (area - n).
  const int points = size_.area();
  if (2 * sure_points(*board, Color::kBlack) - points >= threshold_) entry.decided = 1;
  if (points - 2 * sure_points(*board, Color::kWhite) < threshold_) entry.decided = -1;
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    board->legal(c, false, false).for_each([&](int i) {
      Board next = *board;
      next.play(size_.point(i), c);
      entry.children[c == Color::kBlack ? 0 : 1].push_back(
          static_cast<std::uint16_t>(number_of(next)));
    });
  }
}

// Best first, by margins with best play over a fixed number of plies without superko: a guess that
// costs nothing in truth and saves most of the search.
void SuperkoSolver::order_children() {
  std::vector<int> now(boards_.size() * 4), next;
  for (int b = 0; b < board_count(); ++b) {
    for (int k = 0; k < 4; ++k)
      now[static_cast<std::size_t>(b * 4 + k)] = boards_[static_cast<std::size_t>(b)].margin;
  }
  for (int ply = 0; ply < kHorizon; ++ply) {
    next = now;
    for (int b = 0; b < board_count(); ++b) {
      const Entry& entry = boards_[static_cast<std::size_t>(b)];
      if (!entry.is_legal) continue;
      for (const int color : {0, 1}) {
        const int sign = color == 0 ? 1 : -1;
        for (const int passes : {0, 1}) {
          int best = sign * (passes == 1 ? entry.margin : now[index({b, 1 - color, 1})]);
          for (const int child : entry.children[static_cast<std::size_t>(color)]) {
            best = std::max(best, sign * now[index({child, 1 - color, 0})]);
          }
          next[index({b, color, passes})] = sign * best;
        }
      }
    }
    now.swap(next);
  }
  for (Entry& entry : boards_) {
    for (const int color : {0, 1}) {
      const int sign = color == 0 ? 1 : -1;
      std::ranges::stable_sort(entry.children[static_cast<std::size_t>(color)], {}, [&](int child) {
        const Entry& after = boards_[static_cast<std::size_t>(child)];
        return -sign * (100 * after.decided + now[index({child, 1 - color, 0})]);
      });
    }
  }
}

bool SuperkoSolver::black_wins(int board, Color to_move) {
  check(is_legal(board), "a legal board");
  on_path_[static_cast<std::size_t>(board)] = 1;
  const Proof proof = solve({board, to_move == Color::kBlack ? 0 : 1, 0});
  on_path_[static_cast<std::size_t>(board)] = 0;
  check(proof.closed.empty(), "an empty history closes nothing");
  return proof.black_wins;
}

bool SuperkoSolver::stands(const Proof& proof) const {
  const auto was_there = [&](std::uint16_t board) { return on_path_[board] != 0; };
  return std::ranges::none_of(proof.made, was_there) &&
         std::ranges::all_of(proof.closed, was_there);
}

// The state's board is on the path already.
SuperkoSolver::Proof SuperkoSolver::solve(const State& state) {
  const Entry& entry = boards_[static_cast<std::size_t>(state.board)];
  if (entry.decided != 0) return {entry.decided > 0, {}, {}};
  auto& known = known_[index(state)];
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!stands(known[i])) continue;
    std::swap(known[i], known[i / 2]);  // what is useful moves to the front
    return known[i / 2];
  }
  ++nodes_;
  Proof proof = search(state);
  // The state's own board is there whenever the state is.
  std::erase(proof.closed, static_cast<std::uint16_t>(state.board));
  auto& list = known_[index(state)];
  if (list.size() >= kRemember) list.pop_back();
  list.insert(list.begin(), proof);
  return proof;
}

SuperkoSolver::Proof SuperkoSolver::search(const State& state) {
  const Entry& entry = boards_[static_cast<std::size_t>(state.board)];
  const bool is_black = state.color == 0;
  Proof lost{!is_black, {}, {}};  // for the side to move, as far as its moves are refuted
  // A pass that wins at once is the shortest proof.
  if (state.passes == 1 && (entry.margin >= threshold_) == is_black) return after_pass(state);
  for (const int child : entry.children[static_cast<std::size_t>(state.color)]) {
    if (on_path_[static_cast<std::size_t>(child)] != 0) {
      add(lost.closed, child);
      continue;
    }
    Proof proof = after_stone(state, child);
    if (proof.black_wins == is_black) {
      add(proof.made, child);
      return proof;
    }
    add(lost.made, proof.made);
    add(lost.closed, proof.closed);
  }
  Proof proof = after_pass(state);
  if (proof.black_wins == is_black) return proof;
  add(lost.made, proof.made);
  add(lost.closed, proof.closed);
  return lost;
}

SuperkoSolver::Proof SuperkoSolver::after_stone(const State& state, int child) {
  on_path_[static_cast<std::size_t>(child)] = 1;
  Proof proof = solve({child, 1 - state.color, 0});
  on_path_[static_cast<std::size_t>(child)] = 0;
  return proof;
}

SuperkoSolver::Proof SuperkoSolver::after_pass(const State& state) {
  const Entry& entry = boards_[static_cast<std::size_t>(state.board)];
  if (state.passes == 1) return {entry.margin >= threshold_, {}, {}};
  return solve({state.board, 1 - state.color, 1});
}

}  // namespace tengen
