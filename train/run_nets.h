#pragma once

#include <cstdint>
#include <string>

#include "nn/network_shape.h"

namespace tengen {

// `tengen net init`: a net with fresh weights.
struct NetInitRequest {
  NetOptions net;
  std::uint64_t seed = 1;
  std::string out;  // folder, must not be there
};
int run_net_init(const NetInitRequest& request);

// `tengen import`: a model file of KataGo as a net's folder.
int run_import(const std::string& file, const std::string& out);

}  // namespace tengen
