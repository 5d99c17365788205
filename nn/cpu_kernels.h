#pragma once

#include <cstdint>

namespace tengen {

// Convolutions on the CPU, once per instruction set (nn/cpu_kernels_*.cc). Plain data only: these
// sources are compiled with flags of their own and share no code with others.
//
// Boards of one size stand one after another in an array of positions: rows of a board with one
// empty position after each, empty positions before and after the board. So a neighbour is a fixed
// number of positions away, and what is off the board is an empty position: zero. Every buffer has
// a row of channels per position. Outputs are computed in tiles of some positions by 16 channels.

inline constexpr int kTileChannels = 16;

// Some consecutive positions, all of one board.
struct PositionTile {
  std::int32_t position;  // the first
  std::int32_t rows;      // how many
  std::int32_t board;     // place among the boards
};

// out = ReLU(sum * scale + bias), zero off the board;
// sum = start + the convolution of `in`.
struct ConvJob {
  const void* in = nullptr;  // [positions][in_stride bytes]
  std::int32_t in_stride = 0;
  const std::int32_t* taps = nullptr;  // of the kernel: offsets in bytes
  std::int32_t tap_count = 0;
  std::int32_t in_blocks = 0;     // of CpuKernels::block channels
  const void* weights = nullptr;  // packed, see below
  std::int32_t out_tiles = 0;     // of 16 channels

  const PositionTile* tiles = nullptr;
  std::int32_t tile_count = 0;

  // Row of a tile's position i: start + board * start_board + (position + i) * start_position.
  const float* start = nullptr;                      // null: zero
  std::int32_t start_board = 0, start_position = 0;  // in floats

  float* sum = nullptr;  // [positions][sum_stride floats], or null: not kept
  std::int32_t sum_stride = 0;
  const float* scale = nullptr;  // [out_tiles * 16]
  const float* bias = nullptr;
  const std::uint16_t* on_board = nullptr;  // [positions] 0xFFFF, or 0
  void* out = nullptr;                      // [positions][out_stride bytes]
  std::int32_t out_stride = 0;
  bool out_is_float = false;  // floats, not the kernels' own numbers
};

struct CpuKernels {
  int bytes;          // of an activation
  std::uint32_t one;  // its bits of 1
  // Weights of an output tile follow one another: [tap][block][block / pair][16][pair].
  int block;            // channels of `in` are padded to a multiple
  int pair;             // neighbouring input channels side by side
  int max_rows;         // of a tile
  bool tiles_are_even;  // all tiles have one number of rows; the last may reach beyond the board
  // On a thread before its jobs, with the rows of even tiles, and after the last.
  void (*begin)(int tile_rows);
  void (*end)();
  void (*conv)(const ConvJob& job);
  // A number as activations and weights are, and what it is then.
  void (*convert)(float from, void* to);
  float (*rounded)(float x);
  // Multiplies registers only, for benchmarks: what no convolution can exceed. Returns the floating
  // point operations done.
  std::int64_t (*multiply)(std::int64_t rounds);
};

}  // namespace tengen
