#include "nn/network.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>

#include "nn/network_tower.h"
#include "rules/check.h"

namespace tengen {

using namespace tower;

namespace {

constexpr double kOutOfPlay = -1e4;  // logit of what cannot be
constexpr int kScoreReach = 60;      // KataGo's margin of the score beyond the area
constexpr int kParityScalar = kScalarParityWave;

// Planes of the policy, in the order of their heads.
constexpr std::array kPolicyHeads = {kPolicyHead, kOpponentPolicyHead, kSoftPolicyHead,
                                     kSoftOpponentPolicyHead, kOptimisticPolicyHead};

// [B, planes, H * W + 1]
Tensor policy_logits(const PolicyHead& head, const Tensor& trunk, const Pass& pass) {
  const Tensor g = head.pooling.norm(conv(trunk, head.pooling.conv_weight), pass);
  const Tensor pooled = pool(g, pass);
  const Tensor bias = head.pooling.linear(pooled);
  const Tensor p = head.norm(conv(trunk, head.conv1) + over_board(bias, trunk.scalar_type()), pass);
  const Tensor points =
      conv(p, head.conv2).to(at::kFloat).masked_fill(pass.boards.mask == 0, kOutOfPlay);
  const Tensor before_pass = head.pass_hidden.weight.defined()
                                 ? activated(head.pass_hidden(pooled), pass.activation)
                                 : pooled;
  return at::cat({points.flatten(2), head.pass(before_pass).to(at::kFloat).unsqueeze(2)}, 2);
}

// [B, kScoreBins]. An MLP asked once for each bin, by margin and by whether the margin has the
// parity that komi and area leave (KataGo's score belief). Bins that no board on this canvas can
// reach are not computed.
Tensor score_bins(const ValueHead& head, const Tensor& pooled, const Tensor& wave, const Pass& pass,
                  std::int64_t canvas_area) {
  const std::int64_t pairs = std::min<std::int64_t>(canvas_area + kScoreReach, kScoreBins / 2);
  const std::int64_t unreached = kScoreBins / 2 - pairs;
  const Tensor margins =
      at::arange(2 * pairs, pooled.options()) - (static_cast<double>(pairs) - 0.5);
  // Bin parity alternates: even bins see +wave, odd ones -wave.
  const Tensor even_and_odd = at::stack({wave, -wave}, 1);  // [B, 2, 1]
  const Tensor sign = unreached % 2 == 0 ? even_and_odd : even_and_odd.flip(1);
  const Tensor of_row = head.bins_hidden(pooled).unsqueeze(1) + sign * head.bins_parity;
  const Tensor of_bin = (margins / kScoreScale).unsqueeze(1) * head.bins_offset;
  const std::int64_t width = head.bins_offset.size(0);
  const Tensor hidden =
      activated(of_row.unsqueeze(1) + of_bin.view({pairs, 2, width}), pass.activation);
  const Tensor logits = head.bins_out(hidden).view({-1, 2 * pairs}).to(at::kFloat);
  const Tensor beyond = margins.abs().unsqueeze(0) > pass.boards.area + kScoreReach;
  return at::constant_pad_nd(logits.masked_fill(beyond, kOutOfPlay), {unreached, unreached},
                             kOutOfPlay);
}

}  // namespace

struct Network::Impl : Tower {};

Network::Network(const NetworkShape& shape, std::uint64_t seed) : impl_(std::make_unique<Impl>()) {
  impl_->shape = shape;
  make_tensors(*impl_, seed);
}
Network::Network(const NetworkShape& shape) : impl_(std::make_unique<Impl>()) {
  impl_->shape = shape;
  make_tensors(*impl_, std::nullopt);
}

Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

const NetworkShape& Network::shape() const {
  return impl_->shape;
}

std::string Network::not_finite() const {
  for (const auto& [name, tensor] : tensors()) {
    if (!tensor.isfinite().all().item<bool>()) return name;
  }
  return "";
}

std::int64_t Network::parameter_count() const {
  std::int64_t count = 0;
  for (const auto& [name, t] : impl_->parameters) count += t.numel();
  return count;
}

std::vector<Tensor> Network::forward(const Tensor& planes, const Tensor& scalars, ForwardMode mode,
                                     std::vector<Tensor>* statistics) const {
  const Impl& net = *impl_;
  check(planes.dim() == 4 && planes.size(1) == kPlanes, "planes are [B, 22, H, W]");
  check(scalars.dim() == 2 && scalars.size(1) == kScalars, "scalars are [B, 19]");
  Tensor x = conv(planes, net.stem);
  const Pass pass{boards_of(planes, x.scalar_type()), net.shape.activation,
                  mode == ForwardMode::kTraining, statistics};
  x = x + over_board(net.scalars(scalars.to(at::kFloat)), x.scalar_type());
  for (const Block& block : net.blocks) x = block(x, pass);
  x = net.tip(x, pass);

  std::vector<Tensor> heads(kHeadCount);
  const Tensor policy = policy_logits(net.policy, x, pass);
  for (std::int64_t plane = 0; plane < policy.size(1); ++plane) {
    heads[kPolicyHeads[plane]] = policy.select(1, plane);
  }
  const Tensor v = net.value.norm(conv(x, net.value.conv1), pass);
  const Tensor pooled = pool_for_value(v, pass.boards);
  const Tensor hidden = activated(net.value.hidden(pooled), pass.activation);
  heads[kValueHead] = net.value.value(hidden).to(at::kFloat);
  const Tensor misc = net.value.misc(hidden).to(at::kFloat);
  heads[kMiscHead] = misc;
  if (mode == ForwardMode::kPlay) return heads;
  heads[kShortTermValueHead] = net.value.short_term(hidden).to(at::kFloat).view({-1, kHorizons, 3});
  heads[kScoreMeanHead] = misc.select(1, kMiscScoreMean) * kScoreScale;
  heads[kScoreDeviationHead] = at::softplus(misc.select(1, kMiscScoreDeviation)) * kScoreScale;
  heads[kLeadHead] = misc.select(1, kMiscLead) * kScoreScale;
  const Tensor wave = scalars.narrow(1, kParityScalar, 1).to(at::kFloat);
  heads[kOwnershipHead] = conv(v, net.value.ownership).squeeze(1).to(at::kFloat);
  heads[kScoreHead] = score_bins(net.value, pooled, wave, pass, x.size(2) * x.size(3));
  return heads;
}

NamedList Network::parameters() const {
  return impl_->parameters;
}
NamedList Network::statistics() const {
  return impl_->statistics;
}
NamedList Network::tensors() const {
  NamedList all = impl_->parameters;
  all.insert(all.end(), impl_->statistics.begin(), impl_->statistics.end());
  return all;
}

Network Network::clone() const {
  const at::NoGradGuard no_grad;
  Network copy(impl_->shape);
  const NamedList from = tensors(), to = copy.tensors();
  for (std::size_t i = 0; i < from.size(); ++i) {
    Tensor(to[i].second).set_data(from[i].second.detach().clone());
  }
  return copy;
}

NamedList merged_parameters(const Network& network) {
  const at::NoGradGuard no_grad;
  NamedList list;
  for (const auto& [name, t] : network.parameters()) list.emplace_back(name, t.detach());
  const auto find = [&list](const std::string& name) -> Tensor& {
    return std::ranges::find(list, name, &NamedList::value_type::first)->second;
  };
  const NamedList statistics = network.statistics();
  for (std::size_t i = 0; i < statistics.size(); i += 2) {
    const std::string name = statistics[i].first.substr(0, statistics[i].first.rfind('.'));
    const Tensor mean = statistics[i].second, variance = statistics[i + 1].second;
    Tensor &scale = find(name + ".scale"), &bias = find(name + ".bias");
    scale = scale * (variance + kNormEpsilon).rsqrt();
    bias = bias - scale * mean;
  }
  return list;
}

}  // namespace tengen
