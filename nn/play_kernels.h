#pragma once

#include <bit>
#include <cstdint>

#include "rules/point.h"

namespace tengen {

// A bf16 number as its bits: the upper half of a float's.
struct Bf16 {
  std::uint16_t bits;
};

inline float to_float(float x) {
  return x;
}
inline float to_float(Bf16 x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}
template <class T>
T from_float(float x);
template <>
inline float from_float<float>(float x) {
  return x;
}
template <>  // to nearest, ties to even; what is not a number stays so
inline Bf16 from_float<Bf16>(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
  return {static_cast<std::uint16_t>(x == x ? rounded : 0x7FC0U)};
}

// The layers between convolutions, on one row's activations [canvas * canvas, channels], for T
// float or Bf16. They pass on what is not a number.

// out = max(in, 0).
template <class T>
void relu(const T* in, T* out, int count);

// Zeroes what is off the board.
template <class T>
void clear_off_board(T* x, int channels, BoardSize size, int canvas);

// x = max(x + bias, 0), with a bias per channel.
template <class T>
void bias_relu(T* x, int cells, int channels, const float* bias);

// Per channel the mean over `area` points and the maximum of activations >= 0, both [channels].
template <class T>
void mean_and_max(const T* x, int cells, int channels, int area, float* mean, float* max);

// out[cell] = sum over channels of weight * max(x + bias, 0).
template <class T>
void bias_relu_dot(const T* x, int cells, int channels, const float* bias, const float* weight,
                   float* out);

// KataGo's factor of a board's size in pooling: (sqrt(area) - 14) / 10.
float pooling_side(int area);

}  // namespace tengen
