// Convolutions in fp32 with the vectors that an instruction set has; compiled once for each.
#include "nn/cpu_kernels.h"
#include "rules/instruction_set.h"

namespace tengen::TENGEN_INSTRUCTION_SET {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16, kOutTiles = 2, kMaxRows = 13;  // 26 sums in 32 registers
#elif defined(__AVX2__)
constexpr int kLanes = 8, kOutTiles = 1, kMaxRows = 6;  // 12 of 16
#else
constexpr int kLanes = 4, kOutTiles = 1, kMaxRows = 3;  // 12 of 16
#endif
#ifdef __AVX512F__
#define TENGEN_VECTOR_REGISTER "v"
#else
#define TENGEN_VECTOR_REGISTER "x"
#endif
using Vector [[gnu::vector_size(kLanes * 4)]] = float;
using Unaligned [[gnu::vector_size(kLanes * 4), gnu::aligned(4), gnu::may_alias]] = float;
constexpr int kVectorsPerTile = kTileChannels / kLanes;

Vector load(const float* from) {
  return *reinterpret_cast<const Unaligned*>(from);
}
void store(float* to, Vector x) {
  *reinterpret_cast<Unaligned*>(to) = x;
}

void begin(int) {}
void end() {}

// kRows positions by kOut tiles of outputs.
template <int kRows, int kOut>
void conv_tile(const ConvJob& job, const PositionTile& tile, int out_tile) {
  constexpr int kVectors = kOut * kVectorsPerTile;
  const int first_out = out_tile * kTileChannels;
  Vector sums[kRows][kVectors] = {};
  if (job.start != nullptr) {
    const float* start = job.start + std::int64_t{tile.board} * job.start_board + first_out;
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] =
            load(start + (tile.position + r) * std::int64_t{job.start_position} + v * kLanes);
      }
    }
  }
  const std::int64_t stride = job.in_stride / 4;
  const auto* in = static_cast<const float*>(job.in) + tile.position * stride;
  const std::int64_t out_tile_weights =
      std::int64_t{job.tap_count} * job.in_blocks * 16 * kTileChannels;
  const auto* weights = static_cast<const float*>(job.weights) + out_tile * out_tile_weights;
  for (int tap = 0; tap < job.tap_count; ++tap) {
    const float* x = in + job.taps[tap] / 4;
    for (int k = 0; k < job.in_blocks * 16; ++k, weights += kTileChannels, ++x) {
      Vector w[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        w[v] =
            load(weights + v / kVectorsPerTile * out_tile_weights + v % kVectorsPerTile * kLanes);
      }
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const float a = x[r * stride];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] += a * w[v];
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t position = tile.position + r;
    for (int v = 0; v < kVectors; ++v) {
      const int channel = first_out + v * kLanes;
      if (job.sum != nullptr) store(job.sum + position * job.sum_stride + channel, sums[r][v]);
      Vector y = sums[r][v] * load(job.scale + channel) + load(job.bias + channel);
      y = y < 0 ? Vector{} : y;  // what is not a number stays so
      if (job.on_board[position] == 0) y = Vector{};
      store(static_cast<float*>(job.out) + position * (job.out_stride / 4) + channel, y);
    }
  }
}

template <int kOut, int kRows = kMaxRows>
void conv_tile_of_any_rows(const ConvJob& job, const PositionTile& tile, int out_tile) {
  if (tile.rows == kRows) {
    conv_tile<kRows, kOut>(job, tile, out_tile);
  } else if constexpr (kRows > 1) {
    conv_tile_of_any_rows<kOut, kRows - 1>(job, tile, out_tile);
  }
}

void conv(const ConvJob& job) {
  int out_tile = 0;
  for (; out_tile + kOutTiles <= job.out_tiles; out_tile += kOutTiles) {
    for (int i = 0; i < job.tile_count; ++i) {
      conv_tile_of_any_rows<kOutTiles>(job, job.tiles[i], out_tile);
    }
  }
  for (; out_tile < job.out_tiles; ++out_tile) {
    for (int i = 0; i < job.tile_count; ++i) conv_tile_of_any_rows<1>(job, job.tiles[i], out_tile);
  }
}

void convert(float from, void* to) {
  __builtin_memcpy(to, &from, sizeof from);
}
float rounded(float x) {
  return x;
}

std::int64_t multiply(std::int64_t rounds) {
  constexpr int kSums = 12;
  Vector sums[kSums] = {}, a = {}, b = {};
  for (Vector& sum : sums) asm volatile("" : "+" TENGEN_VECTOR_REGISTER(sum));
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+" TENGEN_VECTOR_REGISTER(a), "+" TENGEN_VECTOR_REGISTER(b));  // unknown
#pragma GCC unroll 12
    for (Vector& sum : sums) sum = sum * a + b;
  }
  for (Vector& sum : sums) asm volatile("" : : TENGEN_VECTOR_REGISTER(sum));
  return rounds * kSums * kLanes * 2;
}

}  // namespace

extern const CpuKernels kCpuKernels;
const CpuKernels kCpuKernels = {4,     0x3F800000, 16,   1,       kMaxRows, false,
                                begin, end,        conv, convert, rounded,  multiply};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
