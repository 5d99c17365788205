#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "nn/net_model.h"

namespace tengen {

struct RandomNetOptions {
  int version = 11;  // 8 to 16
  std::vector<ModelBlock::Kind> blocks = {ModelBlock::Kind::kOrdinary, ModelBlock::Kind::kPooling,
                                          ModelBlock::Kind::kNested};
  // Which layer has which is drawn; before version 11 all are ReLU.
  std::vector<Activation> activations = {Activation::kRelu, Activation::kMish, Activation::kSilu};
  int channels = 6;  // of the trunk
  // Inside blocks; those of a nested block have one less inside. 0 for what KataGo's nets have: the
  // channels around a block, without those pooled in a pooling one, half of them in a nested one.
  int mid = 5;
  int pooled = 3;         // g; with mid = 0 at most half of the channels
  int policy = 4;         // P
  int policy_pooled = 0;  // G; 0: as g
  int value = 3;          // V1
  int hidden = 7;         // V2
  int stem_kernel = 3;
  // Activations of variance near 1 through any number of blocks, and norms that have all parts,
  // with scales of both signs: for comparisons of arithmetics. The scales of outputs are the usual
  // ones.
  bool is_lively = false;
};

// A network of random weights that keep outputs near 1, valid, the same for the same seed. Nested
// blocks hold an ordinary and a pooling block. Norms have scales and biases or lack them, by
// chance; since version 13 the scales of outputs are unusual ones.
NetModel random_net_model(std::uint64_t seed, const RandomNetOptions& options = {});

// A lively network as KataGo's are built: blocks by letters, o ordinary, p pooling, n nested (an
// ordinary and a pooling one in it).
RandomNetOptions lively_net(std::string_view blocks = "op", int channels = 16);

}  // namespace tengen
