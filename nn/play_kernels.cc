#include "nn/play_kernels.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

// Written so that what is not a number stays: it is not < 0.
float relu_of(float x) {
  return x < 0 ? 0.F : x;
}

}  // namespace

template <class T>
void relu(const T* in, T* out, int count) {
  for (int i = 0; i < count; ++i) out[i] = relu_of(in[i]);
}
// On bits: negative numbers are 0x8000 (-0) ... 0xFF80 (-infinity).
template <>
void relu<Bf16>(const Bf16* in, Bf16* out, int count) {
  for (int i = 0; i < count; ++i) {
    const std::uint16_t bits = in[i].bits;
    out[i].bits = bits >= 0x8000U && bits <= 0xFF80U ? std::uint16_t{0} : bits;
  }
}

template <class T>
void clear_off_board(T* x, int channels, BoardSize size, int canvas) {
  const int columns = canvas - size.width;
  for (int row = 0; row < size.height && columns > 0; ++row) {
    std::fill_n(x + (row * canvas + size.width) * channels, columns * channels, T{});
  }
  std::fill_n(x + size.height * canvas * channels, (canvas - size.height) * canvas * channels, T{});
}

template <class T>
void bias_relu(T* x, int cells, int channels, const float* bias) {
  for (int cell = 0; cell < cells; ++cell, x += channels) {
    for (int c = 0; c < channels; ++c) x[c] = from_float<T>(relu_of(to_float(x[c]) + bias[c]));
  }
}

template <class T>
void mean_and_max(const T* x, int cells, int channels, int area, float* mean, float* max) {
  std::fill_n(mean, channels, 0.F);
  std::fill_n(max, channels, 0.F);
  for (int cell = 0; cell < cells; ++cell, x += channels) {
    for (int c = 0; c < channels; ++c) {
      const float v = to_float(x[c]);
      mean[c] += v;
      max[c] = max[c] > v ? max[c] : v;
    }
  }
  for (int c = 0; c < channels; ++c) mean[c] /= static_cast<float>(area);
}

template <class T>
void bias_relu_dot(const T* x, int cells, int channels, const float* bias, const float* weight,
                   float* out) {
  for (int cell = 0; cell < cells; ++cell, x += channels) {
    // Sixteen sums, so that the loop fills a vector without reordering a single sum.
    float sums[16] = {};
    int c = 0;
    for (; c + 16 <= channels; c += 16) {
      for (int i = 0; i < 16; ++i) {
        sums[i] += weight[c + i] * relu_of(to_float(x[c + i]) + bias[c + i]);
      }
    }
    for (int i = 0; c + i < channels; ++i) {
      sums[i] += weight[c + i] * relu_of(to_float(x[c + i]) + bias[c + i]);
    }
    float sum = 0;
    for (const float s : sums) sum += s;
    out[cell] = sum;
  }
}

float pooling_side(int area) {
  return (std::sqrt(static_cast<float>(area)) - 14.F) / 10.F;
}

template void relu(const float*, float*, int);
template void clear_off_board(float*, int, BoardSize, int);
template void clear_off_board(Bf16*, int, BoardSize, int);
template void bias_relu(float*, int, int, const float*);
template void bias_relu(Bf16*, int, int, const float*);
template void mean_and_max(const float*, int, int, int, float*, float*);
template void mean_and_max(const Bf16*, int, int, int, float*, float*);
template void bias_relu_dot(const float*, int, int, const float*, const float*, float*);
template void bias_relu_dot(const Bf16*, int, int, const float*, const float*, float*);

}  // namespace tengen
