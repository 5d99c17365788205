#include "nn/onnx_runner.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>

#include "nn/batch_tensors.h"
#include "rules/check.h"

namespace tengen {
namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t count_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

struct Value {
  Shape shape;
  std::vector<float> numbers;          // row-major
  std::vector<std::int64_t> integers;  // of an integer initializer instead
};

Value zeros(Shape shape) {
  Value value{std::move(shape), {}, {}};
  value.numbers.resize(static_cast<std::size_t>(count_of(value.shape)));
  return value;
}

// Numpy's broadcasting: shapes aligned at their ends, lengths of 1 stretched.
Value elementwise(const Value& a, const Value& b, const std::function<float(float, float)>& f) {
  const std::size_t rank = std::max(a.shape.size(), b.shape.size());
  const auto aligned = [rank](const Shape& shape) {
    Shape full(rank - shape.size(), 1);
    full.insert(full.end(), shape.begin(), shape.end());
    return full;
  };
  const Shape sa = aligned(a.shape), sb = aligned(b.shape);
  Shape shape(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    check(sa[i] == sb[i] || sa[i] == 1 || sb[i] == 1, "shapes that broadcast");
    shape[i] = std::max(sa[i], sb[i]);
  }
  Value result = zeros(shape);
  Shape at(rank, 0);
  for (float& x : result.numbers) {
    std::int64_t ia = 0, ib = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      ia = ia * sa[i] + (sa[i] == 1 ? 0 : at[i]);
      ib = ib * sb[i] + (sb[i] == 1 ? 0 : at[i]);
    }
    x = f(a.numbers[ia], b.numbers[ib]);
    for (std::size_t i = rank; i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
  }
  return result;
}

Value mapped(const Value& a, float (*f)(float)) {
  Value result = a;
  for (float& x : result.numbers) x = f(x);
  return result;
}

// Over the last two axes of four, which stay with length 1.
Value reduced(const Value& a, const Shape& axes, float start, float (*f)(float, float)) {
  check(axes == Shape({2, 3}) && a.shape.size() == 4, "a reduction over rows and columns");
  Value result = zeros({a.shape[0], a.shape[1], 1, 1});
  const std::int64_t points = a.shape[2] * a.shape[3];
  for (std::size_t i = 0; i < result.numbers.size(); ++i) {
    const float* plane = &a.numbers[i * points];
    result.numbers[i] = std::accumulate(plane, plane + points, start, f);
  }
  return result;
}

Value conv(const Value& x, const Value& w) {
  check(x.shape.size() == 4 && w.shape.size() == 4 && x.shape[1] == w.shape[1], "a convolution");
  const std::int64_t height = x.shape[2], width = x.shape[3], in = w.shape[1], out = w.shape[0];
  const std::int64_t kh = w.shape[2], kw = w.shape[3];
  Value result = zeros({x.shape[0], out, height, width});
  float* y = result.numbers.data();
  for (std::int64_t n = 0; n < x.shape[0]; ++n) {
    for (std::int64_t o = 0; o < out; ++o, y += height * width) {
      for (std::int64_t k = 0; k < in * kh * kw; ++k) {
        const std::int64_t dr = k / kw % kh - kh / 2, dc = k % kw - kw / 2;
        const float weight = w.numbers[o * in * kh * kw + k];
        const float* plane = &x.numbers[(n * in + k / (kh * kw)) * height * width];
        for (std::int64_t r = std::max<std::int64_t>(0, -dr); r < std::min(height, height - dr);
             ++r) {
          for (std::int64_t c = std::max<std::int64_t>(0, -dc); c < std::min(width, width - dc);
               ++c) {
            y[r * width + c] += weight * plane[(r + dr) * width + c + dc];
          }
        }
      }
    }
  }
  return result;
}

Value matmul(const Value& x, const Value& w) {
  check(x.shape.size() == 2 && w.shape.size() == 2 && x.shape[1] == w.shape[0], "a product");
  const std::int64_t in = w.shape[0], out = w.shape[1];
  Value result = zeros({x.shape[0], out});
  for (std::int64_t n = 0; n < x.shape[0]; ++n) {
    for (std::int64_t i = 0; i < in; ++i) {
      for (std::int64_t o = 0; o < out; ++o) {
        result.numbers[n * out + o] += x.numbers[n * in + i] * w.numbers[i * out + o];
      }
    }
  }
  return result;
}

Value concat(const std::vector<const Value*>& parts, std::int64_t axis) {
  Shape shape = parts[0]->shape;
  shape[axis] = 0;
  for (const Value* part : parts) shape[axis] += part->shape[axis];
  Value result{shape, {}, {}};
  const std::int64_t outer = count_of({shape.begin(), shape.begin() + axis});
  for (std::int64_t i = 0; i < outer; ++i) {
    for (const Value* part : parts) {
      const auto inner = static_cast<std::int64_t>(part->numbers.size()) / outer;
      const auto from = part->numbers.begin() + i * inner;
      result.numbers.insert(result.numbers.end(), from, from + inner);
    }
  }
  return result;
}

// The channels [first, end) of planes.
Value channels(const Value& x, std::int64_t first, std::int64_t end) {
  check(x.shape.size() == 4 && x.shape[0] == 1, "planes of one board");
  const std::int64_t points = x.shape[2] * x.shape[3];
  return {{1, end - first, x.shape[2], x.shape[3]},
          {x.numbers.begin() + first * points, x.numbers.begin() + end * points},
          {}};
}

Value reshaped(const Value& x, const Shape& wanted) {
  Shape shape = wanted;
  std::int64_t known = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) shape[i] = x.shape[i];
    if (shape[i] > 0) known *= shape[i];
  }
  std::ranges::replace(shape, -1, static_cast<std::int64_t>(x.numbers.size()) / known);
  return {shape, x.numbers, {}};
}

Value unsqueezed(const Value& x, const Shape& axes) {
  Value result = x;
  for (const std::int64_t axis : axes) result.shape.insert(result.shape.begin() + axis, 1);
  return result;
}

float softplus(float x) {
  return x > 20 ? x : std::log1p(std::exp(x));
}
float sigmoid(float x) {
  return 1 / (1 + std::exp(-x));
}
float relu(float x) {
  return std::max(x, 0.F);
}

class Runner {
 public:
  explicit Runner(std::string_view bytes) {
    if (!model_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      fail("expected an ONNX model");
    }
    for (const onnx::TensorProto& t : model_.graph().initializer()) {
      Value value{{t.dims().begin(), t.dims().end()}, {}, {}};
      const bool is_float = t.data_type() == onnx::TensorProto::FLOAT;
      const std::string& raw = t.raw_data();
      if (is_float) {
        value.numbers.resize(raw.size() / sizeof(float));
        std::memcpy(value.numbers.data(), raw.data(), raw.size());
      } else {
        value.integers.resize(raw.size() / sizeof(std::int64_t));
        std::memcpy(value.integers.data(), raw.data(), raw.size());
      }
      const std::size_t found = is_float ? value.numbers.size() : value.integers.size();
      if (static_cast<std::int64_t>(found) != count_of(value.shape)) {
        fail("tensor '" + t.name() + "' has not the numbers of its shape");
      }
      constants_[t.name()] = std::move(value);
    }
  }

  RawOutputs run(const EvaluationInput& input) {
    values_.clear();
    fill(input);
    for (const onnx::NodeProto& node : model_.graph().node()) {
      values_[node.output(0)] = computed(node);
    }
    return outputs(input);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error("ONNX: " + what); }

  const Value& get(const std::string& name) const {
    if (const auto found = constants_.find(name); found != constants_.end()) return found->second;
    const auto found = values_.find(name);
    if (found == values_.end()) fail("value '" + name + "' is used before it is there");
    return found->second;
  }

  void fill(const EvaluationInput& input) {
    const int canvas = std::max(input.features.size.width, input.features.size.height);
    std::vector<float> rows(static_cast<std::size_t>(canvas) * canvas * kPlanes);
    values_["scalars"] = zeros({1, kScalars});
    fill_input_row(input.features, input.symmetry, canvas, rows.data(),
                   values_["scalars"].numbers.data());
    Value& planes = values_["planes"] = zeros({1, kPlanes, canvas, canvas});
    const std::size_t cells = planes.numbers.size() / kPlanes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      planes.numbers[i % kPlanes * cells + i / kPlanes] = rows[i];
    }
  }

  Value computed(const onnx::NodeProto& node) const {
    const std::string& op = node.op_type();
    const Value& a = get(node.input(0));
    const auto b = [&]() -> const Value& { return get(node.input(1)); };
    if (op == "Conv") return conv(a, b());
    if (op == "MatMul") return matmul(a, b());
    if (op == "Add") return elementwise(a, b(), std::plus<>());
    if (op == "Sub") return elementwise(a, b(), std::minus<>());
    if (op == "Mul") return elementwise(a, b(), std::multiplies<>());
    if (op == "Div") return elementwise(a, b(), std::divides<>());
    if (op == "Max") return elementwise(a, b(), [](float x, float y) { return std::max(x, y); });
    if (op == "Relu") return mapped(a, relu);
    if (op == "Sqrt") return mapped(a, [](float x) { return std::sqrt(x); });
    if (op == "Tanh") return mapped(a, [](float x) { return std::tanh(x); });
    if (op == "Softplus") return mapped(a, softplus);
    if (op == "Sigmoid") return mapped(a, sigmoid);
    if (op == "ReduceSum") {
      return reduced(a, b().integers, 0, [](float x, float y) { return x + y; });
    }
    if (op == "ReduceMax") {
      return reduced(a, list(node), -INFINITY, [](float x, float y) { return std::max(x, y); });
    }
    if (op == "Slice") {
      check(get(node.input(3)).integers == Shape({1}), "a slice of channels");
      return channels(a, b().integers.at(0), get(node.input(2)).integers.at(0));
    }
    if (op == "Reshape") return reshaped(a, b().integers);
    if (op == "Unsqueeze") return unsqueezed(a, b().integers);
    if (op == "Flatten") return reshaped(a, {a.shape[0], -1});
    if (op == "Concat") {
      std::vector<const Value*> parts;
      for (const std::string& name : node.input()) parts.push_back(&get(name));
      return concat(parts, node.attribute(0).i());
    }
    fail("operator '" + op + "' is not one that is written here");
  }
  static Shape list(const onnx::NodeProto& node) {
    return {node.attribute(0).ints().begin(), node.attribute(0).ints().end()};
  }

  RawOutputs outputs(const EvaluationInput& input) const {
    const BoardSize size = input.features.size;
    const int canvas = std::max(size.width, size.height);
    const short* map = input.symmetry.map(size);
    const auto on_board = [&](const float* plane) {
      std::vector<float> points;
      for (int i = 0; i < size.area(); ++i) {
        points.push_back(plane[map[i] / size.width * canvas + map[i] % size.width]);
      }
      return points;
    };
    RawOutputs raw;
    const Value& policy = get("policy");
    for (std::int64_t k = 0; k < policy.shape[1]; ++k) {
      const float* logits = &policy.numbers[static_cast<std::size_t>(k * policy.shape[2])];
      raw.policy.push_back(on_board(logits));
      raw.policy.back().push_back(logits[canvas * canvas]);
    }
    std::ranges::copy(get("value").numbers, raw.value.begin());
    raw.misc = get("misc").numbers;
    raw.ownership = on_board(get("ownership").numbers.data());
    return raw;
  }

  onnx::ModelProto model_;
  std::map<std::string, Value> constants_, values_;
};

}  // namespace

std::vector<RawOutputs> run_onnx(std::string_view bytes, std::span<const EvaluationInput> inputs) {
  Runner runner(bytes);
  std::vector<RawOutputs> outputs;
  for (const EvaluationInput& input : inputs) outputs.push_back(runner.run(input));
  return outputs;
}

}  // namespace tengen
