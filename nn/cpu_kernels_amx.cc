// Convolutions with AMX: bf16 times bf16, sums in fp32. A tile register holds 16 rows of 64 bytes;
// one instruction multiplies 16 positions by 32 channels with 32 channels by 16 outputs. A shift of
// the convolution is a shift of the address that positions are loaded from, so nothing is copied
// beforehand.
//
// Tile registers: 0 to 5 sums of up to six position tiles, 6 positions, 7 weights. Weights are
// loaded once for six products; sums of a tile wait for one another, six in turn hide it.
#include "nn/cpu_kernels.h"
#include "rules/instruction_set.h"

namespace tengen::amx {
namespace {

struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};

void begin(int tile_rows) {
  TileConfig config;
  for (int i = 0; i < 8; ++i) {
    config.row_bytes[i] = 64;
    config.rows[i] = static_cast<std::uint8_t>(i < 7 ? tile_rows : 16);
  }
  asm volatile("ldtilecfg %0" ::"m"(config));  // the intrinsic of g++ 12 forgets that it reads
}
void end() {
  _tile_release();
}

// Calls visit<i>() for i < kCount: tile registers are named by constants.
#define TENGEN_FOR_TILES(DO)      \
  if constexpr (kTiles > 0) DO(0) \
  if constexpr (kTiles > 1) DO(1) \
  if constexpr (kTiles > 2) DO(2) \
  if constexpr (kTiles > 3) DO(3) \
  if constexpr (kTiles > 4) DO(4) \
  if constexpr (kTiles > 5) DO(5)

constexpr int kMostTiles = 6;

// Some position tiles by one tile of outputs, and where their sums are.
struct Part {
  const PositionTile* tiles = nullptr;
  int count = 0;
  int out_tile = 0;
  float* to[kMostTiles] = {};
  std::int64_t to_stride = kTileChannels;  // in floats
};

void store_bf16(char* to, __m512 x) {
  const __m256bh rounded = _mm512_cvtneps_pbh(x);
  __builtin_memcpy(to, &rounded, sizeof rounded);
}

// What the next layer reads of a tile's sums.
template <bool kIsFloat>
void read_as(const ConvJob& job, const Part& part, int t) {
  const std::int64_t channel = part.out_tile * kTileChannels;
  const __m512 scale = _mm512_loadu_ps(job.scale + channel);
  const __m512 bias = _mm512_loadu_ps(job.bias + channel);
  const PositionTile& tile = part.tiles[t];
  const std::uint16_t* on_board = job.on_board + tile.position;
  const float* sum = part.to[t];
  char* out = static_cast<char*>(job.out) + tile.position * std::int64_t{job.out_stride} +
              channel * (kIsFloat ? 4 : 2);
  for (int i = 0; i < tile.rows; ++i, sum += part.to_stride, out += job.out_stride) {
    const __m512 x = _mm512_fmadd_ps(_mm512_loadu_ps(sum), scale, bias);
    // The second operand if one is not a number.
    const __m512 y = _mm512_maskz_max_ps(on_board[i], _mm512_setzero_ps(), x);
    if constexpr (kIsFloat) {
      _mm512_storeu_ps(reinterpret_cast<float*>(out), y);
    } else {
      store_bf16(out, y);
    }
  }
}

void read(const ConvJob& job, const Part& part, int tile) {
  return job.out_is_float ? read_as<true>(job, part, tile) : read_as<false>(job, part, tile);
}

// Makes a part's sums, and reads those of the part before: one tile a tap, so that the processor
// does it while it multiplies on.
template <int kTiles>
void sums(const ConvJob& job, const Part& part, const Part& before) {
  const auto in_stride = static_cast<std::int64_t>(job.in_stride);
  const char* in[kTiles];
  for (int i = 0; i < kTiles; ++i) {
    in[i] = static_cast<const char*>(job.in) + part.tiles[i].position * in_stride;
  }
  if (job.start == nullptr) {
#define ZERO(i) _tile_zero(i);
    TENGEN_FOR_TILES(ZERO)
#undef ZERO
  } else {
    const float* start = job.start + part.out_tile * kTileChannels;
    const std::int64_t stride = job.start_position * std::int64_t{sizeof(float)};
#define START(i)                                                             \
  _tile_loadd(i,                                                             \
              start + std::int64_t{part.tiles[i].board} * job.start_board +  \
                  std::int64_t{part.tiles[i].position} * job.start_position, \
              stride);
    TENGEN_FOR_TILES(START)
#undef START
  }
  const int steps = job.tap_count * job.in_blocks;
  const char* weights =
      static_cast<const char*>(job.weights) + std::int64_t{part.out_tile} * steps * 1024;
  for (int tap = 0; tap < job.tap_count; ++tap) {
    std::int64_t offset = job.taps[tap];
    for (int block = 0; block < job.in_blocks; ++block, offset += 64, weights += 1024) {
      _tile_loadd(7, weights, 64);
#define MULTIPLY(i)                            \
  {                                            \
    _tile_loadd(6, in[i] + offset, in_stride); \
    _tile_dpbf16ps(i, 6, 7);                   \
  }
      TENGEN_FOR_TILES(MULTIPLY)
#undef MULTIPLY
    }
    if (tap < before.count) read(job, before, tap);
  }
  for (int tile = job.tap_count; tile < before.count; ++tile) read(job, before, tile);
#define STORE(i) _tile_stored(i, part.to[i], part.to_stride * 4);
  TENGEN_FOR_TILES(STORE)
#undef STORE
}

void sums_of(const ConvJob& job, const Part& part, const Part& before) {
  switch (part.count) {
    case 1:
      return sums<1>(job, part, before);
    case 2:
      return sums<2>(job, part, before);
    case 3:
      return sums<3>(job, part, before);
    case 4:
      return sums<4>(job, part, before);
    case 5:
      return sums<5>(job, part, before);
    default:
      return sums<6>(job, part, before);
  }
}

void conv(const ConvJob& job) {
  alignas(64) float scratch[2][kMostTiles * 256];
  // Positions of six tiles are to stay in the first cache, beside weights that pass through.
  const int most = job.in_stride <= 128 ? kMostTiles : kMostTiles / 2;
  Part parts[2];
  int now = 0;
  for (int first = 0; first < job.tile_count; first += most) {
    const PositionTile* tiles = job.tiles + first;
    for (int out_tile = 0; out_tile < job.out_tiles; ++out_tile, now ^= 1) {
      Part& part = parts[now];
      part.tiles = tiles;
      part.count = job.tile_count - first < most ? job.tile_count - first : most;
      part.out_tile = out_tile;
      if (job.sum != nullptr) part.to_stride = job.sum_stride;
      for (int i = 0; i < part.count; ++i) {
        part.to[i] = job.sum != nullptr
                         ? job.sum + tiles[i].position * part.to_stride + out_tile * kTileChannels
                         : scratch[now] + i * 256;
      }
      sums_of(job, part, parts[now ^ 1]);
    }
  }
  const Part& last = parts[now ^ 1];
  for (int tile = 0; tile < last.count; ++tile) read(job, last, tile);
}

void convert(float from, void* to) {
  const __m128bh bits = _mm_cvtneps_pbh(_mm_set_ss(from));
  __builtin_memcpy(to, &bits, 2);
}
float rounded(float x) {
  std::uint32_t bits = 0;  // bf16 is the upper half of a float
  convert(x, reinterpret_cast<char*>(&bits) + 2);
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

std::int64_t multiply(std::int64_t rounds) {
  constexpr int kTiles = 6;
  begin(16);
#define ZERO(i) _tile_zero(i);
  TENGEN_FOR_TILES(ZERO)
  ZERO(6)
  ZERO(7)
#undef ZERO
  for (std::int64_t round = 0; round < rounds; ++round) {
#define MULTIPLY(i) _tile_dpbf16ps(i, 6, 7);
    TENGEN_FOR_TILES(MULTIPLY)
#undef MULTIPLY
  }
  end();
  return rounds * kTiles * 16 * 16 * 32 * 2;
}

}  // namespace

extern const CpuKernels kCpuKernels;
const CpuKernels kCpuKernels = {2,     0x3F80, 32,   2,       16,      true,
                                begin, end,    conv, convert, rounded, multiply};

}  // namespace tengen::amx
