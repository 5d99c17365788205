#include "rules/local_reading.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rules/board_access.h"
#include "rules/check.h"
#include "rules/ko_shape.h"
#include "rules/neighbours.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr int kMaxDepth = 100;      // plays and passes
constexpr int kMostSacrificed = 6;  // stones: no larger nakade kills

enum class Answer : std::uint8_t { kNo, kYes, kUnknown };

struct State {
  Board board;
  std::array<PointSet, 2> lost_kos;  // [colour]: where it may not take back

  std::uint64_t key(Color mover) const {
    std::uint64_t key = mix64(board.hash(), static_cast<std::uint64_t>(mover));
    for (const auto& kos : lost_kos) {
      key = mix64(key);
      kos.for_each([&](int i) { key ^= mix64(static_cast<std::uint64_t>(i)); });
    }
    return key;
  }
};

// A chain by one of its stones, which stands as long as the chain does.
struct Target {
  Point stone;
  Color owner;
};

// Effort for the side to move to show that it gets what it wants, and to show that it does not.
struct Effort {
  static constexpr std::uint32_t kInfinite = 1U << 30;
  std::uint32_t proof = 1;
  std::uint32_t disproof = 1;

  static constexpr Effort won() { return {0, kInfinite}; }
  static constexpr Effort lost() { return {kInfinite, 0}; }
};

// "Is the target taken for good?", by depth-first proof-number search (df-pn: Nagai 2002), which
// reads first where fewest answers are left to refute.
class Reader {
 public:
  Reader(BoardSize size, const PointSet& region) : size_(size), region_(region) {}

  Answer is_taken(const Board& board, Target target, Color mover, int max_nodes) {
    nodes_left_ = max_nodes;
    gave_up_ = false;
    return is_taken({board, {}}, target, mover);
  }

 private:
  struct Child {
    std::optional<Point> point;  // none: a pass
    std::uint64_t key;
    Effort first;             // the opponent's, as long as nothing is known
    bool is_settled = false;  // the target is off the board
  };

  Answer is_taken(const State& state, Target target, Color mover) {
    const std::uint64_t key = key_of(state, target, mover);
    while (!gave_up_) {
      const auto found = efforts_.find(key);
      const Effort known = found == efforts_.end() ? Effort() : found->second;
      if (known.proof == 0 || known.disproof == 0) {
        return (known.proof == 0) == (mover != target.owner) ? Answer::kYes : Answer::kNo;
      }
      search(state, key, target, mover, {Effort::kInfinite, Effort::kInfinite});
    }
    return Answer::kUnknown;
  }

  std::uint64_t key_of(const State& state, Target target, Color mover) const {
    return mix64(state.key(mover), static_cast<std::uint64_t>(size_.index(target.stone)));
  }

  // Reads on until one of the efforts reaches its limit.
  void search(const State& state, std::uint64_t key, Target target, Color mover, Effort limit) {
    if (--nodes_left_ < 0 || std::ssize(path_) >= kMaxDepth) gave_up_ = true;
    if (gave_up_) return;
    if (is_beyond_reach(state.board, target, mover)) {
      efforts_[key] = mover == target.owner ? Effort::won() : Effort::lost();
      return;
    }
    path_.push_back(state.board.hash());
    const std::vector<Child> children = children_of(state, target, mover);
    while (!gave_up_) {
      Effort effort = Effort::lost();
      std::uint32_t second = Effort::kInfinite;
      const Child* best = nullptr;
      Effort of_best;
      for (const Child& child : children) {
        const Effort of_child = effort_of(child);
        effort.disproof = std::min(effort.disproof + of_child.proof, Effort::kInfinite);
        if (best != nullptr && of_child.disproof >= effort.proof) {
          second = std::min(second, of_child.disproof);
          continue;
        }
        second = effort.proof;
        effort.proof = of_child.disproof;
        best = &child;
        of_best = of_child;
      }
      efforts_[key] = effort;
      if (effort.proof >= limit.proof || effort.disproof >= limit.disproof) break;
      search(after(state, best->point, mover), best->key, target, opponent(mover),
             {limit.disproof - effort.disproof + of_best.proof, std::min(limit.proof, second + 1)});
    }
    path_.pop_back();
  }

  Effort effort_of(const Child& child) const {
    if (child.is_settled) return child.first;
    const auto found = efforts_.find(child.key);
    return found == efforts_.end() ? child.first : found->second;
  }

  // To begin with, a chain is as hard to take as it has liberties.
  static Effort first_effort(const Board& board, Target target, Color mover) {
    const auto count = static_cast<std::uint32_t>(liberties(board, target.stone).count());
    return mover == target.owner ? Effort{1, count} : Effort{count, 1};
  }

  bool is_beyond_reach(const Board& board, Target target, Color mover) const {
    if (!(liberties(board, target.stone) - region_).is_empty()) return true;
    return mover != target.owner &&
           pass_alive(board, target.owner, false).stones.contains(size_.index(target.stone));
  }

  static PointSet liberties(const Board& board, Point p) {
    return BoardAccess::visit(
        board, [&]<int kPitch>(const BoardState<kPitch>& state, const PitchEngine<kPitch>& engine) {
          return engine.liberties(state, Layout<kPitch>::point_of(p));
        });
  }

  static State after(const State& state, std::optional<Point> play, Color mover) {
    State next = state;
    if (!play) return next;
    next.board.play(*play, mover);
    for (PointSet& kos : next.lost_kos) kos &= next.board.empty();
    if (const auto ko = next.board.ko_point()) {
      next.lost_kos[index_of(opponent(mover))].insert(next.board.size().index(*ko));
    }
    next.board.pass();  // the rule above takes the place of the simple ko
    return next;
  }

  // The owner may pass.
  std::vector<Child> children_of(const State& state, Target target, Color mover) {
    const auto groups = plays_in_order(state, target, mover);
    std::vector<Child> children;
    children.reserve(groups[0].count() + groups[1].count() + groups[2].count() + 1);
    for (const PointSet& points : groups) {
      points.for_each([&](int i) { add_play(children, state, target, size_.point(i), mover); });
    }
    if (mover == target.owner) {
      const Color next = opponent(mover);
      children.push_back(
          {{}, key_of(state, target, next), first_effort(state.board, target, next)});
    }
    return children;
  }

  // First what takes stones, then what touches the target, then the rest. Nobody fills his own
  // single-point eyes.
  std::array<PointSet, 3> plays_in_order(const State& state, Target target, Color mover) const {
    const Board& board = state.board;
    const PointSet all = (board.legal(mover, false, false) & region_) -
                         board.single_point_eyes(mover) -
                         (state.lost_kos[index_of(mover)] & ko_captures(board, mover));
    PointSet captures;
    PointSet weak = board.stones_by_liberties()[0] & board.stones(opponent(mover));
    while (!weak.is_empty()) {
      const Point p = first_point(weak, size_);
      captures |= liberties(board, p) & all;
      weak -= board.chain(p);
    }
    const PointSet near = (all & liberties(board, target.stone)) - captures;
    return {captures, near, all - captures - near};
  }

  void add_play(std::vector<Child>& children, const State& state, Target target, Point p,
                Color mover) {
    const State next = after(state, p, mover);
    if (std::ranges::find(path_, next.board.hash()) != path_.end()) return;  // not allowed
    if (next.board.stone_at(target.stone) != Stone::kEmpty) {
      children.push_back({p, key_of(next, target, opponent(mover)),
                          first_effort(next.board, target, opponent(mover))});
      return;
    }
    const bool is_final = is_taken_for_good(state.board.chain(target.stone), next, p, target);
    children.push_back({p, 0, is_final ? Effort::lost() : Effort::won(), true});
  }

  // Whether the stones that p took were more than a sacrifice. They were that if the larger chain
  // that took them is taken in turn, or if their owner can play where they stood and stays there
  // (article 7 of the rules of 1989): so lives what is under the stones.
  bool is_taken_for_good(const PointSet& stones, const State& state, Point p, Target target) {
    const int count = stones.count();
    const Color taker = opponent(target.owner);
    if (count > kMostSacrificed) return true;
    if (state.board.chain(p).count() > count &&
        is_taken(state, {p, taker}, target.owner) != Answer::kNo) {
      return false;
    }
    if (count == 1) return true;
    for (PointSet under = stones & state.board.legal(target.owner, false, false);
         !under.is_empty();) {
      const Point q = first_point(under, size_);
      under.erase(size_.index(q));
      const Target replayed = {q, target.owner};
      if (is_taken(after(state, q, target.owner), replayed, taker) != Answer::kYes) return false;
    }
    return true;
  }

  BoardSize size_;
  PointSet region_;
  int nodes_left_ = 0;
  bool gave_up_ = false;
  std::vector<std::uint64_t> path_;  // boards from the start to here
  std::unordered_map<std::uint64_t, Effort> efforts_;
};

}  // namespace

Reading read_chain(const Board& board, const PointSet& region, Point target, int max_nodes) {
  check(board.stone_at(target) != Stone::kEmpty, "a chain to read");
  const Color owner = board.stone_at(target) == Stone::kBlack ? Color::kBlack : Color::kWhite;
  Reader reader(board.size(), region);
  const Answer if_attacked = reader.is_taken(board, {target, owner}, opponent(owner), max_nodes);
  if (if_attacked == Answer::kNo) return Reading::kSafe;
  if (if_attacked == Answer::kUnknown) return Reading::kUnknown;
  switch (reader.is_taken(board, {target, owner}, owner, max_nodes)) {
    case Answer::kNo:
      return Reading::kUnsettled;
    case Answer::kYes:
      return Reading::kCaptured;
    default:
      return Reading::kUnknown;
  }
}

}  // namespace tengen
