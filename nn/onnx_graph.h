#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tengen {

// A graph of ONNX under construction, for onnx_writer.cc. A value is known by its name, made
// unique; layers' weights have a ':' in theirs, so no layer takes the name of an output.
class OnnxGraph {
 public:
  using Shape = std::vector<std::int64_t>;
  using Names = std::vector<std::string>;

  explicit OnnxGraph(onnx::GraphProto& graph) : graph_(graph) {}

  // Constants, numbers and lists of integers each once. All give the value's name.
  std::string weights(const std::string& name, const Shape& shape, const std::vector<float>& data);
  std::string number(float value);
  std::string integers(const Shape& values);

  // Adds a node and gives its output, named after the operator where no name is asked for.
  std::string node(const std::string& op, const Names& inputs,
                   const std::map<std::string, Shape>& lists = {}, const std::string& output = "");
  // For Concat and Flatten.
  std::string along(const std::string& op, int axis, const Names& inputs,
                    const std::string& output = "");

 private:
  std::string add(const std::string& name, const Shape& shape, onnx::TensorProto::DataType type,
                  const void* data, std::size_t bytes);
  std::string unique(const std::string& name);

  onnx::GraphProto& graph_;
  std::map<std::string, int> uses_ = {{"planes", 1}, {"scalars", 1}};
  std::map<float, std::string> numbers_;
  std::map<Shape, std::string> integers_;
};

}  // namespace tengen
