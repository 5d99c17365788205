#include "nn/device_weights.h"

#include <torch/torch.h>

#include "rules/check.h"

namespace tengen {

at::ScalarType scalar_type(const std::string& precision) {
  if (precision == "fp32") return at::kFloat;
  if (precision == "bf16") return at::kBFloat16;
  if (precision == "fp16") return at::kHalf;
  throw UsageError("precision '" + precision + "': expected fp32, bf16 or fp16");
}

Network weights_on(const Network& network, const std::string& device, at::ScalarType type) {
  Network copy = network.clone();
  for (const auto& [name, t] : copy.tensors()) {
    at::Tensor there = t.to(at::Device(device));
    if (t.dim() == 4) there = there.to(type, false, false, at::MemoryFormat::ChannelsLast);
    at::Tensor(t).set_data(there);
  }
  return copy;
}

}  // namespace tengen
