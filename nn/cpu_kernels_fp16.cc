// Convolutions with AVX512-FP16: products and short sums in fp16, long ones in fp32.
//
// A register holds 16 outputs with two sums each: over the even input channels and over the odd
// ones. So a pair of channels is broadcast, which costs no more than the load, and what an fp16 sum
// has to add up is half as long.
#include "nn/cpu_kernels.h"
#include "rules/instruction_set.h"

namespace tengen::fp16 {
namespace {

constexpr int kMaxRows = 13;    // with two tiles of outputs 26 sums in 32 registers
constexpr int kTapsInFp16 = 3;  // that an fp16 sum adds up
constexpr int kBlock = 32;

void begin(int) {}
void end() {}

__m512 to_float(__m256i halves) {
  return _mm512_cvtph_ps(halves);
}
// Of each output the two sums.
__m512 added_up(__m512h sums) {
  const __m512i bits = _mm512_castph_si512(sums);
  return _mm512_add_ps(to_float(_mm512_cvtepi32_epi16(bits)),
                       to_float(_mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16))));
}

// kRows positions by kOut tiles of outputs.
template <int kRows, int kOut>
void conv_tile(const ConvJob& job, const PositionTile& tile, int out_tile) {
  const int first_out = out_tile * kTileChannels;
  __m512 long_sums[kRows][kOut];
  const float* start = job.start == nullptr
                           ? nullptr
                           : job.start + std::int64_t{tile.board} * job.start_board + first_out;
  for (int r = 0; r < kRows; ++r) {
    for (int t = 0; t < kOut; ++t) {
      long_sums[r][t] =
          start == nullptr
              ? _mm512_setzero_ps()
              : _mm512_loadu_ps(start + (tile.position + r) * std::int64_t{job.start_position} +
                                t * kTileChannels);
    }
  }
  const std::int64_t stride = job.in_stride;
  const char* in = static_cast<const char*>(job.in) + tile.position * stride;
  const std::int64_t tile_bytes = std::int64_t{job.tap_count} * job.in_blocks * kBlock * 32;
  const char* weights = static_cast<const char*>(job.weights) + out_tile * tile_bytes;
  for (int first = 0; first < job.tap_count; first += kTapsInFp16) {
    __m512h sums[kRows][kOut];
    for (int r = 0; r < kRows; ++r) {
      for (int t = 0; t < kOut; ++t) sums[r][t] = _mm512_setzero_ph();
    }
    const int last = first + kTapsInFp16 < job.tap_count ? first + kTapsInFp16 : job.tap_count;
    for (int tap = first; tap < last; ++tap) {
      const char* x = in + job.taps[tap];
      for (int pair = 0; pair < job.in_blocks * kBlock / 2; ++pair, weights += 64, x += 4) {
        __m512h w[kOut];
        for (int t = 0; t < kOut; ++t) w[t] = _mm512_loadu_ph(weights + t * tile_bytes);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
          int two;
          __builtin_memcpy(&two, x + r * stride, sizeof two);
          const __m512h a = _mm512_castsi512_ph(_mm512_set1_epi32(two));
#pragma GCC unroll 2
          for (int t = 0; t < kOut; ++t) sums[r][t] = _mm512_fmadd_ph(a, w[t], sums[r][t]);
        }
      }
    }
    for (int r = 0; r < kRows; ++r) {
      for (int t = 0; t < kOut; ++t) {
        long_sums[r][t] = _mm512_add_ps(long_sums[r][t], added_up(sums[r][t]));
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t position = tile.position + r;
    for (int t = 0; t < kOut; ++t) {
      const int channel = first_out + t * kTileChannels;
      const __m512 sum = long_sums[r][t];
      if (job.sum != nullptr) _mm512_storeu_ps(job.sum + position * job.sum_stride + channel, sum);
      const __m512 y = _mm512_maskz_max_ps(  // the second operand if one is not a number
          job.on_board[position], _mm512_setzero_ps(),
          _mm512_fmadd_ps(sum, _mm512_loadu_ps(job.scale + channel),
                          _mm512_loadu_ps(job.bias + channel)));
      char* out = static_cast<char*>(job.out) + position * job.out_stride;
      if (job.out_is_float) {
        _mm512_storeu_ps(reinterpret_cast<float*>(out) + channel, y);
      } else {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + channel * 2),
                            _mm512_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT));
      }
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
  for (; out_tile + 2 <= job.out_tiles; out_tile += 2) {
    for (int i = 0; i < job.tile_count; ++i) conv_tile_of_any_rows<2>(job, job.tiles[i], out_tile);
  }
  for (; out_tile < job.out_tiles; ++out_tile) {
    for (int i = 0; i < job.tile_count; ++i) conv_tile_of_any_rows<1>(job, job.tiles[i], out_tile);
  }
}

void convert(float from, void* to) {
  const std::uint16_t bits = _cvtss_sh(from, _MM_FROUND_TO_NEAREST_INT);
  __builtin_memcpy(to, &bits, sizeof bits);
}
float rounded(float x) {
  return _cvtsh_ss(_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT));
}

std::int64_t multiply(std::int64_t rounds) {
  constexpr int kSums = 12;
  __m512h sums[kSums];
  for (__m512h& sum : sums) {
    sum = _mm512_setzero_ph();
    asm volatile("" : "+v"(sum));  // not known to the compiler
  }
  __m512h a = _mm512_setzero_ph();
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(a));
#pragma GCC unroll 12
    for (__m512h& sum : sums) sum = _mm512_fmadd_ph(a, a, sum);
  }
  for (__m512h& sum : sums) asm volatile("" : : "v"(sum));
  return rounds * kSums * 32 * 2;
}

}  // namespace

extern const CpuKernels kCpuKernels;
const CpuKernels kCpuKernels = {2,     0x3C00, kBlock, 2,       kMaxRows, false,
                                begin, end,    conv,   convert, rounded,  multiply};

}  // namespace tengen::fp16
