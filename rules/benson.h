#pragma once

#include <array>
#include <cstdint>

#include "rules/pitch_board.h"

namespace tengen::TENGEN_INSTRUCTION_SET {

// Benson's analysis of one colour. Chains and regions are sets of points; killing the chains that
// lack two vital regions repeats until nothing changes.
template <int kPitch>
class Benson {
 public:
  using Board = PitchBoard<kPitch>;
  using State = typename Board::State;
  using Bits = typename Board::Bits;

  Benson(const State& state, int color, bool multi_stone_suicide)
      : own_(Board::stones(state, color)), enemy_(Board::stones(state, color ^ 1)) {
    if (!own_.any()) return;  // the whole board is one region of nobody's
    find_regions(state, multi_stone_suicide);
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
  static constexpr int kPoints = Board::L::kPoints;
  using Words = typename Board::Words;
  // Sets are kept as words, which nobody sets to zero first.
  struct Chain {
    Words stones;
    Words reach;  // the stones and all points beside them
    int vital_regions;
    bool is_dead;
  };
  struct Region {
    Words points;
    Words border;                          // the points and all points beside them
    std::array<std::int16_t, 4> vital_to;  // chains
    std::int8_t vital_count;
    bool is_small;  // at most one point touches no own stone
    bool has_enemy;
    bool touches_dead;
  };

  template <class Predicate>
  Bits regions_where(Predicate predicate) const {
    Bits result;
    for (int i = 0; i < region_count_; ++i) {
      if (predicate(regions_[i])) result = result | Bits::load(regions_[i].points);
    }
    return result;
  }

  // The number of the chain with this root; only chains that some region may be vital to are made.
  int chain_at(const State& state, int root) {
    if (chain_at_[root] == 0) {
      Chain& chain = chains_[chain_count_++];
      const Bits stones = Board::chain(state, root);
      stones.store(chain.stones);
      (stones | Board::dilate(stones)).store(chain.reach);
      chain.vital_regions = 0;
      chain.is_dead = false;
      chain_at_[root] = static_cast<std::int16_t>(chain_count_);
    }
    return chain_at_[root] - 1;
  }

  void find_regions(const State& state, bool multi_stone_suicide) {
    const Bits others = Board::on_board(state).without(own_);
    const Bits inner = others.without(Board::dilate(own_));
    for (Bits left = Board::empty(state); left.any();) {
      const int start = first_bit(left);
      Region& r = regions_[region_count_++];
      const Bits points = Board::spread(Bits::one(start), others);
      left = left.without(points);
      points.store(r.points);
      (points | Board::dilate(points)).store(r.border);
      r.is_small = count_bits(points & inner) <= 1;
      r.has_enemy = (points & enemy_).any();
      r.touches_dead = false;
      r.vital_count = 0;
      // Every chain it is vital to touches its first empty point.
      const Bits needed = multi_stone_suicide ? points : points.without(enemy_);
      for_each_bit(Board::dilate(Bits::one(start)) & own_, [&](int q) {
        const int c = chain_at(state, state.root[q]);
        for (int i = 0; i < r.vital_count; ++i) {
          if (r.vital_to[i] == c) return;
        }
        if (needed.without(Bits::load(chains_[c].reach)).any()) return;
        r.vital_to[r.vital_count++] = static_cast<std::int16_t>(c);
        ++chains_[c].vital_regions;
      });
    }
  }

  void kill_chains() {
    // Chains that were not made touch no region's first point: nothing is vital to them.
    Bits known;
    for (int i = 0; i < chain_count_; ++i) known = known | Bits::load(chains_[i].stones);
    Bits killed = own_.without(known);
    while (true) {
      for (int i = 0; i < chain_count_; ++i) {
        Chain& chain = chains_[i];
        if (chain.is_dead || chain.vital_regions >= 2) continue;
        chain.is_dead = true;
        killed = killed | Bits::load(chain.stones);
      }
      if (!killed.any()) return;
      dead_ = dead_ | killed;
      for (int i = 0; i < region_count_; ++i) {
        Region& r = regions_[i];
        if (r.touches_dead || !(Bits::load(r.border) & killed).any()) continue;
        r.touches_dead = true;
        for (int v = 0; v < r.vital_count; ++v) --chains_[r.vital_to[v]].vital_regions;
      }
      killed = Bits();
    }
  }

  Bits own_;
  Bits enemy_;
  Bits dead_;
  int chain_count_ = 0;
  int region_count_ = 0;
  std::array<std::int16_t, kPoints> chain_at_{};  // 1 + its number, by root
  // Every chain and every region takes a point, and they alternate on the board at best.
  std::array<Chain, kPoints> chains_;
  std::array<Region, kPoints> regions_;
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
