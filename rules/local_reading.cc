#include "rules/local_reading.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "rules/check.h"
#include "rules/ko_shape.h"
#include "rules/neighbours.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr int kMaxDepth = 100;      // plays and passes; some 7 KB of stack each
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

// "Is the target taken for good?", by depth-first search of an and-or tree with a table of answers.
class Reader {
 public:
  Reader(BoardSize size, const PointSet& region) : size_(size), region_(region) {}

  Answer is_taken(const Board& board, Target target, Color mover, int max_nodes) {
    nodes_left_ = max_nodes;
    return is_taken({board, {}}, target, mover);
  }

 private:
  Answer is_taken(const State& state, Target target, Color mover) {
    if (is_beyond_reach(state.board, target, mover)) return Answer::kNo;
    const std::uint64_t key =
        mix64(state.key(mover), static_cast<std::uint64_t>(size_.index(target.stone)));
    if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
    if (--nodes_left_ < 0 || std::ssize(path_) >= kMaxDepth) return Answer::kUnknown;
    path_.push_back(state.board.hash());
    const Answer answer = best(state, target, mover);
    path_.pop_back();
    if (answer != Answer::kUnknown) answers_.emplace(key, answer);
    return answer;
  }

  bool is_beyond_reach(const Board& board, Target target, Color mover) const {
    const PointSet liberties = border(size_, board.chain(target.stone)) & board.empty();
    if (!(liberties - region_).is_empty()) return true;
    return mover != target.owner &&
           pass_alive(board, target.owner, false).stones.contains(size_.index(target.stone));
  }

  // The owner wants a no and may pass, the opponent a yes.
  Answer best(const State& state, Target target, Color mover) {
    const bool is_owner = mover == target.owner;
    const Answer wanted = is_owner ? Answer::kNo : Answer::kYes;
    Answer answer = is_owner ? is_taken(state, target, opponent(mover)) : Answer::kNo;
    if (answer == wanted) return answer;
    for (const PointSet& points : plays_in_order(state, target, mover)) {
      for (PointSet left = points; !left.is_empty();) {
        const Point p = first_point(left, size_);
        left.erase(size_.index(p));
        const Answer found = after(state, target, p, mover);
        if (found == wanted) return found;
        if (found == Answer::kUnknown) answer = found;
      }
    }
    return answer;
  }

  // First what takes stones, then what touches the target, then the rest. Nobody fills his own
  // single-point eyes.
  std::array<PointSet, 3> plays_in_order(const State& state, Target target, Color mover) const {
    const Board& board = state.board;
    const PointSet all = (board.legal(mover, false, false) & region_) -
                         board.single_point_eyes(mover) -
                         (state.lost_kos[index_of(mover)] & ko_captures(board, mover));
    const PointSet weak = board.stones_by_liberties()[0] & board.stones(opponent(mover));
    const PointSet captures = all & border(size_, weak);
    const PointSet near = (all & border(size_, board.chain(target.stone))) - captures;
    return {captures, near, all - captures - near};
  }

  Answer after(const State& state, Target target, Point p, Color mover) {
    State next = state;
    next.board.play(p, mover);
    if (std::ranges::find(path_, next.board.hash()) != path_.end()) {
      // Not allowed, which is the same as a play that is no good.
      return mover == target.owner ? Answer::kYes : Answer::kNo;
    }
    for (PointSet& kos : next.lost_kos) kos &= next.board.empty();
    if (const auto ko = next.board.ko_point()) {
      next.lost_kos[index_of(opponent(mover))].insert(size_.index(*ko));
    }
    next.board.pass();  // the rule above takes the place of the simple ko
    if (next.board.stone_at(target.stone) == Stone::kEmpty) {
      return is_final(state.board.chain(target.stone).count(), next, p, mover);
    }
    return is_taken(next, target, opponent(mover));
  }

  // Whether taking `stones` stones by `p` was more than a sacrifice of theirs: no, if the chain
  // that took them is larger and is taken in turn.
  Answer is_final(int stones, const State& state, Point p, Color taker) {
    if (stones > kMostSacrificed || state.board.chain(p).count() <= stones) return Answer::kYes;
    switch (is_taken(state, {p, taker}, opponent(taker))) {
      case Answer::kYes:
        return Answer::kNo;
      case Answer::kNo:
        return Answer::kYes;
      default:
        return Answer::kUnknown;
    }
  }

  BoardSize size_;
  PointSet region_;
  int nodes_left_ = 0;
  std::vector<std::uint64_t> path_;
  std::unordered_map<std::uint64_t, Answer> answers_;
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
