#include "nn/network_outputs.h"

#include <torch/torch.h>

#include <algorithm>

#include "nn/batch_tensors.h"

namespace tengen {
namespace {

using at::Tensor;

// What is on the board of a [canvas, canvas] plane, turned back to the board's own orientation.
std::vector<float> turned_back(const float* plane, int canvas, const EvaluationInput& input) {
  const BoardSize size = input.features.size;
  const short* map = input.symmetry.map(size);
  std::vector<float> points(static_cast<std::size_t>(size.area()));
  for (int i = 0; i < size.area(); ++i) {
    points[static_cast<std::size_t>(i)] = plane[map[i] / size.width * canvas + map[i] % size.width];
  }
  return points;
}

std::vector<float> numbers(const Tensor& t) {
  const float* values = t.const_data_ptr<float>();
  return {values, values + t.numel()};
}

RawOutputs read(const std::vector<Tensor>& heads, int canvas, const EvaluationInput& input) {
  RawOutputs raw;
  for (const Head head : {kPolicyHead, kOptimisticPolicyHead}) {
    if (!heads[head].defined()) continue;
    const Tensor logits = heads[head].cpu().contiguous();
    auto& policy =
        raw.policy.emplace_back(turned_back(logits.const_data_ptr<float>(), canvas, input));
    policy.push_back(logits[0][static_cast<std::int64_t>(canvas) * canvas].item<float>());
  }
  std::ranges::copy(numbers(heads[kValueHead].cpu().contiguous()), raw.value.begin());
  raw.misc = numbers(heads[kMiscHead].cpu().contiguous());
  const Tensor owned = heads[kOwnershipHead].cpu().contiguous();
  raw.ownership = turned_back(owned.const_data_ptr<float>(), canvas, input);
  return raw;
}

}  // namespace

std::vector<RawOutputs> raw_outputs(const Network& network,
                                    std::span<const EvaluationInput> inputs) {
  const at::NoGradGuard no_grad;
  const auto device = network.parameters().front().second.device();
  std::vector<RawOutputs> outputs;
  for (const EvaluationInput& input : inputs) {
    const int canvas = std::max(input.features.size.width, input.features.size.height);
    const Tensor planes = at::zeros({1, canvas, canvas, kPlanes}, at::kFloat);
    const Tensor scalars = at::zeros({1, kScalars}, at::kFloat);
    fill_input_row(input.features, input.symmetry, canvas, planes.mutable_data_ptr<float>(),
                   scalars.mutable_data_ptr<float>());
    const auto heads = network.forward(planes.permute({0, 3, 1, 2}).to(device), scalars.to(device));
    outputs.push_back(read(heads, canvas, input));
  }
  return outputs;
}

}  // namespace tengen
