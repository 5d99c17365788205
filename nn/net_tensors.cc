#include "nn/net_tensors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "nn/net_info.h"
#include "nn/safetensors.h"
#include "rules/check.h"
#include "rules/planes.h"

namespace tengen {
namespace {

using Kind = ModelBlock::Kind;
using Sizes = std::vector<std::int64_t>;

template <class Read, class Visitor>
void visit_read(const std::string& name, Read& read, Visitor& visit) {
  visit.norm(name, read.norm);
  visit.activation(name, read.activation);
}

template <class Pooling, class Visitor>
void visit_pooling(const std::string& name, Pooling& pooling, Visitor& visit) {
  visit.conv(name + ".conv", pooling.conv);
  visit_read(name + ".norm", pooling.read, visit);
  visit.matrix(name + ".linear.weight", pooling.matrix);
}

template <class Block, class Visitor>
void visit_block(const std::string& name, Block& block, Visitor& visit) {
  visit_read(name + ".norm1", block.read1, visit);
  visit.conv(name + ".conv1", block.conv1);
  if (block.pooling) visit_pooling(name + ".pool", *block.pooling, visit);
  for (std::size_t i = 0; i < block.inner.size(); ++i) {
    visit_block(name + ".inner" + std::to_string(i), block.inner[i], visit);
  }
  visit_read(name + ".norm2", block.read2, visit);
  visit.conv(name + ".conv2", block.conv2);
}

template <class Head, class Visitor>
void visit_policy(Head& head, Visitor& visit) {
  visit.conv("policy.conv1", head.conv1);
  visit_pooling("policy.pool", head.pooling, visit);
  visit_read("policy.norm", head.read, visit);
  visit.conv("policy.conv2", head.conv2);
  if (head.pass_hidden) {
    visit.matrix("policy.pass_hidden.weight", head.pass);
    visit.bias("policy.pass_hidden.bias", head.pass_hidden->bias);
    visit.activation("policy.pass_hidden", head.pass_hidden->activation);
    visit.matrix("policy.pass.weight", head.pass_hidden->matrix);
  } else {
    visit.matrix("policy.pass.weight", head.pass);
  }
}

template <class Head, class Visitor>
void visit_value(Head& head, Visitor& visit) {
  visit.conv("value.conv1", head.conv1);
  visit_read("value.norm", head.read, visit);
  visit.matrix("value.hidden.weight", head.hidden);
  visit.bias("value.hidden.bias", head.hidden_bias);
  visit.activation("value.hidden", head.hidden_activation);
  visit.matrix("value.value.weight", head.value);
  visit.bias("value.value.bias", head.value_bias);
  visit.matrix("value.misc.weight", head.misc);
  visit.bias("value.misc.bias", head.misc_bias);
  visit.conv("value.ownership", head.ownership);
}

// Goes over the layers of a model, each with the name of its tensors, and calls the visitor's
// conv, norm, matrix, bias or activation. The one list of these names, for both directions.
template <class Model, class Visitor>
void for_each_layer(Model& model, Visitor& visit) {
  visit.conv("stem.conv", model.stem);
  visit.matrix("stem.scalars.weight", model.scalars);
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    visit_block("block" + std::to_string(i), model.blocks[i], visit);
  }
  visit_read("tip", model.tip, visit);
  visit_policy(model.policy, visit);
  visit_value(model.value, visit);
}

// ---- A model of a shape, its weights to be filled in

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

// ---- Weights into a model

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const std::int64_t n : sizes) text += (text.empty() ? "[" : ", ") + std::to_string(n);
  return text + "]";
}

// Planes of the policy that play asks for, among those of training: mover and optimistic policy.
constexpr std::int64_t kOptimisticPlane = 4;

// Layers that have a name keep it.
class Filler {
 public:
  explicit Filler(const NetTensors& tensors) : tensors_(tensors) {}

  void conv(const std::string& name, ConvLayer& layer) {
    set_name(layer, name);
    const bool is_policy = name == "policy.conv2";
    const float* values = find(
        name, {is_policy ? planes(layer.out) : layer.out, layer.in, layer.height, layer.width});
    const int cells = layer.height * layer.width;
    layer.weights.resize(static_cast<std::size_t>(cells) * layer.in * layer.out);
    auto at = layer.weights.begin();
    for (int cell = 0; cell < cells; ++cell) {
      for (int in = 0; in < layer.in; ++in) {
        for (int out = 0; out < layer.out; ++out, ++at) {
          if (is_policy && !is_in_play(out)) continue;
          const std::int64_t row = is_policy ? plane(out) : out;
          *at = values[(row * layer.in + in) * cells + cell];
        }
      }
    }
  }
  void norm(const std::string& name, NormLayer& layer) {
    set_name(layer, name);
    const auto channels = static_cast<std::size_t>(layer.channels);
    const Affine now{copy(name + ".scale", channels), copy(name + ".bias", channels)};
    if (!layer.mean.empty() && merged(layer) == now) return;
    layer.scale = now.scale;
    layer.bias = now.bias;
    if (tensors_.contains(name + ".mean")) {
      layer.epsilon = {kNormEpsilon, {}};
      layer.mean = copy(name + ".mean", channels);
      layer.variance = copy(name + ".variance", channels);
    } else {  // as KataGo's writer has it
      layer.epsilon = {1e-20, {}};
      layer.mean.assign(channels, 0);
      layer.variance.assign(channels, 1);
    }
  }
  void activation(const std::string& name, ActivationLayer& layer) {
    set_name(layer, name + ".activation");
  }
  void matrix(const std::string& name, MatrixLayer& layer) {
    set_name(layer, name);
    const bool is_policy = name == "policy.pass.weight";
    const float* values = find(name, {is_policy ? planes(layer.out) : layer.out, layer.in});
    layer.weights.resize(static_cast<std::size_t>(layer.in) * layer.out);
    for (int out = 0; out < layer.out; ++out) {
      if (is_policy && !is_in_play(out)) continue;
      const std::int64_t row = is_policy ? plane(out) : out;
      for (int in = 0; in < layer.in; ++in) {
        layer.weights[static_cast<std::size_t>(in) * layer.out + out] = values[row * layer.in + in];
      }
    }
  }
  void bias(const std::string& name, BiasLayer& layer) {
    set_name(layer, name);
    layer.weights = copy(name, layer.weights.size());
  }

 private:
  static void set_name(auto& layer, const std::string& name) {
    if (layer.name.empty()) layer.name = name;
  }
  // Others of the policy's planes are values of moves, which are kept as they were.
  static bool is_in_play(int out) { return out < 2; }
  static std::int64_t planes(int in_play) { return in_play == 1 ? 4 : 5; }
  static std::int64_t plane(int in_play) { return in_play == 0 ? 0 : kOptimisticPlane; }

  const float* find(const std::string& name, const Sizes& sizes) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw Error("tensor '" + name + "' is missing");
    if (found->second.sizes != sizes) {
      throw Error("tensor '" + name + "': expected shape " + text_of(sizes) + ", found " +
                  text_of(found->second.sizes));
    }
    if (!std::ranges::all_of(found->second.values, [](float x) { return std::isfinite(x); })) {
      throw Error("tensor '" + name + "' is not finite");
    }
    return found->second.values.data();
  }
  std::vector<float> copy(const std::string& name, std::size_t count) const {
    const float* values = find(name, {static_cast<std::int64_t>(count)});
    return {values, values + count};
  }

  const NetTensors& tensors_;
};

// ---- Weights out of a model

class Collector {
 public:
  NetTensors tensors;

  // Policy planes that are not used in play are left out: values of moves.
  void conv(const std::string& name, const ConvLayer& layer) {
    const bool is_policy = name == "policy.conv2";
    const int rows = is_policy ? std::min(layer.out, 2) : layer.out;
    const int cells = layer.height * layer.width;
    NetTensor& t = add(name, {rows, layer.in, layer.height, layer.width});
    for (int out = 0; out < rows; ++out) {
      for (int in = 0; in < layer.in; ++in) {
        for (int cell = 0; cell < cells; ++cell) {
          t.values.push_back(
              layer.weights[(static_cast<std::size_t>(cell) * layer.in + in) * layer.out + out]);
        }
      }
    }
  }
  void norm(const std::string& name, const NormLayer& layer) {
    const Affine affine = merged(layer);
    add(name + ".scale", {layer.channels}).values = affine.scale;
    add(name + ".bias", {layer.channels}).values = affine.bias;
  }
  void activation(const std::string&, const ActivationLayer&) {}
  void matrix(const std::string& name, const MatrixLayer& layer) {
    const int rows = name == "policy.pass.weight" ? std::min(layer.out, 2) : layer.out;
    NetTensor& t = add(name, {rows, layer.in});
    for (int out = 0; out < rows; ++out) {
      for (int in = 0; in < layer.in; ++in) {
        t.values.push_back(layer.weights[static_cast<std::size_t>(in) * layer.out + out]);
      }
    }
  }
  void bias(const std::string& name, const BiasLayer& layer) {
    add(name, {static_cast<std::int64_t>(layer.weights.size())}).values = layer.weights;
  }

 private:
  NetTensor& add(const std::string& name, Sizes sizes) {
    NetTensor& t = tensors[name];
    t.sizes = std::move(sizes);
    return t;
  }
};

// ---- The shape of a model

class OneActivation {
 public:
  std::optional<Activation> found;

  void conv(const std::string&, const ConvLayer&) {}
  void norm(const std::string&, const NormLayer&) {}
  void matrix(const std::string&, const MatrixLayer&) {}
  void bias(const std::string&, const BiasLayer&) {}
  void activation(const std::string& name, const ActivationLayer& layer) {
    if (!found) found = layer.kind;
    if (*found != layer.kind) {
      throw Error("layer '" + layer.name + "' (" + name + ") has the activation " +
                  std::string(name_of(layer.kind)) + ", those before it " +
                  std::string(name_of(*found)) + ": a net here has one");
    }
  }
};

class OperationCounter {
 public:
  explicit OperationCounter(int area) : area_(area) {}
  double flop = 0;

  void conv(const std::string&, const ConvLayer& layer) {
    flop += 2.0 * layer.height * layer.width * layer.in * layer.out * area_;
  }
  void matrix(const std::string&, const MatrixLayer& layer) { flop += 2.0 * layer.in * layer.out; }
  void norm(const std::string&, const NormLayer&) {}
  void bias(const std::string&, const BiasLayer&) {}
  void activation(const std::string&, const ActivationLayer&) {}

 private:
  int area_;
};

BlockShape shape_of(const ModelBlock& block) {
  BlockShape shape{block.kind, block.conv1.out};
  if (block.pooling) shape.pooled = block.pooling->conv.out;
  for (const ModelBlock& inner : block.inner) shape.inner.push_back(shape_of(inner));
  return shape;
}

void require_usual_block(const ModelBlock& block, int nesting) {
  if (nesting > kMostNesting || block.conv1.out > kMostChannels) {
    throw Error("block '" + block.name + "': a net here has at most " +
                std::to_string(kMostChannels) + " channels and " + std::to_string(kMostNesting) +
                " levels of nesting");
  }
  for (const ModelBlock& inner : block.inner) require_usual_block(inner, nesting + 1);
}

// What net.json could not say.
void require_usual_size(const NetModel& model) {
  const int widest =
      std::max({model.channels(), model.policy.conv1.out, model.policy.pooling.conv.out,
                model.value.conv1.out, model.value.hidden.out});
  if (std::ssize(model.blocks) > kMostBlocks || widest > kMostChannels ||
      model.stem.height > kMostStem || model.stem.height != model.stem.width) {
    throw Error("a net here has at most " + std::to_string(kMostBlocks) + " blocks, " +
                std::to_string(kMostChannels) + " channels and a square first convolution of " +
                std::to_string(kMostStem) + " points");
  }
  for (const ModelBlock& block : model.blocks) require_usual_block(block, 0);
  if (model.options[1] != 0) {
    throw Error(
        "it wants areas that are alive under suicide rules, which features here do not have");
  }
}

void require_usual_scales(const NetModel& model) {
  const OutputScales& scales = model.scales;
  for (const FileNumber& scale : {scales.score_mean, scales.score_stdev, scales.lead}) {
    if (scale.value != kScoreScale) {
      throw Error("scores are multiplied by " + std::to_string(scale.value) + ", a net here has " +
                  std::to_string(kScoreScale));
    }
  }
}

}  // namespace

NetModel net_model(const NetworkShape& shape, const NetTensors& tensors, const std::string& name) {
  NetModel model = empty_model(shape);
  model.name = name;
  Filler filler(tensors);
  for_each_layer(model, filler);
  return model;
}

NetModel net_model(const NetModel& original, const NetTensors& tensors) {
  NetModel model = original;
  Filler filler(tensors);
  for_each_layer(model, filler);
  return model;
}

NetworkShape network_shape(const NetModel& model) {
  require_usual_scales(model);
  require_usual_size(model);
  OneActivation activation;
  for_each_layer(model, activation);
  NetworkShape shape;
  shape.channels = model.channels();
  shape.stem_size = model.stem.height;
  for (const ModelBlock& block : model.blocks) shape.blocks.push_back(shape_of(block));
  shape.activation = activation.found.value_or(Activation::kRelu);
  shape.policy_channels = model.policy.conv1.out;
  shape.policy_pooled = model.policy.pooling.conv.out;
  shape.has_pass_hidden = model.policy.pass_hidden.has_value();
  shape.has_optimistic = model.policy.channels() > 1;
  shape.value_channels = model.value.conv1.out;
  shape.value_hidden = model.value.hidden.out;
  shape.version = model.version;
  return shape;
}

NetTensors net_tensors(const NetModel& model) {
  Collector collector;
  for_each_layer(model, collector);
  return std::move(collector.tensors);
}

double flop_per_evaluation(const NetworkShape& shape, int area) {
  const NetModel model = empty_model(shape);
  OperationCounter counter(area);
  for_each_layer(model, counter);
  return counter.flop;
}

NetTensors read_net_tensors(const std::filesystem::path& dir) {
  const std::filesystem::path file = dir / kNetWeightsFile;
  NetTensors tensors;
  read_safetensors(file, [&](const TensorHeader& header) -> void* {
    if (header.type != TensorType::kFloat) {
      throw Error(file.string() + ": tensor '" + header.name + "': expected dtype F32");
    }
    NetTensor& t = tensors[header.name];
    t.sizes = header.sizes;
    std::size_t count = 1;
    for (const std::int64_t n : header.sizes) count *= static_cast<std::size_t>(n);
    t.values.resize(count);
    return t.values.data();
  });
  return tensors;
}

NetModel load_net_model(const std::filesystem::path& dir) {
  const NetDescription net = read_net_description(dir);
  try {
    return net_model(net.shape, read_net_tensors(dir), net.info.id);
  } catch (const Error& e) {
    const std::string file = (dir / kNetWeightsFile).string();
    const std::string what = e.what();
    throw Error(what.starts_with(file) ? what : file + ": " + what);
  }
}

}  // namespace tengen
