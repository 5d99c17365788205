#include "nn/torch_threads.h"

#include <torch/torch.h>

namespace tengen {

TorchThreads::TorchThreads(int threads) : before_(at::get_num_threads()) {
  if (threads != before_) at::set_num_threads(threads);
}
TorchThreads::~TorchThreads() {
  if (at::get_num_threads() != before_) at::set_num_threads(before_);
}

}  // namespace tengen
