#include "tests/nn/random_net_model.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "nn/features.h"
#include "rules/rng.h"

namespace tengen {
namespace {

class Maker {
 public:
  Maker(std::uint64_t seed, const RandomNetOptions& options) : rng_(seed), o_(options) {}

  NetModel model() {
    NetModel m;
    m.name = "random-v" + std::to_string(o_.version);
    m.version = o_.version;
    m.scales = default_scales(o_.version);
    if (o_.version >= 13 && !o_.is_lively) {
      m.scales.score_mean = {18.5, "18.50"};
      m.scales.score_stdev = {21, {}};
      m.scales.lead = {19.25, {}};
      m.scales.variance_time = {35, {}};
      m.scales.winloss_error = {0.3, {}};
      m.scales.score_error = {140, "1.4e2"};
    }
    if (o_.version >= 15 && !o_.is_lively) m.options[1] = static_cast<int>(rng_.below(2));
    const int widest = o_.mid > 0 ? o_.mid : o_.channels;
    m.widths = {widest, widest, o_.pooled, o_.pooled};
    m.stem = conv("stem", o_.stem_kernel, kPlanes, o_.channels, o_.is_lively ? 2 : 1);
    m.scalars = matrix("stem.scalars", kScalars, o_.channels);
    for (const ModelBlock::Kind kind : o_.blocks) {
      m.blocks.push_back(
          block("block" + std::to_string(m.blocks.size()), kind, o_.channels, o_.mid));
    }
    m.tip = normed("tip", o_.channels);
    m.policy = policy();
    m.value = value();
    return m;
  }

 private:
  int pooled_of(int channels) const {
    return o_.mid > 0 ? o_.pooled : std::min(o_.pooled, channels / 2);
  }
  int usual_mid(ModelBlock::Kind kind, int channels) const {
    if (kind == ModelBlock::Kind::kNested) return channels / 2;
    return kind == ModelBlock::Kind::kPooling ? channels - pooled_of(channels) : channels;
  }

  // mid 0: the usual one.
  ModelBlock block(const std::string& name, ModelBlock::Kind kind, int channels, int mid) {
    const int kernel = kind == ModelBlock::Kind::kNested ? 1 : 3;
    const int inside = mid > 0 ? mid - 1 : 0;
    if (mid == 0) mid = usual_mid(kind, channels);
    ModelBlock b;
    b.kind = kind;
    b.name = name;
    b.read1 = normed(name + ".1", channels);
    b.conv1 = conv(name + ".conv1", kernel, channels, mid);
    if (kind == ModelBlock::Kind::kPooling)
      b.pooling = pooling(name, 3, channels, pooled_of(channels), mid);
    if (kind == ModelBlock::Kind::kNested) {
      b.inner.push_back(block(name + ".a", ModelBlock::Kind::kOrdinary, mid, inside));
      b.inner.push_back(block(name + ".b", ModelBlock::Kind::kPooling, mid, inside));
    }
    b.read2 = normed(name + ".2", mid);
    b.conv2 = conv(name + ".conv2", kernel, mid, channels, o_.is_lively ? 0.5 : 1);
    return b;
  }

  ModelPolicyHead policy() {
    const int planes = o_.version < 12 ? 1 : o_.version < 16 ? 2 : 4;
    ModelPolicyHead h;
    h.name = "policyhead";
    h.conv1 = conv("p1", 1, o_.channels, o_.policy);
    const int pooled = o_.policy_pooled > 0 ? o_.policy_pooled : o_.pooled;
    h.pooling = pooling("policyhead", 1, o_.channels, pooled, o_.policy);
    h.read = normed("p1", o_.policy);
    h.conv2 = conv("p2", 1, o_.policy, planes);
    const bool is_deep = o_.version >= 15;
    h.pass = matrix("pass", 3 * pooled, is_deep ? o_.policy : planes);
    if (is_deep) {
      h.pass_hidden = {bias("pass.bias", o_.policy), activation("pass.act"),
                       matrix("pass2", o_.policy, planes)};
    }
    return h;
  }

  ModelValueHead value() {
    const int misc = o_.version < 9 ? 4 : 6;
    ModelValueHead h;
    h.name = "valuehead";
    h.conv1 = conv("v1", 1, o_.channels, o_.value);
    h.read = normed("v1", o_.value);
    h.hidden = matrix("v2", 3 * o_.value, o_.hidden);
    h.hidden_bias = bias("v2.bias", o_.hidden);
    h.hidden_activation = activation("v2.act");
    h.value = matrix("v3", o_.hidden, 3);
    h.value_bias = bias("v3.bias", 3);
    h.misc = matrix("misc", o_.hidden, misc);
    h.misc_bias = bias("misc.bias", misc);
    h.ownership = conv("ownership", 1, o_.value, 1);
    return h;
  }

  PoolingLayers pooling(const std::string& name, int kernel, int in, int pooled, int out) {
    return {conv(name + ".pool", kernel, in, pooled), normed(name + ".pool", pooled),
            matrix(name + ".pool.matrix", 3 * pooled, out)};
  }

  NormedActivation normed(const std::string& name, int channels) {
    NormLayer norm{name + ".norm", channels, {1e-5, "1e-05"}, {}, {}, {}, {}};
    norm.mean = numbers(channels, 0.2, 0);
    norm.variance = numbers(channels, 0.1, 1);
    if (o_.is_lively || rng_.below(4) > 0) norm.scale = numbers(channels, 0.3, 1);
    if (o_.is_lively || rng_.below(4) > 0) norm.bias = numbers(channels, 0.3, 0);
    if (o_.is_lively) norm.scale[0] = -norm.scale[0];
    return {std::move(norm), activation(name + ".act")};
  }

  ActivationLayer activation(const std::string& name) {
    const auto drawn = rng_.below(static_cast<std::uint32_t>(o_.activations.size()));
    return {name, o_.version < 11 ? Activation::kRelu : o_.activations[drawn]};
  }

  // Twice the variance where halved activations are to have variance 1 again (He et al. 2015).
  ConvLayer conv(const std::string& name, int kernel, int in, int out, double gain = 1) {
    const int n = kernel * kernel * in;
    const double deviation = gain * std::sqrt((o_.is_lively ? 2.0 : 1.0) / n);
    return {name, kernel, kernel, in, out, numbers(n * out, deviation, 0)};
  }

  MatrixLayer matrix(const std::string& name, int in, int out) {
    return {name, in, out, numbers(in * out, 1 / std::sqrt(in), 0)};
  }

  BiasLayer bias(const std::string& name, int channels) {
    return {name, numbers(channels, 0.3, 0)};
  }

  // Within four deviations, so that variances stay above 0.
  std::vector<float> numbers(int count, double deviation, double mean) {
    std::vector<float> values(count);
    for (float& value : values) {
      const double normal = std::clamp<double>(rng_.normal(), -4, 4);
      value = static_cast<float>(mean + deviation * normal);
    }
    return values;
  }

  Rng rng_;
  const RandomNetOptions& o_;
};

}  // namespace

NetModel random_net_model(std::uint64_t seed, const RandomNetOptions& options) {
  NetModel model = Maker(seed, options).model();
  validate(model, "random net");
  return model;
}

RandomNetOptions lively_net(std::string_view blocks, int channels) {
  using enum ModelBlock::Kind;
  RandomNetOptions options;
  options.blocks.clear();
  for (const char letter : blocks) {
    options.blocks.push_back(letter == 'o' ? kOrdinary : letter == 'p' ? kPooling : kNested);
  }
  options.activations = {Activation::kRelu};
  options.channels = channels;
  options.mid = 0;
  options.pooled = options.policy = options.policy_pooled = 8;
  options.value = 16;
  options.hidden = 32;
  options.is_lively = true;
  return options;
}

}  // namespace tengen
