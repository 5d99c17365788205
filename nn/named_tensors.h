#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace at {
class Tensor;
}

namespace tengen {

// LibTorch's tensors by name, and their files (nn/safetensors.h): fp32 and int64. Reads into
// contiguous CPU tensors. Throws Error.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;
void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata);
NamedTensors read_tensors(const std::filesystem::path& path);

}  // namespace tengen
