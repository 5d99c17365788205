#include "nn/network.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

using at::Tensor;

constexpr double kOutOfPlay = -1e4;  // logit of what cannot be
constexpr double kScoreScale = 20;   // KataGo's multiplier of scores
constexpr int kScoreReach = 60;      // KataGo's margin of the score beyond the area
constexpr int kParityScalar = kScalarParityWave;

// A scale and a bias per channel.
struct Affine {
  Tensor scale, bias;  // [C]

  // ReLU of it, masked: what is off the board stays exactly zero.
  Tensor operator()(const Tensor& x, const Tensor& mask) const {
    const auto per_channel = [&x](const Tensor& t) {
      return t.to(x.scalar_type()).view({-1, 1, 1});
    };
    // The mask before the ReLU lets both work in place, also when gradients are wanted.
    return at::addcmul(per_channel(bias), x, per_channel(scale)).mul_(mask).relu_();
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

// The rows' boards, for masking and pooling.
struct Boards {
  Tensor mask;  // [B, 1, H, W], in the arithmetic of the trunk
  Tensor area;  // [B, 1] fp32
  Tensor side;  // [B, 1] (sqrt(area) - 14) / 10
};

Boards boards_of(const Tensor& planes, at::ScalarType type) {
  const Tensor mask = planes.narrow(1, kPlaneOnBoard, 1);
  const Tensor area = at::sum(mask, {2, 3}, false, at::kFloat);
  return {mask.to(type), area, (area.sqrt() - 14.0) / 10.0};
}

Tensor mean_of(const Tensor& x, const Boards& boards) {
  return at::sum(x, {2, 3}, false, at::kFloat) / boards.area;
}

// Mean, mean * (sqrt(area) - 14) / 10 and maximum of masked activations, [B, 3 C] in fp32: KataGo's
// pooling in trunk and policy head.
Tensor pool(const Tensor& x, const Boards& boards) {
  const Tensor mean = mean_of(x, boards);
  return at::cat({mean, mean * boards.side, x.amax({2, 3}).to(at::kFloat)}, 1);
}

// Mean, mean * s and mean * (s * s - 0.1) for s = (sqrt(area) - 14) / 10: in the value head.
Tensor pool_for_value(const Tensor& x, const Boards& boards) {
  const Tensor mean = mean_of(x, boards);
  return at::cat({mean, mean * boards.side, mean * (boards.side.square() - 0.1)}, 1);
}

struct Pooling {
  Tensor conv_weight;  // undefined in an ordinary block
  Affine norm;
  Linear linear;
};

struct Block {
  Affine norm1, norm2;
  Tensor conv1, conv2;
  Pooling pooling;

  Tensor operator()(const Tensor& x, const Boards& boards) const {
    const Tensor a = norm1(x, boards.mask);
    Tensor r = conv(a, conv1);
    if (pooling.conv_weight.defined()) {
      const Tensor g = pooling.norm(conv(a, pooling.conv_weight), boards.mask);
      r = r + over_board(pooling.linear(pool(g, boards)), r.scalar_type());
    }
    return x + conv(norm2(r, boards.mask), conv2);
  }
};

struct PolicyHead {
  Tensor conv1, conv2;  // to P, to mover and opponent
  Pooling pooling;
  Affine norm;
  Linear pass;
};

struct ValueHead {
  Tensor conv1;
  Affine norm;
  Linear hidden, value, score;
  Tensor ownership;
  Linear bins_hidden, bins_out;
  Tensor bins_offset, bins_parity;  // [width of bins_hidden]
};

struct Tower {
  NetworkShape shape;
  std::vector<std::pair<std::string, Tensor>> parameters;  // the handles below, by name
  Tensor stem;
  Linear scalars;
  std::vector<Block> blocks;
  Affine tip;
  PolicyHead policy;
  ValueHead value;
};

// Fixed-variance initialisation (KataGo's "fixscale"): every convolution keeps variance 1 and the
// trunk gains up to 1 with each block, so block i reads it at 1 / sqrt(i + 1).
const double kReluGain = std::sqrt(2.0);  // ReLU halves the second moment (He et al., 2015)
const double kStemGain = 2 * kReluGain;   // about one plane in eight is set
constexpr double kScalarsGain = 2;        // few scalars are set
constexpr double kLastGain = 0.5;         // of a block's last convolution: a quiet start
constexpr double kPoolGain = 0.5;         // of what pooling adds
constexpr double kOutputGain = 0.1;       // outputs start near zero: flat policy, even value

// Makes parameters, each from its own stream of the seed, and lists them.
class Maker {
 public:
  // Without a seed weights are left unset.
  Maker(std::vector<std::pair<std::string, Tensor>>& list, std::optional<std::uint64_t> seed)
      : list_(list), seed_(seed) {}

  // Normal with deviation gain / sqrt(fan in).
  Tensor weight(const std::string& name, const std::vector<std::int64_t>& sizes, double gain) {
    const Tensor t = at::empty(sizes, at::kFloat);
    if (!seed_) return add(name, t);
    const auto fan_in = static_cast<double>(t.numel() / sizes[0]);
    Rng rng(*seed_, list_.size());
    float* values = t.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < t.numel(); ++i) {
      values[i] = static_cast<float>(rng.normal() * gain / std::sqrt(fan_in));
    }
    return add(name, t);
  }
  Tensor constant(const std::string& name, std::int64_t size, double value) {
    return add(name, at::full({size}, value, at::kFloat));
  }
  Affine affine(const std::string& name, std::int64_t channels, double scale = 1) {
    return {constant(name + ".scale", channels, scale), constant(name + ".bias", channels, 0)};
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
    p.conv_weight = weight(name + ".conv", {g, in, side, side}, kReluGain);
    p.norm = affine(name + ".norm", g);
    p.linear = linear(name + ".linear", 3 * g, out, kPoolGain);
    return p;
  }

 private:
  Tensor add(const std::string& name, const Tensor& t) {
    list_.emplace_back(name, t);
    return t;
  }

  std::vector<std::pair<std::string, Tensor>>& list_;
  std::optional<std::uint64_t> seed_;
};

Block make_block(Maker& make, const NetworkShape& shape, int index) {
  const std::string name = "block" + std::to_string(index);
  const bool pools = std::ranges::find(shape.gpool_blocks, index) != shape.gpool_blocks.end();
  const std::int64_t c = shape.channels;
  const std::int64_t r = pools ? c - shape.gpool_channels : c;
  Block block;
  block.norm1 = make.affine(name + ".norm1", c, 1 / std::sqrt(index + 1.0));
  block.conv1 = make.weight(name + ".conv1", {r, c, 3, 3}, kReluGain);
  if (pools) block.pooling = make.pooling(name + ".pool", c, shape.gpool_channels, r, 3);
  block.norm2 = make.affine(name + ".norm2", r);
  block.conv2 = make.weight(name + ".conv2", {c, r, 3, 3}, kLastGain * kReluGain);
  return block;
}

void make_heads(Maker& make, Tower& net) {
  const NetworkShape& shape = net.shape;
  const std::int64_t c = shape.channels, p = shape.policy_channels, v1 = shape.value_channels,
                     v2 = shape.value_hidden;
  net.policy.conv1 = make.weight("policy.conv1", {p, c, 1, 1}, kReluGain);
  net.policy.pooling = make.pooling("policy.pool", c, p, p, 1);
  net.policy.norm = make.affine("policy.norm", p);
  net.policy.conv2 = make.weight("policy.conv2", {2, p, 1, 1}, kOutputGain);
  net.policy.pass = make.linear("policy.pass", 3 * p, 2, kOutputGain);
  net.value.conv1 = make.weight("value.conv1", {v1, c, 1, 1}, kReluGain);
  net.value.norm = make.affine("value.norm", v1);
  net.value.hidden = make.linear_with_bias("value.hidden", 3 * v1, v2, kReluGain);
  net.value.value = make.linear_with_bias("value.value", v2, 3, kOutputGain);
  net.value.score = make.linear_with_bias("value.score", v2, 1, kOutputGain);
  net.value.ownership = make.weight("value.ownership", {1, v1, 1, 1}, kOutputGain);
  // Asked once for each of hundreds of bins: narrow, or it costs more than the trunk.
  const std::int64_t bins = std::max<std::int64_t>(16, v2 / 4);
  net.value.bins_hidden = make.linear_with_bias("value.bins_hidden", 3 * v1, bins, kReluGain);
  net.value.bins_offset = make.weight("value.bins_offset", {bins}, 1);
  net.value.bins_parity = make.weight("value.bins_parity", {bins}, 1);
  net.value.bins_out = make.linear("value.bins_out", bins, 1, kOutputGain);
}

void make_all(Tower& net, std::optional<std::uint64_t> seed) {
  Maker make(net.parameters, seed);
  const std::int64_t c = net.shape.channels;
  net.stem = make.weight("stem.conv", {c, kPlanes, 3, 3}, kStemGain);
  net.scalars = make.linear("stem.scalars", kScalars, c, kScalarsGain);
  for (int i = 0; i < net.shape.blocks; ++i) net.blocks.push_back(make_block(make, net.shape, i));
  net.tip = make.affine("tip", c, 1 / std::sqrt(net.shape.blocks + 1.0));
  make_heads(make, net);
}

// [B, 2, H * W + 1]: mover, opponent's reply.
Tensor policy_logits(const PolicyHead& head, const Tensor& trunk, const Boards& boards) {
  const Tensor g = head.pooling.norm(conv(trunk, head.pooling.conv_weight), boards.mask);
  const Tensor pooled = pool(g, boards);
  const Tensor bias = head.pooling.linear(pooled);
  const Tensor p =
      head.norm(conv(trunk, head.conv1) + over_board(bias, trunk.scalar_type()), boards.mask);
  const Tensor points =
      conv(p, head.conv2).to(at::kFloat).masked_fill(boards.mask == 0, kOutOfPlay);
  return at::cat({points.flatten(2), head.pass(pooled).to(at::kFloat).unsqueeze(2)}, 2);
}

// [B, kScoreBins]. An MLP asked once for each bin, by margin and by whether the margin has the
// parity that komi and area leave (KataGo's score belief). Bins that no board on this canvas can
// reach are not computed.
Tensor score_bins(const ValueHead& head, const Tensor& pooled, const Tensor& wave,
                  const Boards& boards, std::int64_t canvas_area) {
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
  const Tensor hidden = (of_row.unsqueeze(1) + of_bin.view({pairs, 2, width})).relu_();
  const Tensor logits = head.bins_out(hidden).view({-1, 2 * pairs}).to(at::kFloat);
  const Tensor beyond = margins.abs().unsqueeze(0) > boards.area + kScoreReach;
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
  for (const auto& [name, tensor] : impl_->parameters) {
    if (!tensor.isfinite().all().item<bool>()) return name;
  }
  return "";
}

std::int64_t Network::parameter_count() const {
  std::int64_t count = 0;
  for (const auto& [name, t] : impl_->parameters) count += t.numel();
  return count;
}

// Convolutions work on every point, matrices once; what only training asks for is left out.
double Network::flop_per_evaluation(int area) const {
  double flop = 0;
  for (const auto& [name, t] : impl_->parameters) {
    if (name.starts_with("value.bins") || name == "value.ownership" || t.dim() < 2) continue;
    flop += 2.0 * static_cast<double>(t.numel()) * (t.dim() == 4 ? area : 1);
  }
  return flop;
}

std::vector<Tensor> Network::forward(const Tensor& planes, const Tensor& scalars,
                                     bool for_play) const {
  const Impl& net = *impl_;
  check(planes.dim() == 4 && planes.size(1) == kPlanes, "planes are [B, 22, H, W]");
  check(scalars.dim() == 2 && scalars.size(1) == kScalars, "scalars are [B, 19]");
  Tensor x = conv(planes, net.stem);
  const Boards boards = boards_of(planes, x.scalar_type());
  x = x + over_board(net.scalars(scalars.to(at::kFloat)), x.scalar_type());
  for (const Block& block : net.blocks) x = block(x, boards);
  x = net.tip(x, boards.mask);

  const Tensor policy = policy_logits(net.policy, x, boards);
  const Tensor v = net.value.norm(conv(x, net.value.conv1), boards.mask);
  const Tensor pooled = pool_for_value(v, boards);
  const Tensor hidden = net.value.hidden(pooled).relu_();
  std::vector<Tensor> heads(kHeadCount);
  heads[kPolicyHead] = policy.select(1, 0);
  heads[kValueHead] = net.value.value(hidden).to(at::kFloat);
  heads[kScoreMeanHead] = net.value.score(hidden).squeeze(1).to(at::kFloat) * kScoreScale;
  if (for_play) return heads;
  const Tensor wave = scalars.narrow(1, kParityScalar, 1).to(at::kFloat);
  heads[kOpponentPolicyHead] = policy.select(1, 1);
  heads[kOwnershipHead] = conv(v, net.value.ownership).squeeze(1).to(at::kFloat);
  heads[kScoreHead] = score_bins(net.value, pooled, wave, boards, x.size(2) * x.size(3));
  return heads;
}

std::vector<std::pair<std::string, Tensor>> Network::parameters() const {
  return impl_->parameters;
}

Network Network::clone() const {
  const at::NoGradGuard no_grad;
  Network copy(impl_->shape);
  for (std::size_t i = 0; i < impl_->parameters.size(); ++i) {
    copy.impl_->parameters[i].second.set_data(impl_->parameters[i].second.detach().clone());
  }
  return copy;
}

}  // namespace tengen
