#include "nn/onnx_writer.h"

#include <onnx/onnx_pb.h>

#include <charconv>

#include "nn/features.h"
#include "nn/model_layers.h"
#include "nn/onnx_graph.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr int kIrVersion = 8;  // what came with opset 17
constexpr int kOpset = 17;
// A message of protobuf has less than 2 GiB; a sixteenth of it is kept for nodes and names.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostWeightBytes = kMostBytes / 16 * 15;

using Names = OnnxGraph::Names;
using Shape = OnnxGraph::Shape;

// The layers of a model, as nn/README.md and nn/net_model.h say what they compute.
class NetGraph {
 public:
  explicit NetGraph(onnx::GraphProto& graph) : g_(graph) {}

  void build(const NetModel& model) {
    mask_ = g_.node("Slice", {"planes", g_.integers({0}), g_.integers({1}), g_.integers({1})});
    area_ = g_.node("ReduceSum", {mask_, g_.integers({2, 3})});
    side_ =
        g_.node("Div", {g_.node("Sub", {g_.node("Sqrt", {area_}), g_.number(14)}), g_.number(10)});
    std::string x = g_.node(
        "Add", {conv(model.stem, "planes"), on_every_point(matrix(model.scalars, "scalars"))});
    for (const ModelBlock& b : model.blocks) x = block(b, x);
    x = normed(model.tip, x);
    policy(model.policy, x);
    value(model.value, x);
  }

 private:
  std::string block(const ModelBlock& block, const std::string& x) {
    const std::string read = normed(block.read1, x);
    std::string inside = conv(block.conv1, read);
    if (block.pooling) {
      const std::string pooled = pooled_for_policy(*block.pooling, read);
      inside = add(inside, on_every_point(matrix(block.pooling->matrix, pooled)));
    }
    for (const ModelBlock& inner : block.inner) inside = this->block(inner, inside);
    return add(x, conv(block.conv2, normed(block.read2, inside)));
  }

  void policy(const ModelPolicyHead& head, const std::string& x) {
    const std::string pooled = pooled_for_policy(head.pooling, x);
    const std::string p =
        add(conv(head.conv1, x), on_every_point(matrix(head.pooling.matrix, pooled)));
    const std::string points = conv(head.conv2, normed(head.read, p));
    std::string pass = matrix(head.pass, pooled);
    if (head.pass_hidden) {
      const auto& hidden = *head.pass_hidden;
      pass = matrix(hidden.matrix, activated(hidden.activation, biased(hidden.bias, pass)));
    }
    g_.along("Concat", 2,
             {g_.node("Reshape", {points, g_.integers({0, head.channels(), -1})}),
              g_.node("Unsqueeze", {pass, g_.integers({2})})},
             "policy");
  }

  void value(const ModelValueHead& head, const std::string& x) {
    const std::string v = normed(head.read, conv(head.conv1, x));
    const std::string mean = mean_of(v);
    const std::string square = g_.node("Mul", {side_, side_});
    const std::string third = g_.node("Mul", {mean, g_.node("Sub", {square, g_.number(0.1F)})});
    const std::string pooled = flat({mean, g_.node("Mul", {mean, side_}), third});
    const std::string hidden =
        activated(head.hidden_activation, biased(head.hidden_bias, matrix(head.hidden, pooled)));
    biased(head.value_bias, matrix(head.value, hidden), "value");
    biased(head.misc_bias, matrix(head.misc, hidden), "misc");
    conv(head.ownership, v, "ownership");
  }

  std::string pooled_for_policy(const PoolingLayers& pooling, const std::string& x) {
    const std::string read = normed(pooling.read, conv(pooling.conv, x));
    const std::string mean = mean_of(read);
    // Off the board -1, below which no maximum goes.
    const std::string lowered = add(read, g_.node("Sub", {mask_, g_.number(1)}));
    const std::string top =
        g_.node("Max", {g_.node("ReduceMax", {lowered}, {{"axes", {2, 3}}}), g_.number(-1)});
    return flat({mean, g_.node("Mul", {mean, side_}), top});
  }

  std::string mean_of(const std::string& x) {
    return g_.node("Div", {g_.node("ReduceSum", {x, g_.integers({2, 3})}), area_});
  }
  // [N, C, 1, 1] each to [N, sum of C].
  std::string flat(const Names& parts) {
    return g_.along("Flatten", 1, {g_.along("Concat", 1, parts)});
  }
  std::string on_every_point(const std::string& x) {
    return g_.node("Unsqueeze", {x, g_.integers({2, 3})});
  }
  std::string add(const std::string& a, const std::string& b) { return g_.node("Add", {a, b}); }

  std::string normed(const NormedActivation& read, const std::string& x) {
    const Affine affine = merged(read.norm);
    const Shape shape = {1, read.norm.channels, 1, 1};
    const std::string scaled =
        g_.node("Mul", {x, g_.weights(read.norm.name + ":scale", shape, affine.scale)});
    const std::string moved = add(scaled, g_.weights(read.norm.name + ":bias", shape, affine.bias));
    return g_.node("Mul", {activated(read.activation, moved), mask_});
  }

  // Mish is an operator only since opset 18.
  std::string activated(const ActivationLayer& layer, const std::string& x) {
    switch (layer.kind) {
      case Activation::kIdentity:
        return x;
      case Activation::kRelu:
        return g_.node("Relu", {x});
      case Activation::kMish:
        return g_.node("Mul", {x, g_.node("Tanh", {g_.node("Softplus", {x})})});
      case Activation::kSilu:
        return g_.node("Mul", {x, g_.node("Sigmoid", {x})});
    }
    check(false, "an activation is one of four");
    return x;
  }

  std::string conv(const ConvLayer& layer, const std::string& x, const std::string& output = "") {
    const int points = layer.height * layer.width;
    std::vector<float> weights(layer.weights.size());  // [out][in][height][width]
    for (int p = 0; p < points; ++p) {
      for (int i = 0; i < layer.in; ++i) {
        for (int o = 0; o < layer.out; ++o) {
          weights[(std::size_t{1} * o * layer.in + i) * points + p] =
              layer.weights[(std::size_t{1} * p * layer.in + i) * layer.out + o];
        }
      }
    }
    const std::int64_t rows = layer.height / 2;
    const std::int64_t columns = layer.width / 2;
    const std::string w = g_.weights(layer.name + ":weights",
                                     {layer.out, layer.in, layer.height, layer.width}, weights);
    return g_.node(
        "Conv", {x, w},
        {{"kernel_shape", {layer.height, layer.width}}, {"pads", {rows, columns, rows, columns}}},
        output);
  }

  std::string matrix(const MatrixLayer& layer, const std::string& x) {
    return g_.node("MatMul",
                   {x, g_.weights(layer.name + ":weights", {layer.in, layer.out}, layer.weights)});
  }

  std::string biased(const BiasLayer& layer, const std::string& x, const std::string& output = "") {
    const Shape shape = {static_cast<std::int64_t>(layer.weights.size())};
    return g_.node("Add", {x, g_.weights(layer.name + ":bias", shape, layer.weights)}, {}, output);
  }

  OnnxGraph g_;
  std::string mask_;  // [N, 1, H, W], 1 on the board
  std::string area_;  // [N, 1, 1, 1], points of the board
  std::string side_;  // (sqrt(area) - 14) / 10
};

// A size is a number or a name.
void declare(onnx::ValueInfoProto* value, const std::string& name, const Names& sizes) {
  value->set_name(name);
  auto* type = value->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  for (const std::string& size : sizes) {
    auto* dimension = type->mutable_shape()->add_dim();
    std::int64_t number = 0;
    const char* end = size.data() + size.size();
    if (std::from_chars(size.data(), end, number).ptr == end) {
      dimension->set_dim_value(number);
    } else {
      dimension->set_dim_param(size);
    }
  }
}

void declare_values(onnx::GraphProto& graph, const NetModel& model) {
  declare(graph.add_input(), "planes", {"N", std::to_string(kPlanes), "H", "W"});
  declare(graph.add_input(), "scalars", {"N", std::to_string(kScalars)});
  declare(graph.add_output(), "policy", {"N", std::to_string(model.policy.channels()), "moves"});
  declare(graph.add_output(), "value", {"N", "3"});
  declare(graph.add_output(), "misc", {"N", std::to_string(model.value.misc.out)});
  declare(graph.add_output(), "ownership", {"N", "1", "H", "W"});
}

void add_metadata(onnx::ModelProto& onnx, const NetModel& model) {
  const auto add = [&onnx](const std::string& key, const std::string& value) {
    auto* entry = onnx.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  };
  add("name", model.name);
  add("version", std::to_string(model.version));
  add("features", "KataGo V7");
  add("pass_alive_under_suicide_rules", std::to_string(model.options[1]));
  add("score_mean_scale", to_text(model.scales.score_mean));
  add("score_stdev_scale", to_text(model.scales.score_stdev));
  add("lead_scale", to_text(model.scales.lead));
  add("variance_time_scale", to_text(model.scales.variance_time));
  add("winloss_error_scale", to_text(model.scales.winloss_error));
  add("score_error_scale", to_text(model.scales.score_error));
}

class WeightCounter {
 public:
  std::uint64_t count = 0;

  void conv(const std::string&, const ConvLayer& layer) {
    count += std::uint64_t{1} * layer.height * layer.width * layer.in * layer.out;
  }
  void norm(const std::string&, const NormLayer& layer) {
    count += std::uint64_t{2} * layer.channels;  // scale and bias
  }
  void matrix(const std::string&, const MatrixLayer& layer) {
    count += std::uint64_t{1} * layer.in * layer.out;
  }
  void bias(const std::string&, const BiasLayer& layer) { count += layer.weights.size(); }
  void activation(const std::string&, const ActivationLayer&) {}
};

[[noreturn]] void refuse_size(const NetModel& model, std::uint64_t bytes) {
  throw Error("net '" + model.name + "' has " + std::to_string(bytes >> 20) +
              " MiB of weights, which one ONNX file cannot hold: protobuf ends at 2048 MiB");
}

}  // namespace

std::uint64_t onnx_weight_bytes(const NetModel& model) {
  WeightCounter counter;
  for_each_layer(model, counter);
  return counter.count * sizeof(float);
}

std::string to_onnx(const NetModel& model) {
  const std::uint64_t bytes = onnx_weight_bytes(model);
  if (bytes > kMostWeightBytes) refuse_size(model, bytes);
  validate(model, "the net to be written");
  onnx::ModelProto onnx;
  onnx.set_ir_version(kIrVersion);
  onnx.set_producer_name("tengen");
  onnx.add_opset_import()->set_version(kOpset);
  onnx::GraphProto& graph = *onnx.mutable_graph();
  graph.set_name(model.name);
  NetGraph(graph).build(model);
  declare_values(graph, model);
  add_metadata(onnx, model);
  if (onnx.ByteSizeLong() >= kMostBytes) refuse_size(model, bytes);  // names without end
  return onnx.SerializeAsString();
}

}  // namespace tengen
