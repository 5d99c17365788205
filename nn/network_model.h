#pragma once

#include <cstdint>
#include <string>

#include "nn/net_model.h"
#include "nn/net_tensors.h"
#include "nn/network.h"

namespace tengen {

// A network's weights and statistics by name, copied to the host.
NetTensors net_tensors(const Network& network);
// The layers of a network that play needs.
NetModel net_model(const Network& network, const std::string& name);

// A network that computes what the model does and can be trained on: what only training asks for
// gets fresh weights from the seed. Throws Error for models that a Network cannot be
// (nn/net_tensors.h).
Network network_of(const NetModel& model, std::uint64_t seed);

}  // namespace tengen
