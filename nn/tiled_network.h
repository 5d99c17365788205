#pragma once

#include <memory>

#include "nn/cpu_kernels.h"
#include "nn/cpu_network.h"

namespace tengen {

// A NetModel with the convolutions of `kernels`: layer by layer over a group of boards of one size
// that stays in the second cache; norm, ReLU, mask and the addition to the trunk are done where a
// convolution's sums are stored. Requires is_tileable(*model) (nn/tile_program.h).
std::unique_ptr<CpuNetwork> make_tiled_network(std::shared_ptr<const NetModel> model,
                                               const CpuKernels& kernels);

}  // namespace tengen
