#pragma once

#include "nn/net_model.h"
#include "nn/network_shape.h"

namespace tengen {

// The model of a shape as far as its weights do not matter: layers with their widths, without
// weights and names.
NetModel empty_model(const NetworkShape& shape);

}  // namespace tengen
