#include <array>
#include <vector>

#include "rules/board.h"
#include "rules/board_layout.h"

namespace tengen {
namespace {

// Benson's analysis of one colour on one layout. Chains and regions are bitboards; killing the
// chains that lack two vital regions repeats until nothing changes.
template <class Layout>
class Benson {
 public:
  using Bits = typename Layout::Bits;

  Benson(const Layout& board, int color, bool multi_stone_suicide)
      : own_(board.stones(color)), enemy_(board.stones(color ^ 1)) {
    if (!own_.any()) return;  // the whole board is one region of nobody's
    chains_.reserve(kExpected);
    regions_.reserve(kExpected);
    find_chains(board, color);
    find_regions(board, multi_stone_suicide);
    kill_chains();
  }

  // Of the chains that cannot be taken.
  Bits alive_stones() const { return own_.without(dead_); }
  // Regions within alive chains in which the opponent cannot live.
  Bits territory() const {
    return regions_where([](const Region& r) { return !r.touches_dead && r.is_small; });
  }
  // Regions without enemy stones within alive chains; within any chains.
  Bits safe_big() const {
    return regions_where([](const Region& r) { return !r.touches_dead && !r.has_enemy; });
  }
  Bits unsafe_big() const {
    return regions_where([](const Region& r) { return !r.has_enemy; });
  }

 private:
  struct Chain {
    Bits stones;
    Bits reach;  // the stones and all points beside them
    int vital_regions;
    bool is_dead;
  };
  struct Region {
    Bits points;
    Bits border;                           // the points and all points beside them
    std::array<std::int16_t, 4> vital_to;  // chains
    std::int8_t vital_count;
    bool is_small;  // at most one point touches no own stone
    bool has_enemy;
    bool touches_dead;
  };

  template <class Predicate>
  Bits regions_where(Predicate predicate) const {
    Bits result;
    for (const Region& r : regions_) {
      if (predicate(r)) result = result | r.points;
    }
    return result;
  }

  void find_chains(const Layout& board, int color) {
    for_each_bit(board.stones(color), [&](int p) {
      if (board.root(p) != p) return;
      const Bits stones = board.chain(p);
      chain_at_[p] = static_cast<std::int16_t>(chains_.size());
      chains_.push_back({stones, stones | Layout::dilate(stones), 0, false});
    });
  }

  void find_regions(const Layout& board, bool multi_stone_suicide) {
    const Bits others = board.points().without(own_);
    const Bits inner = others.without(Layout::dilate(own_));
    for (Bits left = board.empty(); left.any();) {
      const int start = first_bit(left);
      Region& r = regions_.emplace_back();
      r.points = Layout::spread(Bits::one(start), others);
      left = left.without(r.points);
      r.border = r.points | Layout::dilate(r.points);
      r.is_small = count_bits(r.points & inner) <= 1;
      r.has_enemy = (r.points & enemy_).any();
      r.touches_dead = false;
      r.vital_count = 0;
      // Every chain it is vital to touches its first empty point.
      const Bits needed = multi_stone_suicide ? r.points : r.points.without(enemy_);
      for_each_bit(Layout::dilate(Bits::one(start)) & own_, [&](int q) {
        const std::int16_t c = chain_at_[board.root(q)];
        for (int i = 0; i < r.vital_count; ++i) {
          if (r.vital_to[i] == c) return;
        }
        if (needed.without(chains_[c].reach).any()) return;
        r.vital_to[r.vital_count++] = c;
        ++chains_[c].vital_regions;
      });
    }
  }

  void kill_chains() {
    while (true) {
      Bits killed;
      for (Chain& chain : chains_) {
        if (chain.is_dead || chain.vital_regions >= 2) continue;
        chain.is_dead = true;
        killed = killed | chain.stones;
      }
      if (!killed.any()) return;
      dead_ = dead_ | killed;
      for (Region& r : regions_) {
        if (r.touches_dead || !(r.border & killed).any()) continue;
        r.touches_dead = true;
        for (int v = 0; v < r.vital_count; ++v) --chains_[r.vital_to[v]].vital_regions;
      }
    }
  }

  Bits own_;
  Bits enemy_;
  Bits dead_;
  std::array<std::int16_t, Layout::kPoints> chain_at_;  // by root
  std::vector<Chain> chains_;
  std::vector<Region> regions_;
  static constexpr std::size_t kExpected = 64;  // of either; more is rare
};

}  // namespace

PassAlive pass_alive(const Board& board, Color c, bool multi_stone_suicide) {
  return BoardLayout::visit(board, [&]<class Layout>(const Layout& b) {
    const Benson<Layout> benson(b, index_of(c), multi_stone_suicide);
    return PassAlive{b.to_set(benson.alive_stones()), b.to_set(benson.territory())};
  });
}

std::array<PointSet, 2> area_pass_dead_removed(const Board& board, bool multi_stone_suicide) {
  return BoardLayout::visit(board, [&]<class Layout>(const Layout& b) {
    std::array<typename Layout::Bits, 2> owned;
    for (int c = 0; c < 2; ++c) {  // white's sure points overrule black's unsure ones
      const Benson<Layout> benson(b, c, multi_stone_suicide);
      const auto sure = benson.alive_stones() | benson.territory() | benson.safe_big();
      owned[c ^ 1] = owned[c ^ 1].without(sure);
      owned[c] = sure | benson.unsafe_big().without(owned[c ^ 1]);
    }
    const auto claimed = owned[0] | owned[1];
    return std::array{b.to_set(owned[0] | b.stones(0).without(claimed)),
                      b.to_set(owned[1] | b.stones(1).without(claimed))};
  });
}

}  // namespace tengen
