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
  int blocks = 0;
  int channels = 0;
  std::vector<int> gpool_blocks = {};  // which blocks, from 0, pool globally
  int gpool_channels = 0;
  int policy_channels = 0;  // P = G of the policy head
  int value_channels = 0;   // V1
  int value_hidden = 0;     // V2
  friend bool operator==(const NetworkShape&, const NetworkShape&) = default;
};
NetworkShape network_shape(std::string_view name);  // "b4c64"; throws UsageError naming the nearest
std::string name_of(const NetworkShape& shape);     // "b4c64"

// Score distribution: one bin a point, from -(kMaxArea + 60) to kMaxArea + 60, as in KataGo. Bin i
// is centred at the margin i - kScoreBins / 2 + 0.5.
inline constexpr int kScoreBins = 2 * (kMaxArea + 60);

// What the network says: places in the answer of Network::forward, in this order. B rows on an
// H x W canvas; all for the side to move. All heads are fp32 whatever the arithmetic before them.
enum Head {
  kPolicyHead,          // [B, H * W + 1] logits; entry row * W + column, then pass; -1e4 off board
  kOpponentPolicyHead,  // the same for the opponent's reply
  kValueHead,           // [B, 3] logits: win, loss, no result
  kOwnershipHead,       // [B, H, W] before tanh: 1 own, -1 the opponent's; 0 off the board
  kScoreHead,           // [B, kScoreBins] logits; -1e4 beyond the board's area + 60
  kScoreMeanHead,       // [B] points
  kHeadCount
};

// Pre-activation residual tower with global pooling, as KataGo's (nn/README.md): bias-free
// convolutions, a scale and bias per channel before each ReLU, masks after it, fixed-variance
// initialisation, no norm. One set of weights plays every board size; boards sit in the top-left
// corner of the canvas. Copies share nothing.
class Network {
 public:
  // Fresh random weights: the same seed gives the same weights.
  Network(const NetworkShape& shape, std::uint64_t seed);
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  const NetworkShape& shape() const;
  std::int64_t parameter_count() const;
  // Name of a parameter that holds a value that is not finite, "" if there is none.
  std::string not_finite() const;
  // Multiply-adds times 2 of one evaluation on one board of this area.
  double flop_per_evaluation(int area) const;

  // planes [B, 22, H, W] (plane 0 is the mask; channels-last is fastest), scalars [B, 19], of one
  // dtype and on the parameters' device. Computes in that dtype: with bf16 planes the fp32
  // parameters are cast on the way and their gradients are fp32; autocast works too. Sizes of
  // boards are read off the mask. Gives the kHeadCount tensors of Head; `for_play` leaves those
  // undefined that only training asks for (reply, ownership, score). Thread-safe without autograd.
  std::vector<at::Tensor> forward(const at::Tensor& planes, const at::Tensor& scalars,
                                  bool for_play = false) const;

  // Named parameters, fp32 masters, in a fixed order; the tensors are the live ones: setting their
  // data (in place or by set_data, also to another device) changes the network. They do not require
  // gradients until the caller says so.
  std::vector<std::pair<std::string, at::Tensor>> parameters() const;
  // A copy with its own tensors, without gradients.
  Network clone() const;

 private:
  struct Impl;
  explicit Network(const NetworkShape& shape);  // weights not set
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
