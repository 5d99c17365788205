#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nn/net_model.h"
#include "nn/network_shape.h"

namespace tengen {

// A net's weights by name, as in weights.safetensors (nn/README.md lists the names), without
// LibTorch.
struct NetTensor {
  std::vector<std::int64_t> sizes;
  std::vector<float> values;  // row-major
};
using NetTensors = std::map<std::string, NetTensor>;

// The layers that play needs. Layers get their tensors' names. Throws Error naming a tensor that is
// missing, of other sizes than the shape asks for, or not finite; tensors that only training needs
// are not looked at.
NetModel net_model(const NetworkShape& shape, const NetTensors& tensors, const std::string& name);
// `original` with these weights: names stay, and of norms the records too where scale and bias have
// not changed, so that a net imported and not trained is exported as it came. Throws likewise.
NetModel net_model(const NetModel& original, const NetTensors& tensors);

// Shape and tensors of a model: what a Network needs to compute the same. Norms become a scale and
// a bias. What only training needs is missing. Throws Error for what a Network does not have:
// layers with different activations, scales of outputs other than KataGo's.
NetworkShape network_shape(const NetModel& model);
NetTensors net_tensors(const NetModel& model);

// Multiply-adds times 2 of one evaluation for play on one board of this area: convolutions work on
// every point, matrices once.
double flop_per_evaluation(const NetworkShape& shape, int area);

// Those of a folder (nn/net_info.h). Throws Error.
NetTensors read_net_tensors(const std::filesystem::path& dir);
// The net of a folder for play without LibTorch. Throws Error.
NetModel load_net_model(const std::filesystem::path& dir);

}  // namespace tengen
