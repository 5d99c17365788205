#include "nn/network.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "nn/network_shape.h"
#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {

namespace {

using at::Tensor;

constexpr float kOffBoard = -1e4F;
constexpr double kScoreScale = 20;  // KataGo's multiplier of the score outputs

// x * scale + bias per channel, ReLU, mask: off-board points stay exactly zero.
struct Affine {
  Tensor scale, bias;  // [C, 1, 1]

  Tensor operator()(const Tensor& x, const Tensor& mask) const {
    return at::relu(at::addcmul(bias, x, scale)) * mask;
  }
};

struct Linear {
  Tensor weight, bias;  // [out, in], [out] or undefined

  Tensor operator()(const Tensor& x) const { return at::linear(x, weight, bias); }
};

Tensor conv(const Tensor& x, const Tensor& weight) {
  return at::conv2d(x, weight, {}, 1, weight.size(2) / 2);
}

// What pooling needs of the rows' board sizes.
struct Boards {
  Tensor mask;    // [B, 1, H, W]
  Tensor area;    // [B, 1]
  Tensor side;    // [B, 1] (sqrt(area) - 14) / 10
};

Boards boards_of(const Tensor& planes) {
  Boards b;
  b.mask = planes.slice(1, 0, 1).contiguous();
  const auto area = b.mask.to(at::kFloat).sum({2, 3});
  b.area = area;
  b.side = (at::sqrt(area) - 14.0) / 10.0;
  return b;
}

Tensor mean_of(const Tensor& x, const Boards& boards) {
  return x.to(at::kFloat).sum({2, 3}) / boards.area;
}

// KataGo's pooling in trunk and policy head: mean, mean * (sqrt(area) - 14) / 10, max. [B, 3C]
Tensor pool(const Tensor& x, const Boards& boards) {
  const auto mean = mean_of(x, boards);
  const auto max = std::get<0>(x.flatten(2).max(2)).to(at::kFloat);  // 0 off the board, x >= 0
  return at::cat({mean, mean * boards.side, max}, 1).to(x.scalar_type());
}

// In the value head: mean, mean * (b - 14) / 10, mean * ((b - 14)^2 / 100 - 0.1). [B, 3C]
Tensor pool_for_value(const Tensor& x, const Boards& boards) {
  const auto mean = mean_of(x, boards);
  const auto quadratic = mean * (boards.side.square() - 0.1);
  return at::cat({mean, mean * boards.side, quadratic}, 1).to(x.scalar_type());
}

Tensor over_board(const Tensor& per_channel) { return per_channel.unsqueeze(2).unsqueeze(3); }

struct Block {
  Affine before, middle, gpool_affine;
  Tensor first, second, gpool_conv;  // gpool_conv undefined in an ordinary block
  Linear gpool_bias;

  Tensor operator()(const Tensor& x, const Boards& boards) const {
    const auto a = before(x, boards.mask);
    auto r = conv(a, first);
    if (gpool_conv.defined()) {
      const auto g = gpool_affine(conv(a, gpool_conv), boards.mask);
      r = r + over_board(gpool_bias(pool(g, boards)));
    }
    return x + conv(middle(r, boards.mask), second);
  }
};

}  // namespace

struct Network::Impl {
  NetworkShape shape;
  std::vector<std::pair<std::string, Tensor>> parameters;

  Tensor stem;
  Linear stem_scalars;
  std::vector<Block> blocks;
  Affine tip;
  Tensor policy_conv, policy_gpool_conv, policy_out;
  Affine policy_gpool, policy_affine;
  Linear policy_bias, policy_pass;
  Tensor value_conv, ownership;
  Affine value_affine;
  Linear value_hidden, value_out, score_out, bins_hidden, bins_offset, bins_out;
  Tensor bin_inputs;  // [kScoreBins, 2] offset / 20 and parity: constants
};

namespace {

// Makes the parameters in a fixed order, each from its own random stream, or takes them from a list.
class Builder {
 public:
  Builder(Network::Impl& impl, std::uint64_t seed) : impl_(impl), seed_(seed) {}

  // Weights with variance gain^2 / fan_in, so that an input of variance 1 gives variance gain^2 (before ReLU).
  Tensor weight(const std::string& name, std::vector<std::int64_t> sizes, double gain) {
    std::int64_t count = 1, fan_in = 1;
    for (const auto s : sizes) count *= s;
    for (std::size_t i = 1; i < sizes.size(); ++i) fan_in *= sizes[i];
    Rng rng(seed_, impl_.parameters.size());
    const double deviation = gain / std::sqrt(static_cast<double>(fan_in));
    auto tensor = at::empty(sizes, at::kFloat);
    auto* data = tensor.data_ptr<float>();
    for (std::int64_t i = 0; i < count; ++i) data[i] = static_cast<float>(deviation * rng.normal());
    return add(name, tensor);
  }

  Tensor constant(const std::string& name, std::vector<std::int64_t> sizes, double value) {
    return add(name, at::full(sizes, value, at::kFloat));
  }

  Affine affine(const std::string& name, std::int64_t channels, double scale) {
    return {constant(name + ".scale", {channels, 1, 1}, scale),
            constant(name + ".bias", {channels, 1, 1}, 0)};
  }

  Linear linear(const std::string& name, std::int64_t in, std::int64_t out, double gain, bool bias) {
    Linear result{weight(name + ".weight", {out, in}, gain), {}};
    if (bias) result.bias = constant(name + ".bias", {out}, 0);
    return result;
  }

 private:
  Tensor add(const std::string& name, const Tensor& tensor) {
    impl_.parameters.emplace_back(name, tensor);
    return tensor;
  }

  Network::Impl& impl_;
  std::uint64_t seed_;
};

const double kReluGain = std::sqrt(2.0);  // keeps variance 1 through a ReLU (He et al., 2015)
constexpr double kSmall = 0.3;            // of the last convolution of a block
constexpr double kTiny = 0.1;             // of outputs: a new net's policy is nearly flat

Block make_block(Builder& make, const NetworkShape& shape, int index) {
  const auto name = "block" + std::to_string(index);
  const std::int64_t c = shape.channels;
  const bool pools = std::ranges::count(shape.gpool_blocks, index) != 0;
  const std::int64_t g = pools ? shape.gpool_channels : 0;
  Block block;
  // The trunk has grown to variance about index + 1 by now: read it at variance 1.
  block.before = make.affine(name + ".before", c, 1 / std::sqrt(index + 1.0));
  block.first = make.weight(name + ".first", {c - g, c, 3, 3}, kReluGain);
  if (pools) {
    block.gpool_conv = make.weight(name + ".gpool", {g, c, 3, 3}, kReluGain);
    block.gpool_affine = make.affine(name + ".gpool_affine", g, 1);
    block.gpool_bias = make.linear(name + ".gpool_bias", 3 * g, c - g, kSmall, false);
  }
  block.middle = make.affine(name + ".middle", c - g, 1);
  block.second = make.weight(name + ".second", {c, c - g, 3, 3}, kSmall * kReluGain);
  return block;
}

void make_heads(Builder& make, Network::Impl& net) {
  const auto& s = net.shape;
  const std::int64_t c = s.channels, p = s.policy_channels, v = s.value_channels,
                     h = s.value_hidden;
  net.tip = make.affine("tip", c, 1 / std::sqrt(1.0 + s.blocks * kSmall));
  net.policy_conv = make.weight("policy.conv", {p, c, 1, 1}, kReluGain);
  net.policy_gpool_conv = make.weight("policy.gpool", {p, c, 1, 1}, kReluGain);
  net.policy_gpool = make.affine("policy.gpool_affine", p, 1);
  net.policy_bias = make.linear("policy.gpool_bias", 3 * p, p, kSmall, false);
  net.policy_affine = make.affine("policy.affine", p, 1);
  net.policy_out = make.weight("policy.out", {2, p, 1, 1}, kTiny);
  net.policy_pass = make.linear("policy.pass", 3 * p, 2, kTiny, false);
  net.value_conv = make.weight("value.conv", {v, c, 1, 1}, kReluGain);
  net.value_affine = make.affine("value.affine", v, 1);
  net.value_hidden = make.linear("value.hidden", 3 * v, h, kReluGain, true);
  net.value_out = make.linear("value.out", h, 3, kTiny, true);
  net.score_out = make.linear("value.score", h, 1, kTiny, true);
  net.ownership = make.weight("value.ownership", {1, v, 1, 1}, kTiny);
  net.bins_hidden = make.linear("value.bins_hidden", 3 * v, h, kReluGain, true);
  net.bins_offset = make.linear("value.bins_offset", 2, h, 1, false);
  net.bins_out = make.linear("value.bins_out", h, 1, kTiny, true);
}

void make_bin_inputs(Network::Impl& net) {
  net.bin_inputs = at::empty({kScoreBins, 2}, at::kFloat);
  auto inputs = net.bin_inputs.accessor<float, 2>();
  for (int i = 0; i < kScoreBins; ++i) {
    inputs[i][0] = static_cast<float>((i - kScoreBins / 2 + 0.5) / kScoreScale);
    inputs[i][1] = i % 2 == 0 ? 0.5F : -0.5F;
  }
}

// [B, 2, H*W + 1] logits of mover and opponent.
Tensor policy_logits(const Network::Impl& net, const Tensor& trunk, const Boards& boards) {
  const auto pooled =
      pool(net.policy_gpool(conv(trunk, net.policy_gpool_conv), boards.mask), boards);
  const auto p = conv(trunk, net.policy_conv) + over_board(net.policy_bias(pooled));
  const auto points = conv(net.policy_affine(p, boards.mask), net.policy_out);
  const auto on_board = points + (boards.mask - 1.0) * -kOffBoard;
  return at::cat({on_board.flatten(2), net.policy_pass(pooled).unsqueeze(2)}, 2).to(at::kFloat);
}

// [B, kScoreBins]: an MLP over (pooled features, the bin's margin and parity), as KataGo's score belief.
Tensor score_bins(const Network::Impl& net, const Tensor& pooled, const Boards& boards) {
  const auto offsets = net.bins_offset(net.bin_inputs.to(pooled.scalar_type()));  // [bins, h]
  const auto hidden = at::relu(net.bins_hidden(pooled).unsqueeze(1) + offsets.unsqueeze(0));
  const auto logits = net.bins_out(hidden).squeeze(2).to(at::kFloat);
  const auto reach = (boards.area + 60.0) / kScoreScale;  // [B, 1]
  return logits.masked_fill(net.bin_inputs.select(1, 0).abs().unsqueeze(0) > reach, kOffBoard);
}

}  // namespace

Network::Network(const NetworkShape& shape, std::uint64_t seed) : impl_(std::make_unique<Impl>()) {
  const at::NoGradGuard no_grad;
  impl_->shape = shape;
  Builder make(*impl_, seed);
  const std::int64_t c = shape.channels;
  impl_->stem = make.weight("stem.conv", {c, kPlanes, 3, 3}, 2 * kReluGain);  // planes are sparse
  impl_->stem_scalars = make.linear("stem.scalars", kScalars, c, 1, false);
  for (int i = 0; i < shape.blocks; ++i) impl_->blocks.push_back(make_block(make, shape, i));
  make_heads(make, *impl_);
  make_bin_inputs(*impl_);
}

Network::Network(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

const NetworkShape& Network::shape() const { return impl_->shape; }

std::vector<Tensor> Network::forward(const Tensor& planes, const Tensor& scalars, int heads) const {
  const auto& net = *impl_;
  const auto boards = boards_of(planes);
  auto x = (conv(planes, net.stem) + over_board(net.stem_scalars(scalars))) * boards.mask;
  for (const auto& block : net.blocks) x = block(x, boards);
  x = net.tip(x, boards.mask);

  std::vector<Tensor> out(heads);
  const auto policy = policy_logits(net, x, boards);
  out[kPolicyHead] = policy.select(1, 0);
  out[kOpponentPolicyHead] = policy.select(1, 1);
  const auto v = net.value_affine(conv(x, net.value_conv), boards.mask);
  const auto pooled = pool_for_value(v, boards);
  const auto hidden = at::relu(net.value_hidden(pooled));
  out[kValueHead] = net.value_out(hidden).to(at::kFloat);
  out[kScoreMeanHead] = net.score_out(hidden).to(at::kFloat).squeeze(1) * kScoreScale;
  if (heads <= kPlayHeads) return out;
  out[kOwnershipHead] = conv(v, net.ownership).squeeze(1).to(at::kFloat);
  out[kScoreBinsHead] = score_bins(net, pooled, boards);
  return out;
}

std::vector<std::pair<std::string, Tensor>> Network::parameters() const { return impl_->parameters; }

}  // namespace tengen
