#include "random_model.h"

#include <algorithm>
#include <cmath>

#include "rules/playout.h"
#include "rules/rng.h"

namespace tengen {
namespace {

class Maker {
 public:
  Maker(const RandomModelShape& shape, std::uint64_t seed) : shape_(shape), rng_(seed) {}

  NetModel model();

 private:
  float normal(double deviation) { return static_cast<float>(deviation * rng_.normal()); }
  std::vector<float> normals(int count, double deviation, double mean = 0) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& v : values) v = static_cast<float>(mean) + normal(deviation);
    return values;
  }
  // With variance 2 / inputs, halved activations give variance 1 again (He et al. 2015).
  ConvLayer conv(int side, int in, int out, double gain = 1) {
    const int inputs = side * side * in;
    return {"conv", side, side, in, out, normals(inputs * out, gain * std::sqrt(2.0 / inputs))};
  }
  MatrixLayer matrix(int in, int out, double gain = 1) {
    return {"matrix", in, out, normals(in * out, gain / std::sqrt(in))};
  }
  BiasLayer bias(int channels) { return {"bias", normals(channels, 0.3)}; }
  ActivationLayer activation() const { return {"activation", shape_.activation}; }
  NormedActivation read(int channels, bool plain = false);
  PoolingLayers pooling(int side, int in, int pooled, int out) {
    return {conv(side, in, pooled), read(pooled), matrix(3 * pooled, out)};
  }
  ModelBlock block(char kind, int channels);

  RandomModelShape shape_;
  Rng rng_;
};

NormedActivation Maker::read(int channels, bool plain) {
  NormLayer norm;
  norm.channels = channels;
  norm.epsilon.value = 1e-5;
  norm.mean = normals(channels, 0.2);
  for (int c = 0; c < channels; ++c) norm.variance.push_back(1 + 0.5F * std::abs(normal(1)));
  if (!plain) {
    norm.scale = normals(channels, 0.2, 1);
    norm.scale[0] = -norm.scale[0];
    norm.bias = normals(channels, 0.3);
  }
  return {norm, activation()};
}

ModelBlock Maker::block(char kind, int channels) {
  ModelBlock b;
  b.name = "block";
  b.read1 = read(channels);
  if (kind == 'n') {
    b.kind = ModelBlock::Kind::kNested;
    const int inside = channels / 2;
    b.conv1 = conv(1, channels, inside);
    b.inner = {block('o', inside), block('p', inside)};
    b.read2 = read(inside, true);
    b.conv2 = conv(1, inside, channels, 0.5);
    return b;
  }
  const int pooled = std::min(shape_.pooled, channels / 2);
  const int inside = kind == 'p' ? channels - pooled : channels;
  b.conv1 = conv(3, channels, inside);
  if (kind == 'p') {
    b.kind = ModelBlock::Kind::kPooling;
    b.pooling = pooling(3, channels, pooled, inside);
  }
  b.read2 = read(inside);
  b.conv2 = conv(3, inside, channels, 0.5);
  return b;
}

NetModel Maker::model() {
  const auto& [blocks, channels, pooled, policy, value, hidden, stem, version, activation_] =
      shape_;
  NetModel m;
  m.name = "random";
  m.version = version;
  m.stem = conv(stem, kPlanes, channels, 2);
  m.scalars = matrix(kScalars, channels);
  for (const char kind : blocks) m.blocks.push_back(block(kind, channels));
  m.tip = read(channels);
  const int planes = version >= 16 ? 4 : version >= 12 ? 2 : 1;
  m.policy.conv1 = conv(1, channels, policy);
  m.policy.pooling = pooling(1, channels, policy, policy);
  m.policy.read = read(policy);
  m.policy.conv2 = conv(1, policy, planes);
  m.policy.pass = matrix(3 * policy, version >= 15 ? policy : planes);
  if (version >= 15) m.policy.pass_hidden = {bias(policy), activation(), matrix(policy, planes)};
  m.value.conv1 = conv(1, channels, value);
  m.value.read = read(value);
  m.value.hidden = matrix(3 * value, hidden);
  m.value.hidden_bias = bias(hidden);
  m.value.hidden_activation = activation();
  m.value.value = matrix(hidden, 3);
  m.value.value_bias = bias(3);
  const int misc = version >= 9 ? 6 : 4;
  m.value.misc = matrix(hidden, misc);
  m.value.misc_bias = bias(misc);
  m.value.ownership = conv(1, value, 1);
  return m;
}

}  // namespace

NetModel random_model(const RandomModelShape& shape, std::uint64_t seed) {
  return Maker(shape, seed).model();
}

std::vector<EvaluationInput> random_inputs(int count, const std::vector<BoardSize>& sizes,
                                           std::uint64_t seed) {
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < count; ++i) {
    Rules rules;
    rules.size = sizes[static_cast<std::size_t>(i) % sizes.size()];
    rules.komi = Komi::from_half_points(i % 21 - 10);
    Position position(rules);
    Rng rng(seed, static_cast<std::uint64_t>(i));
    for (auto ply = rng.below(static_cast<std::uint32_t>(rules.size.area())); ply > 0; --ply) {
      if (!position.is_over()) position.play(random_move(position, rng));
    }
    inputs.push_back({features_of(position), Symmetry(i % Symmetry::count(rules.size))});
  }
  return inputs;
}

}  // namespace tengen
