#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tengen {

// A network as the layers and weights that play needs, in the terms of KataGo's model files
// (cpp/neuralnet/desc.cpp): what is read from such a file, what exports write, and what evaluators
// without LibTorch compute. Heads that only training asks for are not in it. Plain data;
// nn/README.md says what a network computes.

inline constexpr int kMaxKernel = 37;  // from one edge of 19 points to the other and back

enum class Activation { kIdentity, kRelu, kMish, kSilu };

// A number as a file has it: exporting writes the text again.
struct FileNumber {
  double value = 0;
  std::string text;  // "1e-20"; where empty, the shortest that gives `value`
  friend bool operator==(const FileNumber& a, const FileNumber& b) { return a.value == b.value; }
};

std::string to_text(const FileNumber& number);

struct ConvLayer {  // "same", stride 1, no bias; cross-correlation
  std::string name;
  int height = 1, width = 1;  // odd
  int in = 0, out = 0;
  std::vector<float> weights;  // [height][width][in][out]
  friend bool operator==(const ConvLayer&, const ConvLayer&) = default;
};

// scale * (x - mean) / sqrt(variance + epsilon) + bias, per channel.
struct NormLayer {
  std::string name;
  int channels = 0;
  FileNumber epsilon;
  std::vector<float> mean, variance;  // [channels]
  std::vector<float> scale, bias;     // [channels], or empty: 1 and 0
  friend bool operator==(const NormLayer&, const NormLayer&) = default;
};

struct ActivationLayer {
  std::string name;
  Activation kind = Activation::kRelu;
  friend bool operator==(const ActivationLayer&, const ActivationLayer&) = default;
};

struct MatrixLayer {
  std::string name;
  int in = 0, out = 0;
  std::vector<float> weights;  // [in][out]
  friend bool operator==(const MatrixLayer&, const MatrixLayer&) = default;
};

struct BiasLayer {
  std::string name;
  std::vector<float> weights;
  friend bool operator==(const BiasLayer&, const BiasLayer&) = default;
};

// Norm and activation before a layer; masked: exactly zero off the board.
struct NormedActivation {
  NormLayer norm;
  ActivationLayer activation;
  friend bool operator==(const NormedActivation&, const NormedActivation&) = default;
};

// A convolution whose pooled activations are added, through a matrix, to each point of another.
// The maximum in a pool is that of the points on the board, but at least -1, as in KataGo.
struct PoolingLayers {
  ConvLayer conv;         // to g channels
  NormedActivation read;  // of them, then pooled to 3 g
  MatrixLayer matrix;     // 3 g -> r
  friend bool operator==(const PoolingLayers&, const PoolingLayers&) = default;
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
  friend bool operator==(const ModelBlock&, const ModelBlock&) = default;
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
    friend bool operator==(const PassHidden&, const PassHidden&) = default;
  };
  std::optional<PassHidden> pass_hidden;
  // K: 1 up to version 11: logits. 2 in 12 to 15: and logits of the optimistic policy. 4 in 16:
  // and two planes of values of moves, not used.
  int channels() const { return conv2.out; }
  friend bool operator==(const ModelPolicyHead&, const ModelPolicyHead&) = default;
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
  friend bool operator==(const ModelValueHead&, const ModelValueHead&) = default;
};

// What raw outputs are multiplied with (nn/net_outputs.h); in files since version 13.
struct OutputScales {
  FileNumber td_score{20, {}};
  FileNumber score_mean{20, {}};
  FileNumber score_stdev{20, {}};
  FileNumber lead{20, {}};
  FileNumber variance_time{40, {}};
  FileNumber winloss_error{0.25, {}};
  FileNumber score_error{150, {}};  // 30 up to version 12, where it is in no file
  friend bool operator==(const OutputScales&, const OutputScales&) = default;
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
  friend bool operator==(const NetModel&, const NetModel&) = default;
};

// Planes of the policy of a version, K.
constexpr int policy_planes(int version) {
  return version < 12 ? 1 : version < 16 ? 2 : 4;
}

// Those of a file that does not name them: `version` up to 12.
OutputScales default_scales(int version);

// A model's name as KataGo takes it: 1 to 96 characters of A-Z a-z 0-9 _ -.
bool is_model_name(std::string_view name);

// What readers, writers and evaluators may rely on: a version from 8 to 16 with what belongs to it,
// widths that agree from layer to layer, odd kernels (1x1 in the heads) of at most 37, as many
// weights as the widths say, all finite. Throws Error "where: layer 'name': expected, found".
void validate(const NetModel& model, std::string_view where);

// scale and bias of x * scale + bias, a norm's whole effect; in double until the last rounding.
struct Affine {
  std::vector<float> scale, bias;  // [channels]
  friend bool operator==(const Affine&, const Affine&) = default;
};
Affine merged(const NormLayer& norm);

}  // namespace tengen
