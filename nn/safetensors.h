#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tengen {

// Tensors by name in the safetensors format (u64 little-endian header length, JSON header, raw
// bytes): fp32 and int64.
enum class TensorType : std::uint8_t { kFloat, kInt64 };
struct TensorHeader {
  std::string name;
  TensorType type = TensorType::kFloat;
  std::vector<std::int64_t> sizes;  // row-major
};
struct TensorView : TensorHeader {
  const void* data = nullptr;  // not owned
};

// Written to a temporary name, fsynced, renamed. Throws Error.
void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const std::map<std::string, std::string>& metadata);

// Reads each tensor of a file, in the header's order, to where `place` says there is room for it.
// Throws Error naming the file and what is wrong with it; the header is checked as a whole, against
// the file's size too, before `place` is called.
using TensorPlacement = std::function<void*(const TensorHeader&)>;
void read_safetensors(const std::filesystem::path& path, const TensorPlacement& place);

}  // namespace tengen
