#include "naive_network.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

using Values = std::vector<double>;

double activated(double x, Activation kind) {
  if (kind == Activation::kRelu) return std::max(x, 0.0);
  if (kind == Activation::kMish) return x * std::tanh(std::log(1 + std::exp(x)));
  if (kind == Activation::kSilu) return x * (1 / (1 + std::exp(-x)));
  return x;
}

// [channels][height][width]
struct Canvas {
  int channels, height, width;
  Values values = Values(static_cast<std::size_t>(channels * height * width));
  double& at(int c, int y, int x) { return values[(c * height + y) * width + x]; }
  double at(int c, int y, int x) const { return values[(c * height + y) * width + x]; }
};

Values times(const Values& x, const MatrixLayer& layer) {
  Values result(layer.out);
  for (int o = 0; o < layer.out; ++o) {
    for (int i = 0; i < layer.in; ++i) result[o] += x[i] * layer.weights[i * layer.out + o];
  }
  return result;
}

class Naive {
 public:
  Naive(const NetModel& model, const EvaluationInput& input);
  RawOutputs outputs() const;

 private:
  bool is_on_board(int y, int x) const { return y < size_.height && x < size_.width; }
  Canvas conv(const Canvas& in, const ConvLayer& layer) const;
  Canvas read(const Canvas& in, const NormedActivation& read) const;
  Values pooled(const Canvas& x, bool for_value) const;
  void add_to_points(Canvas& x, const Values& bias) const;
  Canvas block(const Canvas& trunk, const ModelBlock& block) const;

  const NetModel& model_;
  BoardSize size_;
  Symmetry symmetry_;
  Canvas planes_;
  Values scalars_;
};

Naive::Naive(const NetModel& model, const EvaluationInput& input)
    : model_(model),
      size_(input.features.size),
      symmetry_(input.symmetry),
      planes_{kPlanes, size_.height + 2, size_.width + 2},
      scalars_(input.features.scalars.begin(), input.features.scalars.end()) {
  for (int i = 0; i < size_.area(); ++i) {
    const Point to = symmetry_.apply(size_.point(i), size_);
    for (int p = 0; p < kPlanes; ++p) {
      planes_.at(p, to.row(), to.column()) = input.features.planes[p].contains(i);
    }
  }
}

Canvas Naive::conv(const Canvas& in, const ConvLayer& layer) const {
  Canvas out{layer.out, in.height, in.width};
  for (int o = 0; o < layer.out; ++o) {
    for (int y = 0; y < in.height; ++y) {
      for (int x = 0; x < in.width; ++x) {
        for (int ky = 0; ky < layer.height; ++ky) {
          for (int kx = 0; kx < layer.width; ++kx) {
            const int from_y = y + ky - layer.height / 2, from_x = x + kx - layer.width / 2;
            if (from_y < 0 || from_y >= in.height || from_x < 0 || from_x >= in.width) continue;
            for (int i = 0; i < layer.in; ++i) {
              const int weight = ((ky * layer.width + kx) * layer.in + i) * layer.out + o;
              out.at(o, y, x) += in.at(i, from_y, from_x) * layer.weights[weight];
            }
          }
        }
      }
    }
  }
  return out;
}

Canvas Naive::read(const Canvas& in, const NormedActivation& read) const {
  Canvas out = in;
  const NormLayer& norm = read.norm;
  for (int c = 0; c < in.channels; ++c) {
    const double scale = norm.scale.empty() ? 1 : norm.scale[c];
    const double bias = norm.bias.empty() ? 0 : norm.bias[c];
    for (int y = 0; y < in.height; ++y) {
      for (int x = 0; x < in.width; ++x) {
        const double normed = scale * (in.at(c, y, x) - norm.mean[c]) /
                                  std::sqrt(norm.variance[c] + norm.epsilon.value) +
                              bias;
        out.at(c, y, x) = is_on_board(y, x) ? activated(normed, read.activation.kind) : 0;
      }
    }
  }
  return out;
}

Values Naive::pooled(const Canvas& x, bool for_value) const {
  Values result(3 * x.channels);
  const double side = std::sqrt(static_cast<double>(size_.area())) - 14;
  for (int c = 0; c < x.channels; ++c) {
    double sum = 0, highest = -1;
    for (int row = 0; row < x.height; ++row) {
      for (int column = 0; column < x.width; ++column) {
        sum += x.at(c, row, column);
        if (is_on_board(row, column)) highest = std::max(highest, x.at(c, row, column));
      }
    }
    const double mean = sum / size_.area();
    result[c] = mean;
    result[x.channels + c] = mean * side / 10;
    result[2 * x.channels + c] = for_value ? mean * (side * side / 100 - 0.1) : highest;
  }
  return result;
}

void Naive::add_to_points(Canvas& x, const Values& bias) const {
  for (int c = 0; c < x.channels; ++c) {
    for (int y = 0; y < x.height; ++y) {
      for (int column = 0; column < x.width; ++column) x.at(c, y, column) += bias[c];
    }
  }
}

Canvas Naive::block(const Canvas& trunk, const ModelBlock& block) const {
  const Canvas in = read(trunk, block.read1);
  Canvas inside = conv(in, block.conv1);
  if (block.pooling) {
    const Canvas g = read(conv(in, block.pooling->conv), block.pooling->read);
    add_to_points(inside, times(pooled(g, false), block.pooling->matrix));
  }
  for (const ModelBlock& inner : block.inner) inside = this->block(inside, inner);
  Canvas out = conv(read(inside, block.read2), block.conv2);
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] += trunk.values[i];
  return out;
}

RawOutputs Naive::outputs() const {
  Canvas trunk = conv(planes_, model_.stem);
  add_to_points(trunk, times(scalars_, model_.scalars));
  for (const ModelBlock& b : model_.blocks) trunk = block(trunk, b);
  const Canvas tip = read(trunk, model_.tip);

  const ModelPolicyHead& policy = model_.policy;
  const Values pools = pooled(read(conv(tip, policy.pooling.conv), policy.pooling.read), false);
  Canvas points = conv(tip, policy.conv1);
  add_to_points(points, times(pools, policy.pooling.matrix));
  const Canvas logits = conv(read(points, policy.read), policy.conv2);
  Values pass = times(pools, policy.pass);
  if (policy.pass_hidden) {
    for (std::size_t i = 0; i < pass.size(); ++i) {
      pass[i] = activated(pass[i] + policy.pass_hidden->bias.weights[i],
                          policy.pass_hidden->activation.kind);
    }
    pass = times(pass, policy.pass_hidden->matrix);
  }

  const ModelValueHead& value = model_.value;
  const Canvas v = read(conv(tip, value.conv1), value.read);
  Values hidden = times(pooled(v, true), value.hidden);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    hidden[i] = activated(hidden[i] + value.hidden_bias.weights[i], value.hidden_activation.kind);
  }
  const Values outcome = times(hidden, value.value), misc = times(hidden, value.misc);
  const Canvas ownership = conv(v, value.ownership);

  RawOutputs out;
  for (int k = 0; k < policy.channels(); ++k) {
    out.policy.emplace_back(size_.area() + 1);
    out.policy[k][size_.area()] = static_cast<float>(pass[k]);
  }
  out.ownership.resize(size_.area());
  for (int i = 0; i < size_.area(); ++i) {
    const Point from = symmetry_.apply(size_.point(i), size_);
    for (int k = 0; k < policy.channels(); ++k) {
      out.policy[k][i] = static_cast<float>(logits.at(k, from.row(), from.column()));
    }
    out.ownership[i] = static_cast<float>(ownership.at(0, from.row(), from.column()));
  }
  for (int i = 0; i < 3; ++i) {
    out.value[i] = static_cast<float>(outcome[i] + value.value_bias.weights[i]);
  }
  for (std::size_t i = 0; i < misc.size(); ++i) {
    out.misc.push_back(static_cast<float>(misc[i] + value.misc_bias.weights[i]));
  }
  return out;
}

}  // namespace

RawOutputs naive_outputs(const NetModel& model, const EvaluationInput& input) {
  return Naive(model, input).outputs();
}

}  // namespace tengen
