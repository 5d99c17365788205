#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rules/point.h"
#include "rules/rng.h"

// What one game's board is in memory: plain data, the same bytes whichever instruction set works on
// them. A layout is named by its pitch, the length of a row with its guard column: 10 for boards up
// to 9x9, 14 up to 13x13, 20 up to 19x19.
//
// Points are numbered (row + 1) * pitch + column: one guard column serves both sides, a guard row
// lies above and below, and a point's number is its bit. What is off the board is never empty and
// never a stone. Colours are 0 (black) and 1 (white).
namespace tengen {

inline constexpr int pitch_for(BoardSize size) {
  const int longer = size.width > size.height ? size.width : size.height;
  return longer <= 9 ? 10 : longer <= 13 ? 14 : 20;
}

template <int kPitchValue>
struct Layout {
  static constexpr int kPitch = kPitchValue;
  static constexpr int kPoints = kPitch * (kPitch + 1) + 1;
  static constexpr int kWords = kPoints <= 128 ? 2 : kPoints <= 256 ? 4 : 8;  // a register's worth
  using Words = std::array<std::uint64_t, kWords>;
  // The root of a chain, as a point.
  using Root = std::conditional_t<(kPoints < 256), std::uint8_t, std::uint16_t>;
  // Whole cache lines, so that all roots can be compared and replaced by full registers.
  static constexpr int kRootBytes = (kPoints * static_cast<int>(sizeof(Root)) + 63) / 64 * 64;
  static constexpr int kRoots = kRootBytes / static_cast<int>(sizeof(Root));

  static constexpr int point_at(int row, int column) { return (row + 1) * kPitch + column; }
  static constexpr int point_of(Point p) { return point_at(p.row(), p.column()); }
  static constexpr Point to_point(int p) { return Point::at(p / kPitch - 1, p % kPitch); }
};

// The points of boards of one size within a layout.
template <int kPitch>
struct Shape {
  alignas(64) typename Layout<kPitch>::Words on{};
  typename Layout<kPitch>::Words edge{};
  BoardSize size;
};
// Lives as long as the program. Requires a valid size of this pitch.
template <int kPitch>
const Shape<kPitch>& shape_of(BoardSize size);

// Each chain has a root (one of its stones) and one 64-bit record at the root: number (12 bits),
// sum (20) and sum of squares (32) of its pseudo-liberties (a liberty counts once for each stone
// that touches it). Adding a liberty and joining chains are additions; a chain is in atari if and
// only if number * squares == sum^2 (Cauchy-Schwarz), and the liberty is sum / number. Empty and
// outer points have root 0, a dummy whose record nobody reads.
template <int kPitch>
struct BoardState {
  using L = Layout<kPitch>;
  using Words = typename L::Words;
  alignas(64) std::array<Words, 2> stones{};
  // For each chain in atari, those of its stones that touch the liberty.
  Words atari{};
  std::array<Words, 2> ever{};  // where stones of a colour have ever stood, in this game
  std::uint64_t hash = 0;
  const Shape<kPitch>* shape = nullptr;
  std::int16_t ko = 0;  // point that ko_color may not retake at once, or 0
  std::int8_t ko_color = 0;
  std::int16_t last = 0;              // the point played last
  std::uint64_t ever_before = ~0ULL;  // the word of `ever` that holds its bit, before that play
  std::array<std::uint64_t, kPitch * kPitch> record{};  // by root: no root lies in the last row
  alignas(64) std::array<typename L::Root, L::kRoots> root{};

  explicit BoardState(BoardSize size)
      : hash(
            mix64(static_cast<std::uint64_t>(size.width), static_cast<std::uint64_t>(size.height))),
        shape(&shape_of<kPitch>(size)) {}
};

// Constants of a layout: what a point adds to the record of a chain that has it as a liberty, and
// its Zobrist keys. A key depends on row, column and colour only, so that all layouts agree.
template <int kPitch>
struct PitchTables {
  static constexpr int kPoints = Layout<kPitch>::kPoints;
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

}  // namespace tengen
