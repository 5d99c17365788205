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

// Tensors by name in the safetensors format (u64 little-endian header length, JSON header, raw
// bytes): fp32 and int64. Written to a temporary name, fsynced, renamed. Reads into contiguous CPU
// tensors. Throws Error naming the file and what is wrong with it.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata);
NamedTensors read_safetensors(const std::filesystem::path& path);

}  // namespace tengen
