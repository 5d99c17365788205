#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "nn/net_model.h"

namespace tengen {

struct RandomModelShape {
  std::string blocks =
      "op";  // o ordinary, p pooling, n nested (an ordinary and a pooling one in it)
  int channels = 16;
  int pooled = 8;  // g of pooling blocks
  int policy = 8;  // P and G
  int value = 16, hidden = 32;
  int stem = 3;  // side of the first convolution
  int version = 11;
  Activation activation = Activation::kRelu;
};

// A net with random weights that keep activations near variance 1, with scales of both signs,
// biases, means and variances other than 1: every part of it counts.
NetModel random_model(const RandomModelShape& shape, std::uint64_t seed);

// Positions of all ages of random games, each seen through a symmetry.
std::vector<EvaluationInput> random_inputs(int count, const std::vector<BoardSize>& sizes,
                                           std::uint64_t seed);

}  // namespace tengen
