#include "rules/dead_stones.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "rules/check.h"
#include "rules/ko_shape.h"
#include "rules/local_reading.h"
#include "rules/neighbours.h"
#include "rules/owner_shares.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

constexpr std::array kColors = {Color::kBlack, Color::kWhite};

constexpr double kOwnedShare = 0.55;     // of playouts: a point is more its owner's than not
constexpr double kEyeShare = 0.85;       // it is an eye in nearly all of them
constexpr int kWideRoom = 7;             // empty points: no nakade fills it
constexpr double kHopelessShare = 0.25;  // a chain alone in the opponent's territory: not read
constexpr double kSureOwnership = 0.5;   // of a network, mean over a chain

// Of playouts in which a chain survives that was not read out: dead up to the one share, alive from
// the other.
struct Shares {
  double dead;
  double alive;
};
constexpr Shares kInvader = {0.6, 0.7};  // alone in the opponent's territory: both passed on it
constexpr Shares kFighter = {0.3, 0.7};  // in a place too large to read
constexpr Shares kGivenUp = {0.1, 0.9};  // in a small one that is too much to read: a seki, a ko?

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
    const OwnerShares playouts(board_, options_.playouts);
    for (const Color c : kColors) add_safe_groups(playouts, c);
    for_each_part(size_, PointSet::all(size_) - settled_ - safe_,
                  [&](const PointSet& place) { judge_place(place, playouts); });
    return verdict_;
  }

 private:
  PointSet stones() const { return board_.stones(Color::kBlack) | board_.stones(Color::kWhite); }

  // Groups that keep two eyes, or a room in which the opponent can hardly prevent them. A group is
  // what own stones and owned empty points connect; stones in atari are cut off too easily.
  void add_safe_groups(const OwnerShares& playouts, Color c) {
    PointSet owned, eyes;
    board_.empty().for_each([&](int i) {
      if (playouts.of(i, c) >= kOwnedShare) owned.insert(i);
      if (playouts.of(i, c) >= kEyeShare) eyes.insert(i);
    });
    const PointSet own = board_.stones(c) - board_.stones_by_liberties()[0];
    own.for_each([&](int i) {
      if (playouts.of(i, c) >= kOwnedShare) owned.insert(i);
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
  void judge_place(const PointSet& place, const OwnerShares& playouts) {
    const bool is_readable = (place & board_.empty()).count() <= options_.max_readable;
    PointSet captured;
    for (const Chain& chain : chains_of(board_, place)) {
      const double share = playouts.mean(chain.stones, chain.color);
      const bool is_alone = is_invader(chain.color, place);
      // Without weak stones of the opponent near by there is no seki that playouts could blunder.
      const bool is_clear = is_alone && share <= kHopelessShare;
      Reading reading = Reading::kUnknown;
      if (is_readable && !is_clear) {
        reading = read_chain(board_, place, first_point(chain.stones, size_), options_.max_nodes);
      }
      if (reading == Reading::kUnknown) {
        reading = reading_by_share(share, is_alone ? kInvader : is_readable ? kGivenUp : kFighter);
      }
      if (reading == Reading::kCaptured) captured |= chain.stones;
      if (reading == Reading::kUnsettled) verdict_.unsettled |= chain.stones;
    }
    const PointSet doubtful = doubtful_captures(captured);
    verdict_.dead |= captured - doubtful;
    verdict_.unsettled |= doubtful;
  }

  // What reading chain by chain gets wrong: chains of which no captor lives, and stones in a ko by
  // which living ones stay out of atari, as in a double ko seki.
  PointSet doubtful_captures(const PointSet& captured) const {
    PointSet doubtful;
    for (const Chain& chain : chains_of(board_, captured)) {
      const PointSet captors = border(size_, chain.stones) & board_.stones(opponent(chain.color));
      const bool has_living_captor = captors.is_empty() || !(captors - captured).is_empty();
      if (!has_living_captor || is_ko_of_living(chain, captured)) doubtful |= chain.stones;
    }
    return doubtful;
  }

  bool is_ko_of_living(const Chain& chain, const PointSet& captured) const {
    const PointSet liberties = border(size_, chain.stones) & board_.empty();
    if (chain.stones.count() != 1 || liberties.count() != 1) return false;
    const Point taking = first_point(liberties, size_);
    const PointSet own = border(size_, liberties) - chain.stones;
    return ko_capture(board_, taking, opponent(chain.color)) && !(own - captured).is_empty();
  }

  static Reading reading_by_share(double share, const Shares& shares) {
    if (share <= shares.dead) return Reading::kCaptured;
    return share < shares.alive ? Reading::kUnsettled : Reading::kSafe;
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
