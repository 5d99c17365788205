#include "nn/empty_model.h"

#include <algorithm>
#include <functional>

namespace tengen {
namespace {

using Kind = ModelBlock::Kind;

NormedActivation read_of(int channels, Activation activation) {
  NormedActivation read;
  read.norm.channels = channels;
  read.activation.kind = activation;
  return read;
}

ConvLayer conv_of(int size, int in, int out) {
  ConvLayer conv;
  conv.height = conv.width = size;
  conv.in = in;
  conv.out = out;
  return conv;
}

MatrixLayer matrix_of(int in, int out) {
  MatrixLayer matrix;
  matrix.in = in;
  matrix.out = out;
  return matrix;
}

BiasLayer bias_of(int channels) {
  return {{}, std::vector<float>(static_cast<std::size_t>(channels))};
}

PoolingLayers pooling_of(int size, int in, int pooled, int out, Activation activation) {
  return {conv_of(size, in, pooled), read_of(pooled, activation), matrix_of(3 * pooled, out)};
}

ModelBlock block_of(const std::string& name, const BlockShape& shape, int channels,
                    Activation activation) {
  const int size = shape.kind == Kind::kNested ? 1 : 3;
  ModelBlock block;
  block.name = name;
  block.kind = shape.kind;
  block.read1 = read_of(channels, activation);
  block.conv1 = conv_of(size, channels, shape.middle);
  if (shape.kind == Kind::kPooling) {
    block.pooling = pooling_of(3, channels, shape.pooled, shape.middle, activation);
  }
  for (const BlockShape& inner : shape.inner) {
    const std::string inner_name = name + ".inner" + std::to_string(block.inner.size());
    block.inner.push_back(block_of(inner_name, inner, shape.middle, activation));
  }
  block.read2 = read_of(shape.middle, activation);
  block.conv2 = conv_of(size, shape.middle, channels);
  return block;
}

ModelPolicyHead policy_of(const NetworkShape& shape) {
  const int p = shape.policy_channels, pooled = 3 * shape.policy_pooled;
  const int planes = shape.has_optimistic ? 2 : 1;
  ModelPolicyHead head;
  head.name = "policy";
  head.conv1 = conv_of(1, shape.channels, p);
  head.pooling = pooling_of(1, shape.channels, shape.policy_pooled, p, shape.activation);
  head.read = read_of(p, shape.activation);
  head.conv2 = conv_of(1, p, planes);
  head.pass = matrix_of(pooled, shape.has_pass_hidden ? p : planes);
  if (shape.has_pass_hidden) {
    head.pass_hidden = {bias_of(p), {{}, shape.activation}, matrix_of(p, planes)};
  }
  return head;
}

ModelValueHead value_of(const NetworkShape& shape) {
  const int v1 = shape.value_channels, v2 = shape.value_hidden;
  const int misc = misc_outputs(shape.version);
  ModelValueHead head;
  head.name = "value";
  head.conv1 = conv_of(1, shape.channels, v1);
  head.read = read_of(v1, shape.activation);
  head.hidden = matrix_of(3 * v1, v2);
  head.hidden_bias = bias_of(v2);
  head.hidden_activation.kind = shape.activation;
  head.value = matrix_of(v2, 3);
  head.value_bias = bias_of(3);
  head.misc = matrix_of(v2, misc);
  head.misc_bias = bias_of(misc);
  head.ownership = conv_of(1, v1, 1);
  return head;
}

// Widths of the trunk's record in a model file, which readers there take for buffer sizes: as
// KataGo's writer has them.
std::array<int, 4> widths_of(const NetworkShape& shape) {
  int middle = 1, pooled = 1;
  const std::function<void(const std::vector<BlockShape>&)> look = [&](const auto& blocks) {
    for (const BlockShape& block : blocks) {
      middle = std::max(middle, block.middle + block.pooled);
      pooled = std::max(pooled, block.pooled);
      look(block.inner);
    }
  };
  look(shape.blocks);
  const int regular = std::max(1, middle - pooled);
  return {middle, regular, pooled, pooled};
}

}  // namespace

NetModel empty_model(const NetworkShape& shape) {
  NetModel model;
  model.version = shape.version;
  model.scales = default_scales(shape.version);
  model.widths = widths_of(shape);
  model.stem = conv_of(shape.stem_size, kPlanes, shape.channels);
  model.scalars = matrix_of(kScalars, shape.channels);
  for (const BlockShape& block : shape.blocks) {
    const std::string name = "block" + std::to_string(model.blocks.size());
    model.blocks.push_back(block_of(name, block, shape.channels, shape.activation));
  }
  model.tip = read_of(shape.channels, shape.activation);
  model.policy = policy_of(shape);
  model.value = value_of(shape);
  return model;
}

}  // namespace tengen
