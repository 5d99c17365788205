#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/features.h"

namespace at {
class Tensor;
}

namespace tengen {

// Shape of a residual tower. Named sizes: b2c16, b2c32, b3c32, b4c32, b4c64, b6c64, b6c96, b10c128,
// b15c192.
struct NetworkShape {
  int blocks = 4;
  int channels = 64;
  std::vector<int> gpool_blocks = {1, 3};  // which blocks, from 0, pool globally
  int gpool_channels = 16;
  int policy_channels = 16;  // P = G of the policy head
  int value_channels = 16;   // V1
  int value_hidden = 32;     // V2
  friend bool operator==(const NetworkShape&, const NetworkShape&) = default;
};
NetworkShape network_shape(std::string_view name);  // "b4c64"; throws UsageError naming the nearest
std::string name_of(const NetworkShape& shape);     // "b4c64"

// Score distribution: bins of one point at half points, from -(kMaxArea + 60) to kMaxArea + 60, as
// in KataGo.
inline constexpr int kScoreBins = 2 * (kMaxArea + 60);

// What the network says, as logits. B rows on an H x W canvas.
struct NetworkOutputs;

// Pre-activation residual tower with global pooling (facts/katago 2.4): bias-free convolutions,
// masks after every activation, fixed-variance initialisation, no norm. One set of weights plays
// every board size; boards sit in the top-left corner of the canvas. Copies share nothing.
class Network {
 public:
  // Fresh random weights: the same seed gives the same weights.
  Network(const NetworkShape& shape, std::uint64_t seed);
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  const NetworkShape& shape() const;
  std::int64_t parameter_count() const;
  // Multiply-adds times 2 of one evaluation on one board of this area.
  double flop_per_evaluation(int area) const;

  // planes [B, 22, H, W] (plane 0 is the mask), scalars [B, 19], of one dtype. Calls with and
  // without autograd. Thread-safe without autograd.
  NetworkOutputs forward(const at::Tensor& planes, const at::Tensor& scalars) const;

  // Named parameters, fp32 masters, in a fixed order; the tensors are the live ones.
  std::vector<std::pair<std::string, at::Tensor>> parameters() const;
  // A copy with its own tensors, without gradients.
  Network clone() const;

 private:
  struct Impl;
  explicit Network(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
