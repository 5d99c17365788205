#include "nn/named_tensors.h"

#include <torch/torch.h>

#include "nn/safetensors.h"
#include "rules/check.h"

namespace tengen {

using at::Tensor;

void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata) {
  std::vector<Tensor> kept;  // owns what the views show
  std::vector<TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    const Tensor& t = kept.emplace_back(tensor.detach().to(at::kCPU).contiguous());
    const bool is_float = t.scalar_type() == at::kFloat;
    check(is_float || t.scalar_type() == at::kLong, "tensors are fp32 or int64");
    views.push_back({{name, is_float ? TensorType::kFloat : TensorType::kInt64, t.sizes().vec()},
                     t.const_data_ptr()});
  }
  write_safetensors(path, views, metadata);
}

NamedTensors read_tensors(const std::filesystem::path& path) {
  NamedTensors tensors;
  read_safetensors(path, [&tensors](const TensorHeader& header) {
    const auto type = header.type == TensorType::kFloat ? at::kFloat : at::kLong;
    tensors.emplace_back(header.name, at::empty(header.sizes, at::TensorOptions().dtype(type)));
    return tensors.back().second.mutable_data_ptr();
  });
  return tensors;
}

}  // namespace tengen
