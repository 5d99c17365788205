#include "train/autocast.h"

#include <ATen/autocast_mode.h>
#include <torch/torch.h>

namespace tengen {

struct Autocast::Before {
  at::DeviceType device;
  bool on;
  at::ScalarType type;
};

Autocast::Autocast(bool on, bool on_gpu) {
  const auto device = on_gpu ? at::kCUDA : at::kCPU;
  before_ = std::make_unique<Before>(Before{device, at::autocast::is_autocast_enabled(device),
                                            at::autocast::get_autocast_dtype(device)});
  at::autocast::set_autocast_enabled(device, on);
  at::autocast::set_autocast_dtype(device, at::kBFloat16);
  at::autocast::increment_nesting();
}

Autocast::~Autocast() {
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(before_->device, before_->on);
  at::autocast::set_autocast_dtype(before_->device, before_->type);
}

}  // namespace tengen
