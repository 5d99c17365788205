#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nn/network_shape.h"

// The parts of a network as LibTorch computes them, for network*.cc alone: to be included after
// <torch/torch.h>.
namespace tengen::tower {

using at::Tensor;

// The rows' boards, for masking and pooling.
struct Boards {
  Tensor mask;  // [B, 1, H, W], in the arithmetic of the trunk
  Tensor area;  // [B, 1] fp32
  Tensor side;  // [B, 1] (sqrt(area) - 14) / 10
};

// What the layers of one forward pass share.
struct Pass {
  Boards boards;
  Activation activation;
  bool in_training;
  std::vector<Tensor>* statistics;  // of the batch, or nullptr
};

// A scale and a bias per channel, after normalisation by a mean and variance if there are any.
struct Norm {
  Tensor scale, bias;     // [C]
  Tensor mean, variance;  // [C], running; undefined without batch norm

  // The activation of it, masked: what is off the board stays exactly zero.
  Tensor operator()(const Tensor& x, const Pass& pass) const;

 private:
  // Over the points that are on the boards.
  std::pair<Tensor, Tensor> batch_statistics(const Tensor& x, const Pass& pass) const;
};

struct Linear {
  Tensor weight, bias;  // [out, in]; [out] or undefined

  Tensor operator()(const Tensor& x) const { return at::linear(x, weight, bias); }
};

struct Pooling {
  Tensor conv_weight;
  Norm norm;
  Linear linear;
};

struct Block {
  ModelBlock::Kind kind = ModelBlock::Kind::kOrdinary;
  Norm norm1, norm2;
  Tensor conv1, conv2;
  Pooling pooling;           // kPooling
  std::vector<Block> inner;  // kNested

  Tensor operator()(const Tensor& x, const Pass& pass) const;
};

struct PolicyHead {
  Tensor conv1, conv2;  // to P, to the planes
  Pooling pooling;
  Norm norm;
  Linear pass_hidden;  // undefined without
  Linear pass;
};

struct ValueHead {
  Tensor conv1;
  Norm norm;
  Linear hidden, value, misc, short_term;
  Tensor ownership;
  Linear bins_hidden, bins_out;
  Tensor bins_offset, bins_parity;  // [width of bins_hidden]
};

using NamedList = std::vector<std::pair<std::string, Tensor>>;

struct Tower {
  NetworkShape shape;
  NamedList parameters, statistics;  // the handles below, by name
  Tensor stem;
  Linear scalars;
  std::vector<Block> blocks;
  Norm tip;
  PolicyHead policy;
  ValueHead value;
};

// Gives a tower of this shape its tensors: random weights from the seed, or without one unset ones.
void make_tensors(Tower& net, std::optional<std::uint64_t> seed);

Boards boards_of(const Tensor& planes, at::ScalarType type);
Tensor activated(const Tensor& x, Activation kind);
Tensor conv(const Tensor& x, const Tensor& weight);  // keeps the canvas
Tensor over_board(const Tensor& per_channel, at::ScalarType type);
// Mean, mean * (sqrt(area) - 14) / 10 and maximum of masked activations, [B, 3 C] in fp32: KataGo's
// pooling in trunk and policy head. The maximum is of what is on the board, and at least -1, as
// KataGo has it.
Tensor pool(const Tensor& x, const Pass& pass);
// Mean, mean * s and mean * (s * s - 0.1) for s = (sqrt(area) - 14) / 10: in the value head.
Tensor pool_for_value(const Tensor& x, const Boards& boards);

}  // namespace tengen::tower
