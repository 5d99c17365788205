#include "rules/prove_counts.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rules/check.h"
#include "rules/position.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

constexpr int kMostPoints = 16;  // 3^16 colourings: their codes take 26 bits

constexpr PositionCount kPositionCounts[] = {
    {{1, 1}, 1},      {{2, 1}, 5},       {{3, 1}, 15},       {{4, 1}, 41},    {{5, 1}, 113},
    {{2, 2}, 57},     {{3, 2}, 489},     {{4, 2}, 4125},     {{5, 2}, 35117}, {{3, 3}, 12675},
    {{4, 3}, 321689}, {{5, 3}, 8180343}, {{4, 4}, 24318165},
};

constexpr GameCount kGameCounts[] = {
    {{1, 1}, 1}, {{2, 1}, 9}, {{3, 1}, 907}, {{4, 1}, 2'098'407'841}, {{2, 2}, 386'356'909'593},
};

// A board by its points in base 3.
std::uint32_t code_of(const Board& board) {
  std::uint32_t code = 0;
  for (int i = board.size().area() - 1; i >= 0; --i) {
    code = 3 * code + static_cast<std::uint32_t>(board.stone_at(board.size().point(i)));
  }
  return code;
}

std::optional<Board> board_of(std::uint32_t code, BoardSize size) {
  PointSet stones[3];
  for (int i = 0; i < size.area(); ++i, code /= 3) stones[code % 3].insert(i);
  return Board::from_stones(size, stones[1], stones[2]);
}

// A set of hashes in open addressing: millions of them in eight bytes each and a little.
class HashSet {
 public:
  // Whether it is new.
  bool insert(std::uint64_t hash) {
    if (4 * (count_ + 1) > 3 * slots_.size()) grow();
    std::uint64_t& slot = slots_[place_of(hash)];
    if (slot == hash) return false;
    slot = hash;
    ++count_;
    return true;
  }
  std::size_t size() const { return count_; }

 private:
  std::size_t place_of(std::uint64_t hash) const {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    const std::vector<std::uint64_t> old = std::move(slots_);
    slots_.assign(2 * old.size(), 0);
    for (const std::uint64_t hash : old) {
      if (hash != 0) slots_[place_of(hash)] = hash;
    }
  }
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024);
  std::size_t count_ = 0;
};

// Calls visit(point, color) for every play on the board, whoever is to move and no ko in the way.
template <class Visit>
void for_each_play(const Board& board, bool suicide, Visit visit) {
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    board.legal(c, suicide, suicide).for_each([&](int i) { visit(board.size().point(i), c); });
  }
}

// Calls visit(board) once for every board that play reaches from the empty one.
template <class Visit>
void for_each_reachable(BoardSize size, bool suicide, Visit visit) {
  check(size.area() <= kMostPoints, "positions are counted on small boards");
  HashSet seen;
  std::vector<std::uint32_t> open = {0};
  seen.insert(Board(size).hash());
  while (!open.empty()) {
    const Board board = *board_of(open.back(), size);
    open.pop_back();
    visit(board);
    for_each_play(board, suicide, [&](Point p, Color c) {
      const std::uint64_t hash = board.hash_after(p, c);
      if (!seen.insert(hash)) return;
      Board next = board;
      next.play(p, c);
      check(next.hash() == hash, "a hash is known before the move");
      open.push_back(code_of(next));
    });
  }
}

// The positions of a board as a graph: who may follow whom, in one move of either colour.
class PositionGraph {
 public:
  PositionGraph(BoardSize size, bool suicide) : size_(size) {
    for_each_reachable(size, suicide, [&](const Board& board) {
      check(boards_.size() < 64, "games are counted on boards of at most 64 positions");
      numbers_[board.hash()] = static_cast<int>(boards_.size());
      boards_.push_back(board);
    });
    for (const Board& board : boards_) {
      std::uint64_t next = 0;
      for_each_play(board, suicide,
                    [&](Point p, Color c) { next |= 1ULL << numbers_.at(board.hash_after(p, c)); });
      next_.push_back(next);
    }
    make_images();
  }

  std::int64_t count_games(const std::function<void(const std::string&)>& tell) const {
    std::vector<int> all;
    for (std::size_t i = 0; i < images_.size(); ++i) all.push_back(static_cast<int>(i));
    return count_with_symmetry(0, 1, all, tell);  // the empty board is number 0
  }

 private:
  // For each symmetry of the board, colours swapped or not: where every position goes. Each is told
  // once: on a single row two of them are the same.
  void make_images() {
    for (int i = 0; i < 2 * Symmetry::count(size_); ++i) {
      std::vector<int> image;
      for (const Board& board : boards_) {
        const Symmetry symmetry(i / 2);
        const PointSet stones[] = {symmetry.apply(board.stones(Color::kBlack), size_),
                                   symmetry.apply(board.stones(Color::kWhite), size_)};
        image.push_back(
            numbers_.at(Board::from_stones(size_, stones[i % 2], stones[1 - i % 2])->hash()));
      }
      if (std::ranges::find(images_, image) == images_.end()) images_.push_back(image);
    }
  }

  // Games that go on from `at`, with the one that ends there.
  std::int64_t count(int at, std::uint64_t visited) const {
    std::int64_t games = 1;
    for (std::uint64_t rest = next_[at] & ~visited; rest != 0; rest &= rest - 1) {
      const int to = std::countr_zero(rest);
      const std::uint64_t to_visited = visited | 1ULL << to;
      games += (next_[to] & ~to_visited) == 0 ? 1 : count(to, to_visited);
    }
    return games;
  }

  // The same while symmetries leave all of the game so far where it is: of the positions to which
  // one of them leads from another, one is counted for all.
  std::int64_t count_with_symmetry(int at, std::uint64_t visited,
                                   const std::vector<int>& symmetries,
                                   const std::function<void(const std::string&)>& tell) const {
    if (symmetries.size() == 1) return count(at, visited);
    std::int64_t games = 1;
    std::uint64_t rest = next_[at] & ~visited;
    while (rest != 0) {
      const int to = std::countr_zero(rest);
      std::uint64_t alike = 0;
      std::vector<int> left;
      for (const int s : symmetries) {
        alike |= 1ULL << images_[s][to];
        if (images_[s][to] == to) left.push_back(s);
      }
      games += std::popcount(alike) * count_with_symmetry(to, visited | 1ULL << to, left, tell);
      rest &= ~alike;
      if (tell) {
        tell("at move " + std::to_string(std::popcount(visited)) + ": " + std::to_string(games) +
             " games so far");
      }
    }
    return games;
  }

  BoardSize size_;
  std::vector<Board> boards_;
  std::unordered_map<std::uint64_t, int> numbers_;  // by hash
  std::vector<std::uint64_t> next_;                 // positions as bits
  std::vector<std::vector<int>> images_;
};

std::int64_t perft_from(const Position& position, int depth) {
  if (position.is_over()) return 0;
  const PointSet legal = position.legal_points();
  if (depth == 1) return legal.count() + 1;
  std::int64_t sequences = 0;
  const auto add = [&](Move move) {
    Position next = position;
    next.play(move);
    sequences += perft_from(next, depth - 1);
  };
  legal.for_each([&](int i) { add(position.size().point(i)); });
  add(Move::pass());
  return sequences;
}

}  // namespace

std::span<const PositionCount> published_position_counts() {
  return kPositionCounts;
}

std::span<const GameCount> published_game_counts() {
  return kGameCounts;
}

std::int64_t count_colourings(BoardSize size) {
  check(size.area() <= kMostPoints, "positions are counted on small boards");
  std::uint32_t colourings = 1;
  for (int i = 0; i < size.area(); ++i) colourings *= 3;
  std::int64_t legal = 0;
  for (std::uint32_t code = 0; code < colourings; ++code) {
    legal += board_of(code, size).has_value() ? 1 : 0;
  }
  return legal;
}

std::int64_t count_reachable(BoardSize size, bool suicide) {
  std::int64_t positions = 0;
  for_each_reachable(size, suicide, [&](const Board&) { ++positions; });
  return positions;
}

std::int64_t count_games(BoardSize size, bool suicide,
                         const std::function<void(const std::string&)>& tell) {
  return PositionGraph(size, suicide).count_games(tell);
}

std::int64_t perft(const Rules& rules, int depth) {
  return perft_from(Position(rules), depth);
}

}  // namespace tengen
