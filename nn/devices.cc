#include "nn/devices.h"

#include <torch/torch.h>

#include <algorithm>

#include "rules/check.h"

namespace tengen {

std::string torch_version() {
  return TORCH_VERSION;
}

std::string cuda_version() {
  if (!at::hasCUDA()) return "none";
  const auto version = at::detail::getCUDAHooks().versionCUDART();  // 13000
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < static_cast<std::size_t>(torch::cuda::device_count()); ++i) {
    names.push_back("cuda:" + std::to_string(i));
  }
  if (names.empty()) names.emplace_back("cpu");
  return names;
}

std::string best_device() {
  return torch::cuda::is_available() ? "cuda:0" : "cpu";
}

std::vector<std::string> resolve_devices(const std::string& device) {
  if (device == "auto") return {best_device()};
  if (device == "cpu") return {device};
  const auto names = device_names();
  if (device == "all" && names.front() != "cpu") return names;
  const std::string name = device == "cuda" ? "cuda:0" : device;
  if (std::ranges::count(names, name) > 0) return {name};
  std::string known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  throw UsageError("evaluator.device = " + device + ": this machine has " + known);
}

std::string resolve_device(const std::string& device) {
  return resolve_devices(device).front();
}

void set_torch_threads(int threads) {
  at::set_num_threads(threads);
}

}  // namespace tengen
