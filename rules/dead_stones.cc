#include "rules/dead_stones.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "rules/check.h"
#include "rules/local_reading.h"
#include "rules/neighbours.h"
#include "rules/playout.h"
#include "rules/position.h"
#include "rules/rng.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

constexpr std::array kColors = {Color::kBlack, Color::kWhite};

constexpr std::uint64_t kSeed = 0x7E46E9DEAD;
constexpr int kMovesPerPoint = 3;        // of a playout, at most
constexpr double kOwnedShare = 0.55;     // of playouts: a point is more its owner's than not
constexpr double kEyeShare = 0.85;       // it is an eye in nearly all of them
constexpr int kWideRoom = 7;             // empty points: no nakade fills it
constexpr double kAliveShare = 0.6;      // a chain in a place too large to read survives
constexpr double kDeadShare = 0.4;       // or does not
constexpr double kHopelessShare = 0.25;  // one alone in the opponent's territory need not be read
constexpr double kInvaderShare = 0.55;   // nor does such a one, where it cannot be
constexpr double kSureOwnership = 0.5;   // of a network, mean over a chain

struct Chain {
  PointSet stones;
  Color color;
};

std::vector<Chain> chains_of(const Board& board, const PointSet& within) {
  std::vector<Chain> chains;
  for (const Color c : kColors) {
    for_each_part(board.size(), board.stones(c) & within, [&](const PointSet& stones) {
      chains.push_back({stones, c});
    });
  }
  return chains;
}

// For each point the share of random games in which Black owned it in the end, and White.
class Playouts {
 public:
  Playouts(const Board& board, int games) : games_(games) {
    const BoardSize size = board.size();
    Rules rules;
    rules.size = size;
    for (int game = 0; game < games; ++game) {
      Rng rng(mix64(kSeed, board.hash()), static_cast<std::uint64_t>(game));
      Position position(rules, board, kColors[game % 2]);
      play_random_game(position, rng, kMovesPerPoint * size.area());
      const auto owned = area(position.board());
      for (int c = 0; c < 2; ++c) owned[c].for_each([&](int i) { ++counts_[c][i]; });
    }
  }

  double share(int index, Color c) const {
    return static_cast<double>(counts_[index_of(c)][index]) / games_;
  }
  double share(const Chain& chain) const {
    double sum = 0;
    chain.stones.for_each([&](int i) { sum += share(i, chain.color); });
    return sum / chain.stones.count();
  }

 private:
  int games_;
  std::array<std::array<int, kMaxArea>, 2> counts_{};
};

// The first two levels, on one board.
class Judge {
 public:
  Judge(const Board& board, const Rules& rules, const JudgeOptions& options)
      : board_(board), size_(board.size()), options_(options) {
    for (const Color c : kColors) {
      const PassAlive alive = pass_alive(board, c, rules.multi_stone_suicide);
      safe_ |= alive.stones;
      settled_ |= alive.stones | alive.territory;
      verdict_.dead |= alive.territory & board.stones(opponent(c));
    }
  }

  DeadStonesVerdict verdict() {
    const PointSet open = stones() - settled_;
    if (open.is_empty()) return verdict_;
    if (options_.playouts == 0) {
      verdict_.unsettled = open;
      return verdict_;
    }
    verdict_.level = JudgeLevel::kPlayouts;
    const Playouts playouts(board_, options_.playouts);
    for (const Color c : kColors) add_safe_groups(playouts, c);
    for_each_part(size_, PointSet::all(size_) - settled_ - safe_,
                  [&](const PointSet& place) { judge_place(place, playouts); });
    return verdict_;
  }

 private:
  PointSet stones() const { return board_.stones(Color::kBlack) | board_.stones(Color::kWhite); }

  // Groups that keep two eyes, or a room in which the opponent can hardly prevent them. A group is
  // what own stones and owned empty points connect; stones in atari are cut off too easily.
  void add_safe_groups(const Playouts& playouts, Color c) {
    PointSet owned, eyes;
    board_.empty().for_each([&](int i) {
      if (playouts.share(i, c) >= kOwnedShare) owned.insert(i);
      if (playouts.share(i, c) >= kEyeShare) eyes.insert(i);
    });
    const PointSet own = board_.stones(c) - board_.stones_by_liberties()[0];
    own.for_each([&](int i) {
      if (playouts.share(i, c) >= kOwnedShare) owned.insert(i);
    });
    for_each_part(size_, owned, [&](const PointSet& group) {
      int sure_rooms = 0;
      bool has_wide_room = false;
      for_each_part(size_, group & board_.empty(), [&](const PointSet& room) {
        if ((room - eyes).is_empty() && (border(size_, room) - own).is_empty()) ++sure_rooms;
        has_wide_room |= room.count() >= kWideRoom;
      });
      if (sure_rooms >= 2 || has_wide_room) safe_ |= group & own;
    });
  }

  // A connected part of the board between safe groups, with the stones in it.
  void judge_place(const PointSet& place, const Playouts& playouts) {
    const bool is_readable = (place & board_.empty()).count() <= options_.max_readable;
    for (const Chain& chain : chains_of(board_, place)) {
      const double share = playouts.share(chain);
      const bool is_alone = is_invader(chain.color, place);
      // Without weak stones of the opponent near by there is no seki that playouts could blunder.
      const bool is_clear = is_alone && share <= kHopelessShare;
      Reading reading = Reading::kUnknown;
      if (is_readable && !is_clear) {
        reading = read_chain(board_, place, first_point(chain.stones, size_), options_.max_nodes);
      }
      if (reading == Reading::kUnknown) {
        reading = reading_by_share(share, is_alone ? kInvaderShare : kDeadShare);
      }
      if (reading == Reading::kCaptured) verdict_.dead |= chain.stones;
      if (reading == Reading::kUnsettled) verdict_.unsettled |= chain.stones;
    }
  }

  static Reading reading_by_share(double share, double dead_share) {
    if (share <= dead_share) return Reading::kCaptured;
    return share < kAliveShare ? Reading::kUnsettled : Reading::kSafe;
  }

  // Whether a place is the territory of safe groups of the other colour, with none but `c`'s stones
  // inside: both players passed on it, which says something about those.
  bool is_invader(Color c, const PointSet& place) const {
    const PointSet others = board_.stones(opponent(c));
    return (place & others).is_empty() && (border(size_, place) - others).is_empty();
  }

  const Board& board_;
  BoardSize size_;
  const JudgeOptions& options_;
  PointSet safe_;     // stones that need no other stones' death to live
  PointSet settled_;  // pass-alive stones and territory
  DeadStonesVerdict verdict_;
};

// A board turned, and with colours exchanged if `swaps`.
struct Image {
  Symmetry symmetry;
  std::array<PointSet, 2> stones;  // [colour]

  Image(const Board& board, Symmetry s, bool swaps)
      : symmetry(s),
        stones{s.apply(board.stones(swaps ? Color::kWhite : Color::kBlack), board.size()),
               s.apply(board.stones(swaps ? Color::kBlack : Color::kWhite), board.size())} {}
};

// The images that equal the first of all in some fixed order: several if the board is symmetrical.
std::vector<Image> first_images(const Board& board) {
  std::vector<Image> first;
  const auto order = [](const Image& image) {
    return std::tie(image.stones[0].words(), image.stones[1].words());
  };
  for (int s = 0; s < Symmetry::count(board.size()); ++s) {
    for (const bool swaps : {false, true}) {
      const Image image(board, Symmetry(s), swaps);
      if (!first.empty() && order(first[0]) < order(image)) continue;
      if (!first.empty() && order(image) < order(first[0])) first.clear();
      first.push_back(image);
    }
  }
  return first;
}

// What holds in every one of these views of the same board is dead; what only some call so is not.
DeadStonesVerdict judge_images(const Board& board, const Rules& rules,
                               const JudgeOptions& options) {
  const std::vector<Image> images = first_images(board);
  const auto& stones = images[0].stones;
  const Board image_board = *Board::from_stones(board.size(), stones[0], stones[1]);
  const DeadStonesVerdict found = Judge(image_board, rules, options).verdict();
  DeadStonesVerdict verdict = {PointSet::all(board.size()), PointSet(), found.level};
  PointSet ever_dead;
  for (const Image& image : images) {
    const Symmetry back = image.symmetry.inverse();
    verdict.dead &= back.apply(found.dead, board.size());
    ever_dead |= back.apply(found.dead, board.size());
    verdict.unsettled |= back.apply(found.unsettled, board.size());
  }
  verdict.unsettled |= ever_dead;
  verdict.unsettled -= verdict.dead;
  return verdict;
}

// The third level: an opinion on each unsettled chain, where it is firm.
void ask_ownership(DeadStonesVerdict& verdict, const Board& board, const Rules& rules,
                   OwnershipSource& source) {
  const std::vector<float> black = source.black_ownership(board, rules);
  check(std::ssize(black) == board.size().area(), "an ownership for every point");
  verdict.level = JudgeLevel::kOwnership;
  for (const Chain& chain : chains_of(board, verdict.unsettled)) {
    double sum = 0;
    chain.stones.for_each(
        [&](int i) { sum += chain.color == Color::kBlack ? black[i] : -black[i]; });
    const double mean = sum / chain.stones.count();
    if (mean <= -kSureOwnership) verdict.dead |= chain.stones;
    if (mean <= -kSureOwnership || mean >= kSureOwnership) verdict.unsettled -= chain.stones;
  }
}

}  // namespace

std::string_view name_of(JudgeLevel level) {
  switch (level) {
    case JudgeLevel::kPassAlive:
      return "pass-alive";
    case JudgeLevel::kPlayouts:
      return "playouts";
    case JudgeLevel::kOwnership:
      return "ownership";
  }
  return "unknown";
}

DeadStonesVerdict judge_dead_stones(const Board& board, const Rules& rules,
                                    const JudgeOptions& options) {
  DeadStonesVerdict verdict = judge_images(board, rules, options);
  if (options.ownership != nullptr && !verdict.unsettled.is_empty()) {
    ask_ownership(verdict, board, rules, *options.ownership);
  }
  return verdict;
}

}  // namespace tengen
