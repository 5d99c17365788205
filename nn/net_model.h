#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tengen {

// A network as the layers and weights that play needs, in the terms of KataGo's model files
// (cpp/neuralnet/desc.cpp): what is read from such a file, what exports write, and what evaluators
// without LibTorch compute. Heads that only training asks for are not in it. Plain data;
// nn/README.md says what a network computes.

enum class Activation { kIdentity, kRelu, kMish, kSilu };

// A number as a file has it: exporting writes the text again.
struct FileNumber {
  double value = 0;
  std::string text;  // "1e-20"; where empty, the shortest that gives `value`
};

struct ConvLayer {  // "same", stride 1, no bias; cross-correlation
  std::string name;
  int height = 1, width = 1;  // odd
  int in = 0, out = 0;
  std::vector<float> weights;  // [height][width][in][out]
};

// scale * (x - mean) / sqrt(variance + epsilon) + bias, per channel.
struct NormLayer {
  std::string name;
  int channels = 0;
  FileNumber epsilon;
  std::vector<float> mean, variance;  // [channels]
  std::vector<float> scale, bias;     // [channels], or empty: 1 and 0
};

struct ActivationLayer {
  std::string name;
  Activation kind = Activation::kRelu;
};

struct MatrixLayer {
  std::string name;
  int in = 0, out = 0;
  std::vector<float> weights;  // [in][out]
};

struct BiasLayer {
  std::string name;
  std::vector<float> weights;
};

// Norm and activation before a layer; masked: exactly zero off the board.
struct NormedActivation {
  NormLayer norm;
  ActivationLayer activation;
};

// A convolution whose pooled activations are added, through a matrix, to each point of another.
struct PoolingLayers {
  ConvLayer conv;         // to g channels
  NormedActivation read;  // of them, then pooled to 3 g
  MatrixLayer matrix;     // 3 g -> r
};

// trunk + conv2(read2(inside(conv1(read1(trunk))))). Inside is nothing in an ordinary block, the
// pooled bias in a pooling block, inner blocks on conv1's channels in a nested bottleneck block.
struct ModelBlock {
  enum class Kind { kOrdinary, kPooling, kNested };
  Kind kind = Kind::kOrdinary;
  std::string name;
  NormedActivation read1, read2;
  ConvLayer conv1, conv2;
  std::optional<PoolingLayers> pooling;  // kPooling
  std::vector<ModelBlock> inner;         // kNested
};

struct ModelPolicyHead {
  std::string name;
  ConvLayer conv1;        // trunk -> P
  PoolingLayers pooling;  // trunk -> G, 3 G -> P
  NormedActivation read;  // of their sum
  ConvLayer conv2;        // P -> K
  MatrixLayer pass;       // 3 G -> K; with `pass_hidden` 3 G -> P
  struct PassHidden {     // since version 15
    BiasLayer bias;
    ActivationLayer activation;
    MatrixLayer matrix;  // P -> K
  };
  std::optional<PassHidden> pass_hidden;
  // K: 1 up to version 11: logits. 2 in 12 to 15: and logits of the optimistic policy. 4 in 16:
  // and two planes of values of moves, not used.
  int channels() const { return conv2.out; }
};

struct ModelValueHead {
  std::string name;
  ConvLayer conv1;        // trunk -> V1
  NormedActivation read;  // then pooled to 3 V1
  MatrixLayer hidden;     // 3 V1 -> V2
  BiasLayer hidden_bias;
  ActivationLayer hidden_activation;
  MatrixLayer value;  // V2 -> 3: win, loss, no result
  BiasLayer value_bias;
  MatrixLayer misc;  // V2 -> S: mean, stdev, lead, variance time; since version 9 two errors more
  BiasLayer misc_bias;
  ConvLayer ownership;  // V1 -> 1, before tanh
};

// What raw outputs are multiplied with (nn/net_outputs.h); in files since version 13.
struct OutputScales {
  FileNumber td_score{20, {}};
  FileNumber score_mean{20, {}};
  FileNumber score_stdev{20, {}};
  FileNumber lead{20, {}};
  FileNumber variance_time{40, {}};
  FileNumber winloss_error{0.25, {}};
  FileNumber score_error{150, {}};  // 30 up to version 12
};

struct NetModel {
  std::string name;
  int version = 11;  // KataGo's model version, 8 to 16: how outputs are to be read
  OutputScales scales;
  std::array<int, 8> options{};  // of the header since version 15; [1]: pass-alive under suicide
  std::string trunk_name = "trunk";
  std::array<int, 4> widths{};         // of the trunk's record: mid, regular, dilated, pooled
  std::array<int, 6> trunk_options{};  // since version 15; zeros
  ConvLayer stem;                      // 22 planes -> trunk, any odd size
  MatrixLayer scalars;                 // 19 scalars -> trunk, added to every point
  std::vector<ModelBlock> blocks;
  NormedActivation tip;
  ModelPolicyHead policy;
  ModelValueHead value;

  int channels() const { return stem.out; }
};

// scale and bias of x * scale + bias, a norm's whole effect; in double until the last rounding.
struct Affine {
  std::vector<float> scale, bias;  // [channels]
};
Affine merged(const NormLayer& norm);

}  // namespace tengen
