#pragma once

#include <memory>
#include <string>

#include "nn/play_network.h"

namespace tengen {

// A network on an NVIDIA GPU, through Network::forward. It has a stream of its own, so several work
// side by side; input and output are in pinned memory and are copied while the host goes on. The
// first call of each number of rows records the pass as a CUDA graph, and later ones replay it:
// callers do well to ask for few numbers of rows. Where recording fails the pass is launched kernel
// by kernel, with the same answers; that is said once. `graphs` false never records.
//
// Throws Error for a device that is not there or fails, and in a build whose LibTorch has no CUDA.
std::unique_ptr<PlayNetwork> make_cuda_play_network(const Network& network,
                                                    const std::string& device,
                                                    const std::string& precision, int batch,
                                                    int canvas, bool graphs = true);

}  // namespace tengen
