#include "nn/onnx_graph.h"

#include <bit>

namespace tengen {

static_assert(std::endian::native == std::endian::little, "raw data is little-endian");

std::string OnnxGraph::weights(const std::string& name, const Shape& shape,
                               const std::vector<float>& data) {
  return add(name, shape, onnx::TensorProto::FLOAT, data.data(), data.size() * sizeof(float));
}

std::string OnnxGraph::number(float value) {
  std::string& name = numbers_[value];
  if (name.empty()) name = weights("number", {}, {value});
  return name;
}

std::string OnnxGraph::integers(const Shape& values) {
  std::string& name = integers_[values];
  if (name.empty()) {
    name = add("integers", {static_cast<std::int64_t>(values.size())}, onnx::TensorProto::INT64,
               values.data(), values.size() * sizeof(std::int64_t));
  }
  return name;
}

std::string OnnxGraph::node(const std::string& op, const Names& inputs,
                            const std::map<std::string, Shape>& lists, const std::string& output) {
  onnx::NodeProto* node = graph_.add_node();
  node->set_op_type(op);
  for (const std::string& input : inputs) node->add_input(input);
  std::string name = unique(output.empty() ? op : output);
  node->set_name(name);
  node->add_output(name);
  for (const auto& [key, values] : lists) {
    onnx::AttributeProto* attribute = node->add_attribute();
    attribute->set_name(key);
    attribute->set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) attribute->add_ints(value);
  }
  return name;
}

std::string OnnxGraph::along(const std::string& op, int axis, const Names& inputs,
                             const std::string& output) {
  std::string name = node(op, inputs, {}, output);
  onnx::AttributeProto* attribute = graph_.mutable_node()->rbegin()->add_attribute();
  attribute->set_name("axis");
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(axis);
  return name;
}

std::string OnnxGraph::add(const std::string& name, const Shape& shape,
                           onnx::TensorProto::DataType type, const void* data, std::size_t bytes) {
  onnx::TensorProto* tensor = graph_.add_initializer();
  tensor->set_name(unique(name));
  tensor->set_data_type(type);
  for (const std::int64_t size : shape) tensor->add_dims(size);
  tensor->set_raw_data(data, bytes);
  return tensor->name();
}

std::string OnnxGraph::unique(const std::string& name) {
  const int uses = ++uses_[name];
  return uses == 1 ? name : unique(name + ":" + std::to_string(uses));
}

}  // namespace tengen
