#pragma once

#include <cstdint>
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
  int mid = 5;       // inside blocks; those of a nested block have one less inside
  int pooled = 3;    // g, G
  int policy = 4;    // P
  int value = 3;     // V1
  int hidden = 7;    // V2
  int stem_kernel = 3;
};

// A network of random weights that keep outputs near 1, valid, the same for the same seed. Nested
// blocks hold an ordinary and a pooling block. Norms have scales and biases or lack them, by
// chance; since version 13 the scales of outputs are unusual ones.
NetModel random_net_model(std::uint64_t seed, const RandomNetOptions& options = {});

}  // namespace tengen
