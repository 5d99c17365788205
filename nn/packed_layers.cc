#include "nn/packed_layers.h"

#include <algorithm>
#include <cstring>

#include "rules/check.h"

namespace tengen {

AlignedBytes::AlignedBytes(std::size_t size) : size_((size + 63) / 64 * 64) {
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(64, std::max<std::size_t>(size_, 64))));
  check(data_ != nullptr, "there is memory");
  clear();
}
void AlignedBytes::clear() {
  std::memset(data_.get(), 0, size_);
}

PackedConv::PackedConv(const ConvLayer& layer, const CpuKernels& kernels, bool fine)
    : height(layer.height),
      width(layer.width),
      passes(fine && kernels.bytes < 4 ? 2 : 1),
      in_blocks(parts_of(layer.in, kernels.block)),
      out_tiles(parts_of(layer.out, kTileChannels)) {
  const int taps = height * width, in_padded = in_blocks * kernels.block, pair = kernels.pair;
  const std::size_t tap_weights = std::size_t(in_padded) * kTileChannels;
  weights = AlignedBytes(std::size_t(out_tiles) * passes * taps * tap_weights * kernels.bytes);
  for (int tap = 0; tap < taps; ++tap) {
    for (int i = 0; i < layer.in; ++i) {
      for (int o = 0; o < layer.out; ++o) {
        float w = layer.weights[(std::size_t(tap) * layer.in + i) * layer.out + o];
        for (int pass = 0; pass < passes; ++pass, w -= kernels.rounded(w)) {
          const std::size_t at =
              (std::size_t(o / kTileChannels) * passes * taps + pass * taps + tap) * tap_weights +
              (i / pair * kTileChannels + o % kTileChannels) * pair + i % pair;
          kernels.convert(w, weights.data() + at * kernels.bytes);
        }
      }
    }
  }
}

PackedMatrix::PackedMatrix(const MatrixLayer& layer, const std::vector<float>& bias)
    : in_(layer.in),
      out_(layer.out),
      weights_(sizeof(float) * std::size_t(1 + layer.in) * padded(layer.out, kTileChannels)) {
  for (int o = 0; o < out_; ++o) {
    float* column = weights_.floats() + std::size_t(o / kTileChannels) * (1 + in_) * kTileChannels +
                    o % kTileChannels;
    if (!bias.empty()) column[0] = bias[o];
    for (int i = 0; i < in_; ++i) {
      column[(1 + i) * kTileChannels] = layer.weights[std::size_t(i) * out_ + o];
    }
  }
}

void PackedMatrix::product(const float* x, float* to) const {
  const auto* w = reinterpret_cast<const TileVector*>(weights_.data());
  for (int tile = 0; tile < parts_of(out_, kTileChannels); ++tile, to += kTileChannels) {
    TileVector even = *w++, odd = {};  // two sums, so that one need not wait for the other
    for (int i = 0; i + 2 <= in_; i += 2, w += 2) {
      even += x[i] * w[0];
      odd += x[i + 1] * w[1];
    }
    if (in_ % 2 != 0) even += x[in_ - 1] * *w++;
    even += odd;
    std::memcpy(to, &even, sizeof even);
  }
}

PackedNorm::PackedNorm(const NormLayer& norm) {
  const Affine affine = merged(norm);
  const auto bytes = sizeof(float) * static_cast<std::size_t>(padded(norm.channels, kTileChannels));
  scale = AlignedBytes(bytes);
  bias = AlignedBytes(bytes);
  std::ranges::copy(affine.scale, scale.floats());
  std::ranges::copy(affine.bias, bias.floats());
}

ConvLayer unrolled(const ConvLayer& layer) {
  ConvLayer rows = layer;  // [height][width][in][out] is [height][width * in][out]
  rows.in = layer.width * layer.in;
  rows.width = 1;
  return rows;
}

}  // namespace tengen
