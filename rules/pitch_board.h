#pragma once

#include <array>
#include <cstdint>

#include "rules/bitboard.h"
#include "rules/point.h"
#include "rules/point_set.h"
#include "rules/rng.h"

namespace tengen {

// Constants of a layout: what a point adds to the record of a chain that has it as a liberty, and
// its Zobrist keys. A key depends on row, column and colour only, so that all layouts agree.
template <int kPitch>
struct PitchTables {
  static constexpr int kPoints = kPitch * (kPitch + 1) + 1;
  std::array<std::uint64_t, kPoints> unit{};
  std::array<std::array<std::uint64_t, kPoints>, 2> zobrist{};

  constexpr PitchTables() {
    for (int p = 0; p < kPoints; ++p) {
      const auto n = static_cast<std::uint64_t>(p);
      unit[p] = 1ULL << 52 | n << 32 | n * n;
      for (int c = 0; c < 2; ++c) {
        zobrist[c][p] = mix64(0x74656E67656EULL, static_cast<std::uint64_t>(p / kPitch) * 64 + c,
                              static_cast<std::uint64_t>(p % kPitch));
      }
    }
  }
};
template <int kPitch>
inline constexpr PitchTables<kPitch> kPitchTables{};

// The board proper, for boards of up to kPitch - 1 rows and columns; `Board` picks the layout.
//
// Points are numbered (row + 1) * kPitch + column: one guard column serves both sides, a guard row
// lies above and below, and a point's number is its bit. What is off the board is never empty and
// never a stone.
//
// Each chain has a root (one of its stones), a circular list of its stones (`next_`) and one 64-bit
// record at the root: number, sum and sum of squares of its pseudo-liberties (a liberty counts once
// for each stone that touches it). Adding a liberty and joining chains are additions; a chain is in
// atari if and only if number * squares == sum^2 (Cauchy-Schwarz), and the liberty is sum / number.
// Empty and outer points have root 0, a dummy whose record nobody reads.
//
// `atari_` holds, for each chain in atari, those of its stones that touch the liberty. Every change
// of it lies around one point, and it makes the exact legal moves one dilation: see legal().
//
// Colours are 0 (black) and 1 (white) in here.
template <int kPitchValue, class BitsType = BitsFor<PitchTables<kPitchValue>::kPoints>>
class PitchBoard {
 public:
  using Bits = BitsType;
  static constexpr int kPitch = kPitchValue;
  static constexpr int kPoints = PitchTables<kPitch>::kPoints;

  static constexpr int point_at(int row, int column) { return (row + 1) * kPitch + column; }
  static constexpr int point_of(Point p) { return point_at(p.row(), p.column()); }
  static constexpr Point to_point(int p) { return Point::at(p / kPitch - 1, p % kPitch); }

  explicit PitchBoard(BoardSize size);
  // Replaces the stones. False, with the board unusable, if a chain has no liberty.
  bool set_up(const Bits& black, const Bits& white);

  BoardSize size() const { return size_; }
  std::uint64_t hash() const { return hash_; }
  int ko_point() const { return ko_; }  // 0: none
  const Bits& points() const { return on_; }
  const Bits& stones(int c) const { return stones_[c]; }
  // Where stones of `c` have ever stood, in this game.
  const Bits& ever(int c) const { return ever_[c]; }
  Bits empty() const { return on_.without(stones_[0] | stones_[1]); }

  static Bits dilate(const Bits& b) {
    return (b.template up<1>() | b.template down<1>()) |
           (b.template up<kPitch>() | b.template down<kPitch>());
  }
  // All points of `within` that connect to `from` through `within`, and `from`.
  static Bits spread(Bits from, const Bits& within) {
    while (true) {
      const Bits next = from | (dilate(from) & within);
      if (next == from) return from;
      from = next;
    }
  }

  // Empty points where a stone of `c` has a liberty afterwards: beside an empty point, an own chain
  // not in atari or an enemy chain in atari. Stones of a chain in atari that do not touch its
  // liberty touch no empty point at all, so they need no mark.
  Bits unsuicidal(int c) const {
    const Bits e = empty();
    return e & dilate(e | stones_[c].without(atari_) | (stones_[c ^ 1] & atari_));
  }
  // Legal but for the ko.
  Bits playable(int c, bool multi_stone_suicide, bool single_stone_suicide) const {
    Bits result = unsuicidal(c);
    if (multi_stone_suicide || single_stone_suicide) [[unlikely]] {
      const Bits joins = dilate(stones_[c]);
      if (multi_stone_suicide) result = result | (empty() & joins);
      if (single_stone_suicide) result = result | empty().without(joins);
    }
    return result;
  }
  // The ko point if it is closed to `c`.
  Bits ko(int c) const { return ko_ != 0 && ko_color_ == c ? Bits::one(ko_) : Bits(); }
  Bits legal(int c, bool multi_stone_suicide, bool single_stone_suicide) const {
    return playable(c, multi_stone_suicide, single_stone_suicide).without(ko(c));
  }
  Bits single_point_eyes(int c) const;

  int play(int p, int c);
  void pass() { ko_ = 0; }
  std::uint64_t hash_after(int p, int c) const;

  int root(int p) const { return root_[p]; }
  int next(int p) const { return next_[p]; }
  Bits chain(int p) const;
  Bits liberties(int p) const { return dilate(chain(p)) & empty(); }
  // At most this many liberties, without looking: each counts for one to four stones.
  int pseudo_liberties(int p) const { return static_cast<int>(record_[root_[p]] >> 52); }

  // Row-major sets without guards, and back: the order of the points is the same.
  PointSet to_set(const Bits& bits) const;
  Bits from_set(const PointSet& set) const;

 private:
  static constexpr std::uint64_t kCross =
      1ULL | 1ULL << (kPitch - 1) | 1ULL << (kPitch + 1) | 1ULL << (2 * kPitch);
  static constexpr std::array<int, 4> neighbours(int p) {
    return {p - kPitch, p - 1, p + 1, p + kPitch};
  }
  // Which of the four neighbours of p are in the set; bits in the order of neighbours().
  static unsigned cross(const Bits& b, int p) {
    return static_cast<unsigned>(pack_bits(b.window_at(p - kPitch), kCross));
  }

  // One liberty at most: exact for any chain, also true without any.
  static bool has_one_liberty(std::uint64_t record) {
    const std::uint64_t n = record >> 52;
    const std::uint64_t sum = (record >> 32) & 0xFFFFF;
    const std::uint64_t squares = record & 0xFFFFFFFF;
    return n * squares == sum * sum;
  }
  static int only_liberty(std::uint64_t record) {  // the sum divided by 1 ... 4
    constexpr std::array<std::uint32_t, 5> kReciprocal = {0, 65536, 32768, 21846, 16384};
    const auto sum = static_cast<std::uint32_t>((record >> 32) & 0xFFFFF);
    return static_cast<int>((sum * kReciprocal[(record >> 52) & 7]) >> 16);
  }

  // The stones of the chain `r` around the point `liberty`.
  Bits stones_around(int liberty, int r) const {
    const auto near = neighbours(liberty);
    unsigned mine = 0;
    for (int i = 0; i < 4; ++i) mine |= static_cast<unsigned>(root_[near[i]] == r) << i;
    return Bits::window(unpack_bits(mine, kCross), liberty - kPitch);
  }
  void mark_atari(int liberty, int r) { atari_ = atari_ | stones_around(liberty, r); }
  void unmark_atari(int liberty, int r) { atari_ = atari_.without(stones_around(liberty, r)); }

  int join(int r, int other);
  int remove_chain(int r, int c);

  using Id = std::conditional_t<(kPoints < 256), std::uint8_t, std::uint16_t>;
  Bits on_;
  Bits edge_;
  std::array<Bits, 2> stones_;
  Bits atari_;
  std::array<Bits, 2> ever_;
  std::uint64_t hash_;
  std::int16_t ko_ = 0;  // point that ko_color_ may not retake at once, or 0
  std::int8_t ko_color_ = 0;
  BoardSize size_;
  std::array<std::uint64_t, kPoints> record_{};
  std::array<Id, kPoints> root_{};
  std::array<Id, kPoints> next_{};
};

template <int kPitch, class Bits>
PitchBoard<kPitch, Bits>::PitchBoard(BoardSize size)
    : hash_(mix64(static_cast<std::uint64_t>(size.width), static_cast<std::uint64_t>(size.height))),
      size_(size) {
  for (int row = 0; row < size.height; ++row) {
    for (int column = 0; column < size.width; ++column) {
      const Bits bit = Bits::one(point_at(row, column));
      on_ = on_ | bit;
      if (row == 0 || column == 0 || row == size.height - 1 || column == size.width - 1) {
        edge_ = edge_ | bit;
      }
    }
  }
}

template <int kPitch, class Bits>
bool PitchBoard<kPitch, Bits>::set_up(const Bits& black, const Bits& white) {
  const auto& tables = kPitchTables<kPitch>;
  *this = PitchBoard(size_);
  stones_ = ever_ = {black, white};
  const Bits free = empty();
  bool alive = true;
  for (int c = 0; c < 2; ++c) {
    for_each_bit(stones_[c], [&](int start) {
      if (root_[start] != 0) return;
      int last = start;
      std::uint64_t record = 0;
      for_each_bit(spread(Bits::one(start), stones_[c]), [&](int p) {
        root_[p] = static_cast<Id>(start);
        next_[last] = static_cast<Id>(p);
        last = p;
        hash_ ^= tables.zobrist[c][p];
        for (const int q : neighbours(p)) record += free.has(q) ? tables.unit[q] : 0;
      });
      next_[last] = static_cast<Id>(start);
      record_[start] = record;
      alive = alive && record != 0;
      if (has_one_liberty(record) && record != 0) mark_atari(only_liberty(record), start);
    });
  }
  return alive;
}

// No enemy stone and no empty point beside it, and too few enemy diagonals to break it.
template <int kPitch, class Bits>
Bits PitchBoard<kPitch, Bits>::single_point_eyes(int c) const {
  const Bits e = empty();
  const Bits& enemy = stones_[c ^ 1];
  const Bits a = enemy.template up<kPitch + 1>();
  const Bits b = enemy.template up<kPitch - 1>();
  const Bits x = enemy.template down<kPitch + 1>();
  const Bits y = enemy.template down<kPitch - 1>();
  const Bits above = a | b;
  const Bits below = x | y;
  const Bits two = (a & b) | (x & y) | (above & below);
  return e.without(dilate(e | enemy)).without(two | ((above | below) & edge_));
}

template <int kPitch, class Bits>
int PitchBoard<kPitch, Bits>::play(int p, int c) {
  const auto& tables = kPitchTables<kPitch>;
  const auto near = neighbours(p);
  unsigned own = cross(stones_[c], p);
  const unsigned enemy = cross(stones_[c ^ 1], p);
  const unsigned free = cross(on_, p) & ~(own | enemy);
  const std::array<int, 4> chains = {root_[near[0]], root_[near[1]], root_[near[2]],
                                     root_[near[3]]};
  const std::uint64_t unit = tables.unit[p];
  std::uint64_t mine = 0;
  for (int i = 0; i < 4; ++i) record_[chains[i]] -= unit;  // the dummy takes what is no chain
  for (int i = 0; i < 4; ++i) {
    mine += tables.unit[near[i]] & -static_cast<std::uint64_t>((free >> i) & 1);
  }
  const Bits bit = Bits::one(p);
  hash_ ^= tables.zobrist[c][p];
  stones_[c] = stones_[c] | bit;
  ever_[c] = ever_[c] | bit;
  // An own chain in atari beside p had p as its liberty and is joined; an enemy one is captured.
  atari_ = atari_.without(Bits::window(kCross, p - kPitch));

  int r = p;
  if (own == 0) {
    root_[p] = next_[p] = static_cast<Id>(p);
    record_[p] = mine;
  } else {
    const int first = std::countr_zero(own);
    r = chains[first];
    root_[p] = static_cast<Id>(r);
    next_[p] = next_[r];
    next_[r] = static_cast<Id>(p);
    record_[r] += mine;
    for (own &= own - 1; own != 0; own &= own - 1) {
      const int other = root_[near[std::countr_zero(own)]];
      if (other != r) r = join(r, other);
    }
  }

  unsigned threatened = 0;
  for (int i = 0; i < 4; ++i) {
    threatened |= static_cast<unsigned>(has_one_liberty(record_[chains[i]])) << i;
  }
  int captured = 0;
  int last_captured = 0;
  for (threatened &= enemy; threatened != 0; threatened &= threatened - 1) {
    const int i = std::countr_zero(threatened);
    const std::uint64_t record = record_[chains[i]];
    if (record >> 52 != 0) {
      mark_atari(only_liberty(record), chains[i]);
    } else if (root_[near[i]] != 0) {  // else a chain that touches p twice, already gone
      last_captured = near[i];
      captured += remove_chain(chains[i], c ^ 1);
    }
  }
  ko_ = 0;
  const std::uint64_t record = record_[r];
  if (has_one_liberty(record)) {
    if (record >> 52 == 0) [[unlikely]] {
      remove_chain(r, c);  // suicide
    } else {
      mark_atari(only_liberty(record), r);
      if (captured == 1 && next_[r] == r) {
        ko_ = static_cast<std::int16_t>(last_captured);
        ko_color_ = static_cast<std::int8_t>(c ^ 1);
      }
    }
  }
  return captured;
}

// Joins two chains and returns the root, that of the chain with more pseudo-liberties: a cheap
// guess at the longer one, whose stones then need no new root.
template <int kPitch, class Bits>
int PitchBoard<kPitch, Bits>::join(int r, int other) {
  if (record_[other] > record_[r]) std::swap(r, other);
  int s = other;
  do {
    root_[s] = static_cast<Id>(r);
    s = next_[s];
  } while (s != other);
  std::swap(next_[r], next_[other]);
  record_[r] += record_[other];
  return r;
}

// Takes the chain `r` of colour `c` off and gives its points to the neighbours as liberties. A
// chain in atari that gains one is in atari no more. Returns the number of stones.
template <int kPitch, class Bits>
int PitchBoard<kPitch, Bits>::remove_chain(int r, int c) {
  const auto& tables = kPitchTables<kPitch>;
  int n = 0;
  Bits gone;
  int s = r;
  do {
    hash_ ^= tables.zobrist[c][s];
    gone = gone | Bits::one(s);
    root_[s] = 0;
    s = next_[s];
    ++n;
  } while (s != r);
  stones_[c] = stones_[c].without(gone);
  do {
    for (const int q : neighbours(s)) {
      const int g = root_[q];
      if (g == 0) continue;
      const std::uint64_t record = record_[g];
      if (record >> 52 != 0 && has_one_liberty(record)) unmark_atari(only_liberty(record), g);
      record_[g] = record + tables.unit[s];
    }
    s = next_[s];
  } while (s != r);
  return n;
}

template <int kPitch, class Bits>
std::uint64_t PitchBoard<kPitch, Bits>::hash_after(int p, int c) const {
  const auto& keys = kPitchTables<kPitch>.zobrist;
  const auto near = neighbours(p);
  std::uint64_t result = hash_ ^ keys[c][p];
  std::array<int, 4> seen{};
  int n = 0;
  // Takes the chain at q out of the hash, once.
  const auto take = [&](int q, int color) {
    const int r = root_[q];
    for (int j = 0; j < n; ++j) {
      if (seen[j] == r) return;
    }
    seen[n++] = r;
    int s = r;
    do {
      result ^= keys[color][s];
      s = next_[s];
    } while (s != r);
  };
  const unsigned own = cross(stones_[c], p);
  const unsigned enemy = cross(stones_[c ^ 1], p);
  for (int i = 0; i < 4; ++i) {
    if (((enemy >> i) & 1) != 0 && has_one_liberty(record_[root_[near[i]]])) take(near[i], c ^ 1);
  }
  if (n != 0 || cross(on_, p) != (own | enemy)) return result;
  for (int i = 0; i < 4; ++i) {
    if (((own >> i) & 1) != 0 && !has_one_liberty(record_[root_[near[i]]])) return result;
  }
  for (int i = 0; i < 4; ++i) {  // suicide
    if (((own >> i) & 1) != 0) take(near[i], c);
  }
  return result ^ keys[c][p];
}

template <int kPitch, class Bits>
Bits PitchBoard<kPitch, Bits>::chain(int p) const {
  Bits result;
  int s = p;
  do {
    result = result | Bits::one(s);
    s = next_[s];
  } while (s != p);
  return result;
}

template <int kPitch, class Bits>
PointSet PitchBoard<kPitch, Bits>::to_set(const Bits& bits) const {
  PointSet result;
  auto& words = result.words();
  int at = 0;
  for (int i = 0; i < Bits::kWords; ++i) {
    const std::uint64_t mask = on_.word(i);
    const std::uint64_t packed = pack_bits(bits.word(i), mask);
    const int shift = at & 63;
    words[at >> 6] |= packed << shift;
    const std::uint64_t carried = (packed >> 1) >> (63 - shift);
    if (carried != 0) words[(at >> 6) + 1] |= carried;
    at += std::popcount(mask);
    if (at == size_.area()) break;
  }
  return result;
}

template <int kPitch, class Bits>
Bits PitchBoard<kPitch, Bits>::from_set(const PointSet& set) const {
  const auto& words = set.words();
  std::array<std::uint64_t, Bits::kWords> result{};
  int at = 0;
  for (int i = 0; i < Bits::kWords && at < size_.area(); ++i) {
    const std::uint64_t mask = on_.word(i);
    const int shift = at & 63;
    std::uint64_t next = words[at >> 6] >> shift;
    if (shift != 0 && (at >> 6) + 1 < PointSet::kWords)
      next |= words[(at >> 6) + 1] << (64 - shift);
    result[i] = unpack_bits(next, mask);
    at += std::popcount(mask);
  }
  return Bits::from_words(result.data());
}

}  // namespace tengen
