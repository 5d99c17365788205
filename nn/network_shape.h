#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "configs/option.h"
#include "nn/features.h"
#include "nn/net_model.h"

namespace tengen {

// One block of a residual tower (ModelBlock).
struct BlockShape {
  ModelBlock::Kind kind = ModelBlock::Kind::kOrdinary;
  int middle = 0;                      // channels between its two convolutions
  int pooled = 0;                      // in a pooling block: channels that are pooled
  std::vector<BlockShape> inner = {};  // in a nested bottleneck block: on `middle` channels
  friend bool operator==(const BlockShape&, const BlockShape&) = default;
};

enum class NormKind : std::uint8_t {
  kFixed,  // a scale and a bias a channel, and weights that start with a fixed variance
  kBatch,  // batch norm over the points on the board, before them
};
std::string_view name_of(NormKind norm);
std::string_view name_of(Activation activation);  // "relu"
NormKind norm_named(std::string_view name);       // throw UsageError
Activation activation_named(std::string_view name);

// A network but for its weights.
struct NetworkShape {
  FeatureSchema features = FeatureSchema::kV7;  // what it was made to see
  int channels = 0;
  int stem_size = 3;  // of the first convolution, odd
  std::vector<BlockShape> blocks = {};
  Activation activation = Activation::kRelu;
  NormKind norm = NormKind::kFixed;
  int policy_channels = 0;       // P
  int policy_pooled = 0;         // G
  bool has_pass_hidden = false;  // pass logits by way of P hidden numbers
  bool has_optimistic = false;   // a policy for what turned out better than was expected
  int value_channels = 0;        // V1
  int value_hidden = 0;          // V2
  // KataGo's model version whose meaning the outputs have (nn/net_outputs.h).
  int version = 11;
  friend bool operator==(const NetworkShape&, const NetworkShape&) = default;
};

// Named sizes: b2c16, b2c32, b3c32, b4c32, b4c64, b6c64, b6c96, b10c128, b15c192, b18c384nbt.
// Throws UsageError naming the nearest.
NetworkShape network_shape(std::string_view size);
std::string name_of(const NetworkShape& shape);    // "b4c64", "b18c384nbt"
std::string described(const NetworkShape& shape);  // "b4c64, relu, fixed norm"

// Section [net] of a config.
struct NetOptions {
  std::string size = "b4c64";
  std::string activation = "relu";
  std::string norm = "fixed";
  bool ladders = true;
  std::string start = "";
};
inline constexpr std::string_view kActivationChoices[] = {"relu", "mish", "silu"};
inline constexpr std::string_view kNormChoices[] = {"fixed", "batch"};

template <class Visit>
void for_each_option(NetOptions& o, Visit visit) {
  visit("size", o.size,
        {"blocks and channels: b2c16 b2c32 b3c32 b4c32 b4c64 b6c64 b6c96 b10c128 b15c192 "
         "b18c384nbt"});
  visit("activation", o.activation,
        {"between layers; relu is the fastest on a CPU", 0, 0, kActivationChoices});
  visit("norm", o.norm,
        {"fixed: weights that start with a fixed variance; batch: batch norm", 0, 0, kNormChoices});
  visit(
      "ladders", o.ladders,
      {"ladder planes among the inputs; without them other programs cannot use the net as it is"});
  visit("start", o.start,
        {"a net to go on from, in place of random weights: its folder, a run's, or a model file of "
         "KataGo; its shape is the run's, whatever the other keys here say"});
}

// Throws UsageError.
NetworkShape network_shape(const NetOptions& options);

// What net.json may claim.
inline constexpr int kMostBlocks = 200, kMostChannels = 4096, kMostNesting = 2, kMostStem = 19;

// Places in RawOutputs::misc.
enum MiscOutput {
  kMiscScoreMean,
  kMiscScoreDeviation,
  kMiscLead,
  kMiscVarianceTime,
  kMiscWinlossError,
  kMiscScoreError
};
inline constexpr double kNormEpsilon = 1e-5;  // of our batch norm
inline constexpr float kScoreScale = 20;  // KataGo's multiplier of score mean, deviation and lead
inline constexpr int misc_outputs(int version) {  // how many a model of this version has
  return version >= 9 ? 6 : 4;
}

// Points from which an output of the trunk's convolutions depends on the input, to each side.
int receptive_radius(const NetworkShape& shape);

}  // namespace tengen
