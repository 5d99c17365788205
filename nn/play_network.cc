#include "nn/play_network.h"

#include <torch/torch.h>

#include "nn/device_weights.h"
#include "nn/play_network_cpu.h"
#include "nn/play_network_cuda.h"
#include "nn/torch_threads.h"
#include "rules/check.h"

namespace tengen {
namespace {

using at::Tensor;

// Through Network::forward, on any device, one step after the other.
class DevicePlayNetwork : public PlayNetwork {
 public:
  DevicePlayNetwork(const Network& network, const std::string& device, at::ScalarType type,
                    int batch, int canvas)
      : network_(weights_on(network, device, type)), device_(device), type_(type) {
    const auto host = at::TensorOptions().dtype(at::kFloat);
    planes_ = at::zeros({batch, canvas, canvas, kPlanes}, host);
    scalars_ = at::zeros({batch, kScalars}, host);
  }

  float* planes(int row) override {
    return planes_.mutable_data_ptr<float>() + row * planes_.stride(0);
  }
  float* scalars(int row) override { return scalars_.mutable_data_ptr<float>() + row * kScalars; }
  const float* policy(int row) const override {
    return policy_.const_data_ptr<float>() + row * policy_.stride(0);
  }
  const float* value(int row) const override { return value_.const_data_ptr<float>() + row * 3; }
  const float* misc(int row) const override {
    return misc_.const_data_ptr<float>() + row * misc_.size(1);
  }

  void compute(std::span<const BoardSize> sizes) override {
    const c10::InferenceMode inference;
    const TorchThreads one(1);
    check(std::ssize(sizes) <= planes_.size(0), "no more rows than the batch holds");
    try {
      const std::int64_t rows = std::ssize(sizes);
      const Tensor planes = planes_.narrow(0, 0, rows).to(device_).to(type_);
      const Tensor scalars = scalars_.narrow(0, 0, rows).to(device_);
      const auto heads =
          network_.forward(planes.permute({0, 3, 1, 2}), scalars, ForwardMode::kPlay);
      policy_ = heads[kPolicyHead].to(at::kCPU).contiguous();
      value_ = heads[kValueHead].to(at::kCPU).contiguous();
      misc_ = heads[kMiscHead].to(at::kCPU).contiguous();
    } catch (const c10::Error& e) {
      throw Error("device " + device_.str() + ": " + e.what_without_backtrace());
    }
  }

 private:
  Network network_;
  at::Device device_;
  at::ScalarType type_;
  Tensor planes_, scalars_, policy_, value_, misc_;
};

}  // namespace

std::unique_ptr<PlayNetwork> make_play_network(const Network& network, const std::string& device,
                                               const std::string& precision, int batch,
                                               int canvas) {
  check(batch >= 1 && canvas >= 1, "a batch has rows and points");
  if (device == "cpu") {
    auto own = make_cpu_play_network(network, precision, batch, canvas);
    if (own) return own;
  }
  if (device.starts_with("cuda")) {
    return make_cuda_play_network(network, device, precision, batch, canvas);
  }
  try {
    return std::make_unique<DevicePlayNetwork>(network, device, scalar_type(precision), batch,
                                               canvas);
  } catch (const c10::Error& e) {
    throw Error("device " + device + ": " + e.what_without_backtrace());
  }
}

}  // namespace tengen
