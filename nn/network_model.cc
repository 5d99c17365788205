#include "nn/network_model.h"

#include <torch/torch.h>

#include "rules/check.h"

namespace tengen {
namespace {

// Planes of the policy of a model, and where they are among those of training.
constexpr std::int64_t kPlanesInTraining[] = {0, 4};

}  // namespace

NetTensors net_tensors(const Network& network) {
  NetTensors tensors;
  for (const auto& [name, t] : network.tensors()) {
    const at::Tensor here = t.detach().to(at::kCPU, at::kFloat).contiguous();
    const float* values = here.const_data_ptr<float>();
    tensors[name] = {here.sizes().vec(), {values, values + here.numel()}};
  }
  return tensors;
}

NetModel net_model(const Network& network, const std::string& name) {
  return net_model(network.shape(), net_tensors(network), name);
}

Network network_of(const NetModel& model, std::uint64_t seed) {
  const at::NoGradGuard no_grad;
  Network network(network_shape(model), seed);
  const NetTensors tensors = net_tensors(model);
  for (const auto& [name, parameter] : network.parameters()) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) continue;
    const NetTensor& t = found->second;
    const at::Tensor values =
        torch::from_blob(const_cast<float*>(t.values.data()), t.sizes, at::kFloat);
    if (name == "policy.conv2" || name == "policy.pass.weight") {
      for (std::int64_t i = 0; i < values.size(0); ++i) {
        parameter[kPlanesInTraining[i]].copy_(values[i]);
      }
    } else {
      if (parameter.sizes() != values.sizes()) {
        throw Error("'" + name + "' has a kernel of a size that a net here has not");
      }
      parameter.copy_(values);
    }
  }
  return network;
}

}  // namespace tengen
