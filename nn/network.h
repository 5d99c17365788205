#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/features.h"
#include "nn/network_shape.h"

namespace at {
class Tensor;
}

namespace tengen {

// Score distribution: one bin a point, from -(kMaxArea + 60) to kMaxArea + 60, as in KataGo. Bin i
// is centred at the margin i - kScoreBins / 2 + 0.5.
inline constexpr int kScoreBins = 2 * (kMaxArea + 60);

// What the network says: places in the answer of Network::forward, in this order. B rows on an
// H x W canvas; all for the side to move. All heads are fp32 whatever the arithmetic before them.
enum Head {
  kPolicyHead,          // [B, H * W + 1] logits; entry row * W + column, then pass; -1e4 off board
  kOpponentPolicyHead,  // the same for the opponent's reply
  kSoftPolicyHead,      // both again for flattened targets (KataGo's soft policy)
  kSoftOpponentPolicyHead,
  kOptimisticPolicyHead,  // the policy where all turns out well; undefined if the shape has none
  kValueHead,             // [B, 3] logits: win, loss, no result
  kShortTermValueHead,    // [B, kHorizons, 3] logits: the search's opinion some plies later
  kMiscHead,              // [B, 4 or 6] score mean, deviation, lead, ...: raw, as RawOutputs::misc
  kOwnershipHead,         // [B, H, W] before tanh: 1 own, -1 the opponent's; 0 off the board
  kScoreHead,             // [B, kScoreBins] logits; -1e4 beyond the board's area + 60
  kScoreMeanHead,         // [B] points
  kScoreDeviationHead,    // [B] points, > 0
  kLeadHead,              // [B] points
  kHeadCount
};
inline constexpr int kHorizons = 2;  // of short-term values

// Which heads are computed, and by which statistics batch norm goes.
enum class ForwardMode {
  kPlay,      // kPolicyHead, kOptimisticPolicyHead, kValueHead and kMiscHead; running statistics
  kAll,       // all; running statistics
  kTraining,  // all; the batch's own statistics
};

// Pre-activation residual tower with global pooling, as KataGo's (nn/README.md): bias-free
// convolutions, a scale and bias per channel before each activation, masks after it. One set of
// weights plays every board size; boards sit in the top-left corner of the canvas. Copies share
// nothing.
class Network {
 public:
  // Fresh random weights: the same seed gives the same weights.
  Network(const NetworkShape& shape, std::uint64_t seed);
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  const NetworkShape& shape() const;
  std::int64_t parameter_count() const;
  // Name of a tensor that holds a value that is not finite, "" if there is none.
  std::string not_finite() const;

  // planes [B, 22, H, W] (plane 0 is the mask; channels-last is fastest), scalars [B, 19], of one
  // dtype and on the parameters' device. Computes in that dtype: with bf16 planes the fp32
  // parameters are cast on the way and their gradients are fp32; autocast works too. Sizes of
  // boards are read off the mask. Gives the kHeadCount tensors of Head, those undefined that `mode`
  // leaves out. In training `statistics`, if given, becomes the batch's, in the order of
  // statistics(), without a graph. Thread-safe without autograd.
  std::vector<at::Tensor> forward(const at::Tensor& planes, const at::Tensor& scalars,
                                  ForwardMode mode = ForwardMode::kAll,
                                  std::vector<at::Tensor>* statistics = nullptr) const;

  // Named parameters, fp32 masters, in a fixed order; the tensors are the live ones: setting their
  // data (in place or by set_data, also to another device) changes the network. They do not require
  // gradients until the caller says so.
  std::vector<std::pair<std::string, at::Tensor>> parameters() const;
  // Running mean and variance of each batch norm, likewise: not trained by gradients. Empty for
  // other norms.
  std::vector<std::pair<std::string, at::Tensor>> statistics() const;
  // Both.
  std::vector<std::pair<std::string, at::Tensor>> tensors() const;
  // A copy with its own tensors, without gradients.
  Network clone() const;

 private:
  struct Impl;
  explicit Network(const NetworkShape& shape);  // weights not set
  std::unique_ptr<Impl> impl_;
};

// The parameters, batch norms' running statistics merged into the scales and biases: what play
// computes with. On their device, without gradients.
std::vector<std::pair<std::string, at::Tensor>> merged_parameters(const Network& network);

}  // namespace tengen
