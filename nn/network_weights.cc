#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "nn/features.h"
#include "nn/network.h"
#include "nn/network_tower.h"
#include "rules/rng.h"

namespace tengen::tower {
namespace {

using Kind = ModelBlock::Kind;

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

}  // namespace

void make_tensors(Tower& net, std::optional<std::uint64_t> seed) {
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

}  // namespace tengen::tower
