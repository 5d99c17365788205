// The board's code for one instruction set; compiled once for each, see rules/CMakeLists.txt.

#include "rules/benson.h"
#include "rules/engine.h"
#include "rules/ladder_boards.h"
#include "rules/pitch_board.h"
#include "rules/random_moves.h"

namespace tengen::TENGEN_INSTRUCTION_SET {
namespace {

Suicide suicide_of(SuicideRule rule) {
  return {rule.multi_stone, rule.single_stone};
}

template <int kPitch>
struct Functions {
  using Board = PitchBoard<kPitch>;
  using State = typename Board::State;
  using Bits = typename Board::Bits;
  using Moves = RandomMoves<kPitch>;

  static bool set_up(State& s, const PointSet& black, const PointSet& white) {
    return Board::set_up(s, Board::from_set(s, black), Board::from_set(s, white));
  }
  static int play(State& s, int p, int c) { return Board::play(s, p, c); }
  static std::uint64_t hash_after(const State& s, int p, int c) {
    return Board::hash_after(s, p, c);
  }
  static PointSet stones(const State& s, int c) { return Board::to_set(s, Board::stones(s, c)); }
  static PointSet empty(const State& s) { return Board::to_set(s, Board::empty(s)); }
  static PointSet chain(const State& s, int p) {
    return Board::to_set(s, Board::chain(s, s.root[p]));
  }
  static PointSet liberties(const State& s, int p) {
    return Board::to_set(s, Board::dilate(Board::chain(s, s.root[p])) & Board::empty(s));
  }
  static PointSet single_point_eyes(const State& s, int c) {
    return Board::to_set(s, Board::empty(s).without(Board::no_single_point_eyes(s, c)));
  }

  static constexpr int kMaxCounted = 3;  // liberties that planes tell apart

  // Adds the stones that have no own stone beside them to found[number of liberties - 1] and
  // returns them. All are counted at once, by adding the bits of the four neighbours.
  static Bits count_lone_stones(const State& s, int c, std::array<Bits, kMaxCounted>& found) {
    const Bits own = Board::stones(s, c);
    const Bits lone = own.without(Board::dilate(own));
    const Bits free = Board::empty(s);
    const Bits left = free.template up<1>();
    const Bits right = free.template down<1>();
    const Bits above = free.template up<kPitch>();
    const Bits below = free.template down<kPitch>();
    const auto differ = [](const Bits& a, const Bits& b) { return (a | b).without(a & b); };
    const Bits sides = differ(left, right);
    const Bits ends = differ(above, below);
    const Bits odd = differ(sides, ends);  // one or three
    const Bits pairs = (left & right) | (above & below);
    const Bits four = left & right & above & below;
    const Bits two_or_more = pairs | (sides & ends);
    found[0] = found[0] | (lone & odd).without(two_or_more);
    found[1] = found[1] | (lone & two_or_more).without(odd | four);
    found[2] = found[2] | (lone & odd & two_or_more);
    return lone;
  }

  static std::array<PointSet, 3> stones_by_liberties(const State& s) {
    constexpr int kMaxPseudo = 4 * kMaxCounted;  // a liberty counts for four stones at most
    std::array<Bits, kMaxCounted> found;
    const Bits lone = count_lone_stones(s, 0, found) | count_lone_stones(s, 1, found);
    const Bits free = Board::empty(s);
    for_each_bit((Board::stones(s, 0) | Board::stones(s, 1)).without(lone), [&](int p) {
      if (s.root[p] != p || Board::pseudo_liberties(s, p) > kMaxPseudo) return;
      const Bits chain = Board::chain(s, p);
      const int n = count_bits(Board::dilate(chain) & free);
      if (n <= kMaxCounted) found[n - 1] = found[n - 1] | chain;
    });
    return {Board::to_set(s, found[0]), Board::to_set(s, found[1]), Board::to_set(s, found[2])};
  }

  static PointSet legal(const State& s, int c, SuicideRule rule, const Past& past) {
    const Bits legal = Board::legal(s, c, suicide_of(rule));
    return Board::to_set(s, legal.without(Board::repetitions(s, legal, c, suicide_of(rule), past)));
  }
  static PointSet ko_banned(const State& s, int c, SuicideRule rule, const Past& past) {
    const Bits playable = Board::playable(s, c, suicide_of(rule));
    const Bits simple = playable & Board::ko(s, c);
    return Board::to_set(
        s, simple | Board::repetitions(s, playable.without(simple), c, suicide_of(rule), past));
  }
  static bool is_legal(const State& s, int p, int c, SuicideRule rule, const Past& past) {
    return Board::has(Board::legal(s, c, suicide_of(rule)).words(), p) &&
           !Board::is_repetition(s, p, c, suicide_of(rule), past);
  }

  static std::array<PointSet, 2> area(const State& s) {
    const Bits free = Board::empty(s);
    const Bits black = Board::spread(Board::stones(s, 0), free);
    const Bits white = Board::spread(Board::stones(s, 1), free);
    return {Board::to_set(s, black.without(white)), Board::to_set(s, white.without(black))};
  }
  static std::array<PointSet, 2> alive(const State& s, int c, bool multi_stone_suicide) {
    const Benson<kPitch> benson(s, c, multi_stone_suicide);
    return {Board::to_set(s, benson.alive_stones()), Board::to_set(s, benson.territory())};
  }
  static std::array<PointSet, 2> area_without_dead(const State& s, bool multi_stone_suicide) {
    std::array<Bits, 2> owned;
    for (int c = 0; c < 2; ++c) {  // white's sure points overrule black's unsure ones
      const Benson<kPitch> benson(s, c, multi_stone_suicide);
      const Bits sure = benson.alive_stones() | benson.territory() | benson.safe_big();
      owned[c ^ 1] = owned[c ^ 1].without(sure);
      owned[c] = sure | benson.unsafe_big().without(owned[c ^ 1]);
    }
    const Bits claimed = owned[0] | owned[1];
    return {Board::to_set(s, owned[0] | Board::stones(s, 0).without(claimed)),
            Board::to_set(s, owned[1] | Board::stones(s, 1).without(claimed))};
  }

  static void planes(const State& s, const PlaneInputs& in,
                     std::array<PointSet, kInputPlanes>& planes) {
    planes = {};
    planes[0] = Board::to_set(s, Board::on_board(s));
    planes[1] = stones(s, in.to_move);
    planes[2] = stones(s, in.to_move ^ 1);
    const auto by_liberties = stones_by_liberties(s);
    for (int i = 0; i < 3; ++i) planes[3 + i] = by_liberties[i];
    planes[6] = ko_banned(s, in.to_move, in.suicide, in.past);
    for (int back = 0; back < in.shown_moves; ++back) {
      const int p = in.recent[(in.ply - 1 - back) & 7];
      if (p != 0) planes[9 + back].insert(s.shape->size.index(Layout<kPitch>::to_point(p)));
    }
    if (in.has_area) {
      const auto owned = area_without_dead(s, in.suicide.multi_stone);
      planes[18] = owned[in.to_move];
      planes[19] = owned[in.to_move ^ 1];
    }
  }
  static void ladders(const State& s, const LadderInputs& in, LadderSets& out) {
    LadderBoards<kPitch>::read(s, in, out);
  }
  static void to_floats(const std::array<PointSet, kInputPlanes>& planes, BoardSize size,
                        int height, int width, float* out) {
    for (const PointSet& plane : planes) {
      const auto& words = plane.words();
      for (int row = 0; row < height; ++row, out += width) {
        const int at = row * size.width;
        std::uint64_t bits = 0;
        if (row < size.height) {
          bits = words[at >> 6] >> (at & 63);
          if ((at >> 6) + 1 < PointSet::kWords)
            bits |= (words[(at >> 6) + 1] << 1) << (63 - (at & 63));
          bits &= (1ULL << size.width) - 1;
        }
        const auto low = static_cast<std::uint32_t>(bits);
        for (int column = 0; column < width; ++column) {
          out[column] = static_cast<float>((low >> column) & 1);
        }
      }
    }
  }
  static int random_move(const RandomLane& lane, Rng& rng) { return Moves::draw(lane, rng); }
  static void random_moves_of_two(RandomLane& a, RandomLane& b) { Moves::play_two(a, b); }
  static void random_moves(RandomLane& lane) { Moves::play(lane); }
  static void random_step(RandomLane& lane, PointSet& legal) { Moves::step(lane, legal); }
  static void random_step_of_two(RandomLane& a, RandomLane& b, PointSet& legal_of_a,
                                 PointSet& legal_of_b) {
    Moves::step_two(a, b, legal_of_a, legal_of_b);
  }

  static constexpr PitchEngine<kPitch> table() {
    return {set_up,
            play,
            hash_after,
            stones,
            empty,
            chain,
            liberties,
            single_point_eyes,
            stones_by_liberties,
            legal,
            ko_banned,
            is_legal,
            area,
            alive,
            area_without_dead,
            planes,
            ladders,
            to_floats,
            random_move,
            random_moves_of_two,
            random_moves,
            random_step,
            random_step_of_two};
  }
};

}  // namespace

extern const Engine kEngine;
constinit const Engine kEngine = {Functions<10>::table(), Functions<14>::table(),
                                  Functions<20>::table()};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
