#pragma once

#include <memory>

#include "nn/cpu_network.h"

namespace tengen {

// Any NetModel in fp32, written to be read and compared with: one position at a time, each layer a
// matrix product on the board's points (Eigen). Points off the board do not exist here, so that
// what others mask is zero by itself.
std::unique_ptr<CpuNetwork> make_reference_network(std::shared_ptr<const NetModel> model);

}  // namespace tengen
