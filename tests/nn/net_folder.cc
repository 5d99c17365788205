#include "net_folder.h"

#include <vector>

#include "nn/net_tensors.h"
#include "nn/safetensors.h"
#include "rules/durable_file.h"

namespace tengen {
namespace {

// Planes of the policy that play uses to where training has them; the others are zero.
NetTensor with_training_planes(const NetTensor& played) {
  constexpr std::int64_t kOptimisticPlane = 4;
  const std::int64_t count = played.sizes[0];
  const auto length = played.values.size() / static_cast<std::size_t>(count);
  NetTensor t = played;
  t.sizes[0] = count == 1 ? kOptimisticPlane : kOptimisticPlane + 1;
  t.values.assign(length * static_cast<std::size_t>(t.sizes[0]), 0.F);
  for (std::int64_t plane = 0; plane < count; ++plane) {
    const auto from = played.values.begin() + static_cast<std::ptrdiff_t>(length) * plane;
    const auto row = static_cast<std::ptrdiff_t>(length) * (plane == 0 ? 0 : kOptimisticPlane);
    std::copy(from, from + static_cast<std::ptrdiff_t>(length), t.values.begin() + row);
  }
  return t;
}

}  // namespace

void write_net_folder(const std::filesystem::path& dir, const NetModel& model, const NetInfo& info,
                      FeatureSchema features) {
  NetTensors tensors = net_tensors(model);
  for (const char* name : {"policy.conv2", "policy.pass.weight"}) {
    tensors.at(name) = with_training_planes(tensors.at(name));
  }
  std::vector<TensorView> views;
  std::int64_t parameters = 0;
  for (const auto& [name, t] : tensors) {
    views.push_back({{name, TensorType::kFloat, t.sizes}, t.values.data()});
    parameters += static_cast<std::int64_t>(t.values.size());
  }
  NetDescription net{info, network_shape(model)};
  net.shape.features = features;
  std::filesystem::create_directories(dir);
  write_safetensors(dir / kNetWeightsFile, views, {{"net", info.id}});
  write_durable(dir / kNetInfoFile, to_json(net, parameters));
}

}  // namespace tengen
