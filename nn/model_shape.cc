// What a model is but for its weights (nn/net_tensors.h).

#include <algorithm>
#include <optional>

#include "nn/empty_model.h"
#include "nn/model_layers.h"
#include "nn/net_tensors.h"
#include "rules/check.h"

namespace tengen {
namespace {

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

double flop_per_evaluation(const NetworkShape& shape, int area) {
  const NetModel model = empty_model(shape);
  OperationCounter counter(area);
  for_each_layer(model, counter);
  return counter.flop;
}

}  // namespace tengen
