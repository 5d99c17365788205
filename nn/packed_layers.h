#pragma once

#include <cstdlib>
#include <memory>
#include <vector>

#include "nn/cpu_kernels.h"
#include "nn/net_model.h"

namespace tengen {

// Zeroed memory at the start of a cache line.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size);
  std::byte* data() const { return data_.get(); }
  float* floats() const { return reinterpret_cast<float*>(data_.get()); }
  std::size_t size() const { return size_; }
  void clear();

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

// Sixteen channels in a compiler's own vector, which becomes what the machine has.
using TileVector [[gnu::vector_size(kTileChannels * sizeof(float))]] = float;

// A number of parts that hold `count`, and the count with the last one full.
constexpr int parts_of(int count, int part) {
  return (count + part - 1) / part;
}
constexpr int padded(int count, int part) {
  return parts_of(count, part) * part;
}

// A convolution's weights as CpuKernels take them. Where they are `fine`, the taps come once more,
// with what rounding took from the weights.
struct PackedConv {
  PackedConv() = default;
  PackedConv(const ConvLayer& layer, const CpuKernels& kernels, bool fine);
  int height = 1, width = 1;
  int passes = 1;  // over the taps: 2 if fine
  int in_blocks = 0, out_tiles = 0;
  AlignedBytes weights;
};

// A matrix, and what is added to its products.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  explicit PackedMatrix(const MatrixLayer& layer, const std::vector<float>& bias = {});
  int in() const { return in_; }
  int out() const { return out_; }
  // to[0 ... padded(out(), 16)) = bias + x times the matrix; zero in the padding.
  void product(const float* x, float* to) const;

 private:
  int in_ = 0, out_ = 0;
  AlignedBytes weights_;  // [tile of 16 outputs][1 + in][16]: the bias, then rows
};

// scale and bias of a norm, zero in the padding up to whole tiles.
struct PackedNorm {
  PackedNorm() = default;
  explicit PackedNorm(const NormLayer& norm);
  AlignedBytes scale, bias;
};

// The convolution of planes whose rows have been laid side by side: input channel
// column * in + plane of a position is the plane `column - width / 2` to the right, so that only
// the kernel's rows are left.
ConvLayer unrolled(const ConvLayer& layer);

}  // namespace tengen
