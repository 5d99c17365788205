#include "nn/play_network_cuda.h"
#include "rules/check.h"

namespace tengen {

std::unique_ptr<PlayNetwork> make_cuda_play_network(const Network& /*network*/,
                                                    const std::string& device,
                                                    const std::string& /*precision*/, int /*batch*/,
                                                    int /*canvas*/, bool /*graphs*/) {
  throw Error("device " + device + ": this program was built with a LibTorch without CUDA");
}

}  // namespace tengen
