#include "nn/network.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

using at::Tensor;

constexpr double kOutOfPlay = -1e4;  // logit of what cannot be
constexpr int kScoreReach = 60;      // KataGo's margin of the score beyond the area
constexpr int kParityScalar = kScalarParityWave;

using Kind = ModelBlock::Kind;

Tensor activated(const Tensor& x, Activation kind) {
  switch (kind) {
    case Activation::kIdentity:
      return x;
    case Activation::kRelu:
      return at::relu(x);
    case Activation::kMish:
      return at::mish(x);
    case Activation::kSilu:
      return at::silu(x);
  }
  return x;
}

// The rows' boards, for masking and pooling.
struct Boards {
  Tensor mask;  // [B, 1, H, W], in the arithmetic of the trunk
  Tensor area;  // [B, 1] fp32
  Tensor side;  // [B, 1] (sqrt(area) - 14) / 10
};

// What the layers of one forward pass share.
struct Pass {
  Boards boards;
  Activation activation;
  bool in_training;
  std::vector<Tensor>* statistics;  // of the batch, or nullptr
};

Boards boards_of(const Tensor& planes, at::ScalarType type) {
  const Tensor mask = planes.narrow(1, kPlaneOnBoard, 1);
  const Tensor area = at::sum(mask, {2, 3}, false, at::kFloat);
  return {mask.to(type), area, (area.sqrt() - 14.0) / 10.0};
}

// A scale and a bias per channel, after normalisation by a mean and variance if there are any.
struct Norm {
  Tensor scale, bias;     // [C]
  Tensor mean, variance;  // [C], running; undefined without batch norm

  // The activation of it, masked: what is off the board stays exactly zero.
  Tensor operator()(const Tensor& x, const Pass& pass) const {
    Tensor merged_scale = scale, merged_bias = bias;
    if (mean.defined()) {
      const auto [m, v] = pass.in_training ? batch_statistics(x, pass) : std::pair(mean, variance);
      merged_scale = scale * (v + kNormEpsilon).rsqrt();
      merged_bias = bias - merged_scale * m;
    }
    const auto per_channel = [&x](const Tensor& t) {
      return t.to(x.scalar_type()).view({-1, 1, 1});
    };
    // The mask before the activation lets both work in place, also when gradients are wanted.
    Tensor sum = at::addcmul(per_channel(merged_bias), x, per_channel(merged_scale));
    sum.mul_(pass.boards.mask);
    return pass.activation == Activation::kRelu ? sum.relu_() : activated(sum, pass.activation);
  }

 private:
  // Over the points that are on the boards.
  std::pair<Tensor, Tensor> batch_statistics(const Tensor& x, const Pass& pass) const {
    const Tensor mask = pass.boards.mask.to(at::kFloat);
    const Tensor points = pass.boards.area.sum();
    const Tensor wide = x.to(at::kFloat);
    const Tensor m = (wide * mask).sum({0, 2, 3}) / points;
    const Tensor v = ((wide - m.view({-1, 1, 1})).square() * mask).sum({0, 2, 3}) / points;
    if (pass.statistics != nullptr) {
      pass.statistics->push_back(m.detach());
      pass.statistics->push_back(v.detach());
    }
    return {m, v};
  }
};

struct Linear {
  Tensor weight, bias;  // [out, in]; [out] or undefined

  Tensor operator()(const Tensor& x) const { return at::linear(x, weight, bias); }
};

Tensor conv(const Tensor& x, const Tensor& weight) {
  return at::conv2d(x, weight.to(x.scalar_type()), {}, 1, weight.size(2) / 2);
}

Tensor over_board(const Tensor& per_channel, at::ScalarType type) {
  return per_channel.to(type).unsqueeze(2).unsqueeze(3);
}

Tensor mean_of(const Tensor& x, const Boards& boards) {
  return at::sum(x, {2, 3}, false, at::kFloat) / boards.area;
}

// Mean, mean * (sqrt(area) - 14) / 10 and maximum of masked activations, [B, 3 C] in fp32: KataGo's
// pooling in trunk and policy head. The maximum is of what is on the board, and at least -1, as
// KataGo has it.
Tensor pool(const Tensor& x, const Pass& pass) {
  const Boards& boards = pass.boards;
  const Tensor mean = mean_of(x, boards);
  const bool is_positive = pass.activation == Activation::kRelu;
  const Tensor on_board = is_positive ? x : (x + (boards.mask - 1)).clamp_min(-1);
  return at::cat({mean, mean * boards.side, on_board.amax({2, 3}).to(at::kFloat)}, 1);
}

// Mean, mean * s and mean * (s * s - 0.1) for s = (sqrt(area) - 14) / 10: in the value head.
Tensor pool_for_value(const Tensor& x, const Boards& boards) {
  const Tensor mean = mean_of(x, boards);
  return at::cat({mean, mean * boards.side, mean * (boards.side.square() - 0.1)}, 1);
}

struct Pooling {
  Tensor conv_weight;
  Norm norm;
  Linear linear;
};

struct Block {
  Kind kind = Kind::kOrdinary;
  Norm norm1, norm2;
  Tensor conv1, conv2;
  Pooling pooling;           // kPooling
  std::vector<Block> inner;  // kNested

  Tensor operator()(const Tensor& x, const Pass& pass) const {
    const Tensor a = norm1(x, pass);
    Tensor r = conv(a, conv1);
    if (kind == Kind::kPooling) {
      const Tensor g = pooling.norm(conv(a, pooling.conv_weight), pass);
      r = r + over_board(pooling.linear(pool(g, pass)), r.scalar_type());
    }
    for (const Block& block : inner) r = block(r, pass);
    return x + conv(norm2(r, pass), conv2);
  }
};

// Planes of the policy, in the order of their heads.
constexpr std::array kPolicyHeads = {kPolicyHead, kOpponentPolicyHead, kSoftPolicyHead,
                                     kSoftOpponentPolicyHead, kOptimisticPolicyHead};

struct PolicyHead {
  Tensor conv1, conv2;  // to P, to the planes
  Pooling pooling;
  Norm norm;
  Linear pass_hidden;  // undefined without
  Linear pass;
};

struct ValueHead {
  Tensor conv1;
  Norm norm;
  Linear hidden, value, misc, short_term;
  Tensor ownership;
  Linear bins_hidden, bins_out;
  Tensor bins_offset, bins_parity;  // [width of bins_hidden]
};

using NamedList = std::vector<std::pair<std::string, Tensor>>;

struct Tower {
  NetworkShape shape;
  NamedList parameters, statistics;  // the handles below, by name
  Tensor stem;
  Linear scalars;
  std::vector<Block> blocks;
  Norm tip;
  PolicyHead policy;
  ValueHead value;
};

// What a normal variable of deviation 1 must be multiplied with after an activation to have second
// moment 1 again (He et al., 2015, for any activation): sqrt(2) for ReLU.
double gain_of(Activation kind) {
  const Tensor x = at::linspace(-8, 8, 4001, at::kDouble);
  const Tensor density = (-x.square() / 2).exp();
  const Tensor moment = (activated(x, kind).square() * density).sum() / density.sum();
  return 1 / std::sqrt(moment.item<double>());
}

// Fixed-variance initialisation (KataGo's "fixscale"): every convolution keeps variance 1 and the
// trunk gains up to 1 with each block, so block i reads it at 1 / sqrt(i + 1). Batch norm does that
// by itself. Gains below are multiples of the activation's.
constexpr double kStemGain = 2;      // about one plane in eight is set
constexpr double kScalarsGain = 2;   // few scalars are set; not of the activation
constexpr double kLastGain = 0.5;    // of a block's last convolution: a quiet start
constexpr double kPoolGain = 0.5;    // of what pooling adds; not of the activation
constexpr double kOutputGain = 0.1;  // outputs start near zero: flat policy, even value

// Makes tensors, each from its own stream of the seed, and lists them.
class Maker {
 public:
  // Without a seed weights are left unset.
  Maker(Tower& net, std::optional<std::uint64_t> seed)
      : net_(net), seed_(seed), gain_(gain_of(net.shape.activation)) {}

  double gain() const { return gain_; }

  // Normal with deviation gain / sqrt(fan in).
  Tensor weight(const std::string& name, const std::vector<std::int64_t>& sizes, double gain) {
    const Tensor t = at::empty(sizes, at::kFloat);
    if (!seed_) return add(name, t);
    const auto fan_in = static_cast<double>(t.numel() / sizes[0]);
    Rng rng(*seed_, net_.parameters.size());
    float* values = t.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < t.numel(); ++i) {
      values[i] = static_cast<float>(rng.normal() * gain / std::sqrt(fan_in));
    }
    return add(name, t);
  }
  Tensor constant(const std::string& name, std::int64_t size, double value) {
    return add(name, at::full({size}, value, at::kFloat));
  }
  // Reads what has gained variance 1 from each of `before` layers.
  Norm norm(const std::string& name, std::int64_t channels, int before = 0) {
    const bool is_batch = net_.shape.norm == NormKind::kBatch;
    const double scale = is_batch ? 1 : 1 / std::sqrt(before + 1.0);
    Norm norm{
        constant(name + ".scale", channels, scale), constant(name + ".bias", channels, 0), {}, {}};
    if (is_batch) {
      norm.mean = at::zeros({channels}, at::kFloat);
      norm.variance = at::ones({channels}, at::kFloat);
      net_.statistics.emplace_back(name + ".mean", norm.mean);
      net_.statistics.emplace_back(name + ".variance", norm.variance);
    }
    return norm;
  }
  Linear linear(const std::string& name, std::int64_t in, std::int64_t out, double gain) {
    return {weight(name + ".weight", {out, in}, gain), {}};
  }
  Linear linear_with_bias(const std::string& name, std::int64_t in, std::int64_t out, double gain) {
    return {weight(name + ".weight", {out, in}, gain), constant(name + ".bias", out, 0)};
  }
  Pooling pooling(const std::string& name, std::int64_t in, std::int64_t g, std::int64_t out,
                  std::int64_t side) {
    Pooling p;
    p.conv_weight = weight(name + ".conv", {g, in, side, side}, gain_);
    p.norm = norm(name + ".norm", g);
    p.linear = linear(name + ".linear", 3 * g, out, kPoolGain);
    return p;
  }
  // Block number `index` of a stream of `channels`.
  Block block(const std::string& name, const BlockShape& shape, std::int64_t channels, int index) {
    const std::int64_t middle = shape.middle;
    const std::int64_t side = shape.kind == Kind::kNested ? 1 : 3;
    Block block;
    block.kind = shape.kind;
    block.norm1 = norm(name + ".norm1", channels, index);
    block.conv1 = weight(name + ".conv1", {middle, channels, side, side}, gain_);
    if (shape.kind == Kind::kPooling) {
      block.pooling = pooling(name + ".pool", channels, shape.pooled, middle, 3);
    }
    int inside = 0;
    for (const BlockShape& inner : shape.inner) {
      block.inner.push_back(
          this->block(name + ".inner" + std::to_string(inside), inner, middle, inside));
      ++inside;
    }
    block.norm2 = norm(name + ".norm2", middle, inside);
    block.conv2 = weight(name + ".conv2", {channels, middle, side, side}, kLastGain * gain_);
    return block;
  }

 private:
  Tensor add(const std::string& name, const Tensor& t) {
    net_.parameters.emplace_back(name, t);
    return t;
  }

  Tower& net_;
  std::optional<std::uint64_t> seed_;
  double gain_;
};

void make_policy_head(Maker& make, Tower& net) {
  const NetworkShape& shape = net.shape;
  const std::int64_t p = shape.policy_channels, g = shape.policy_pooled;
  const std::int64_t planes = shape.has_optimistic ? 5 : 4;
  PolicyHead& head = net.policy;
  head.conv1 = make.weight("policy.conv1", {p, shape.channels, 1, 1}, make.gain());
  head.pooling = make.pooling("policy.pool", shape.channels, g, p, 1);
  head.norm = make.norm("policy.norm", p);
  head.conv2 = make.weight("policy.conv2", {planes, p, 1, 1}, kOutputGain);
  if (shape.has_pass_hidden) {
    head.pass_hidden = make.linear_with_bias("policy.pass_hidden", 3 * g, p, make.gain());
  }
  const std::int64_t pass_in = shape.has_pass_hidden ? p : 3 * g;
  head.pass = make.linear("policy.pass", pass_in, planes, kOutputGain);
}

void make_value_head(Maker& make, Tower& net) {
  const NetworkShape& shape = net.shape;
  const std::int64_t v1 = shape.value_channels, v2 = shape.value_hidden;
  ValueHead& head = net.value;
  head.conv1 = make.weight("value.conv1", {v1, shape.channels, 1, 1}, make.gain());
  head.norm = make.norm("value.norm", v1);
  head.hidden = make.linear_with_bias("value.hidden", 3 * v1, v2, make.gain());
  head.value = make.linear_with_bias("value.value", v2, 3, kOutputGain);
  head.misc = make.linear_with_bias("value.misc", v2, misc_outputs(shape.version), kOutputGain);
  head.short_term =
      make.linear_with_bias("value.short_term", v2, std::int64_t{3} * kHorizons, kOutputGain);
  head.ownership = make.weight("value.ownership", {1, v1, 1, 1}, kOutputGain);
  // Asked once for each of hundreds of bins: narrow, or it costs more than the trunk.
  const std::int64_t bins = std::max<std::int64_t>(16, v2 / 4);
  head.bins_hidden = make.linear_with_bias("value.bins_hidden", 3 * v1, bins, make.gain());
  head.bins_offset = make.weight("value.bins_offset", {bins}, 1);
  head.bins_parity = make.weight("value.bins_parity", {bins}, 1);
  head.bins_out = make.linear("value.bins_out", bins, 1, kOutputGain);
}

void make_all(Tower& net, std::optional<std::uint64_t> seed) {
  Maker make(net, seed);
  const std::int64_t c = net.shape.channels, side = net.shape.stem_size;
  net.stem = make.weight("stem.conv", {c, kPlanes, side, side}, kStemGain * make.gain());
  net.scalars = make.linear("stem.scalars", kScalars, c, kScalarsGain);
  int index = 0;
  for (const BlockShape& block : net.shape.blocks) {
    net.blocks.push_back(make.block("block" + std::to_string(index), block, c, index));
    ++index;
  }
  net.tip = make.norm("tip", c, index);
  make_policy_head(make, net);
  make_value_head(make, net);
}

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
  make_all(*impl_, seed);
}
Network::Network(const NetworkShape& shape) : impl_(std::make_unique<Impl>()) {
  impl_->shape = shape;
  make_all(*impl_, std::nullopt);
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
