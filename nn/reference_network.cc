#include "nn/reference_network.h"

#include <Eigen/Dense>
#include <cmath>

#include "rules/check.h"

namespace tengen {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::RowVectorXf;

Eigen::Map<const Matrix> matrix_of(const float* weights, int in, int out) {
  return {weights, in, out};
}
Eigen::Map<const Matrix> matrix_of(const MatrixLayer& layer) {
  return matrix_of(layer.weights.data(), layer.in, layer.out);
}
Eigen::Map<const Vector> vector_of(const std::vector<float>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

float activated(float x, Activation kind) {
  switch (kind) {
    case Activation::kIdentity:
      return x;
    case Activation::kRelu:
      return x < 0 ? 0.F : x;  // what is not a number stays so
    case Activation::kMish:    // x tanh(log(1 + e^x))
      return x * std::tanh(x > 20 ? x : std::log1p(std::exp(x)));
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
  }
  check(false, "an activation of the list");
  return x;
}

template <class Values>
void activate(Values& x, const ActivationLayer& layer) {
  x = x.unaryExpr([kind = layer.kind](float v) { return activated(v, kind); });
}

// Points [area] by channels, of one board.
class Board {
 public:
  explicit Board(BoardSize size) : size_(size) {}

  Matrix conv(const Matrix& x, const ConvLayer& layer) const;
  // KataGo's pooling of trunk and policy head: mean, mean by the side, maximum, at least -1.
  Vector pooled(const Matrix& x) const;
  Vector pooled_for_value(const Matrix& x) const;  // mean, by the side, by its square
  Matrix read(const Matrix& x, const NormedActivation& read) const;
  Vector pools_of(const Matrix& x, const PoolingLayers& pooling) const {
    return pooled(read(conv(x, pooling.conv), pooling.read));
  }
  void add_block(Matrix& trunk, const ModelBlock& block) const;

 private:
  // Row p of the answer is row p + (dy, dx) of x; zeros from beyond the edge.
  Matrix shifted(const Matrix& x, int dy, int dx) const;
  float side() const { return (std::sqrt(static_cast<float>(size_.area())) - 14.F) / 10.F; }

  BoardSize size_;
};

Matrix Board::shifted(const Matrix& x, int dy, int dx) const {
  Matrix result = Matrix::Zero(x.rows(), x.cols());
  for (int row = 0; row < size_.height; ++row) {
    for (int column = 0; column < size_.width; ++column) {
      const int from_row = row + dy, from_column = column + dx;
      if (from_row < 0 || from_row >= size_.height) continue;
      if (from_column < 0 || from_column >= size_.width) continue;
      result.row(row * size_.width + column) = x.row(from_row * size_.width + from_column);
    }
  }
  return result;
}

Matrix Board::conv(const Matrix& x, const ConvLayer& layer) const {
  Matrix sum = Matrix::Zero(x.rows(), layer.out);
  const float* weights = layer.weights.data();
  for (int y = 0; y < layer.height; ++y) {
    for (int column = 0; column < layer.width; ++column, weights += layer.in * layer.out) {
      const auto w = matrix_of(weights, layer.in, layer.out);
      const int dy = y - layer.height / 2, dx = column - layer.width / 2;
      if (dy == 0 && dx == 0) {
        sum.noalias() += x * w;
      } else {
        sum.noalias() += shifted(x, dy, dx) * w;
      }
    }
  }
  return sum;
}

Vector Board::pooled(const Matrix& x) const {
  Vector result(3 * x.cols());
  const Vector mean = x.colwise().mean();
  result << mean, mean * side(), x.colwise().maxCoeff().cwiseMax(-1.F);
  return result;
}

Vector Board::pooled_for_value(const Matrix& x) const {
  Vector result(3 * x.cols());
  const Vector mean = x.colwise().mean();
  result << mean, mean * side(), mean * (side() * side() - 0.1F);
  return result;
}

Matrix Board::read(const Matrix& x, const NormedActivation& read) const {
  const Affine affine = merged(read.norm);
  Matrix result = x;
  result.array().rowwise() *= vector_of(affine.scale).array();
  result.rowwise() += vector_of(affine.bias);
  activate(result, read.activation);
  return result;
}

void Board::add_block(Matrix& trunk, const ModelBlock& block) const {
  const Matrix in = read(trunk, block.read1);
  Matrix inside = conv(in, block.conv1);
  if (block.pooling) {
    inside.rowwise() += pools_of(in, *block.pooling) * matrix_of(block.pooling->matrix);
  }
  for (const ModelBlock& inner : block.inner) add_block(inside, inner);
  trunk += conv(read(inside, block.read2), block.conv2);
}

// What the network is to see.
struct Seen {
  Matrix planes;
  Vector scalars;
};

Seen seen_of(const EvaluationInput& input) {
  const BoardSize size = input.features.size;
  check(input.symmetry.index() < Symmetry::count(size), "a symmetry of this board");
  const short* map = input.symmetry.map(size);
  Seen seen{Matrix::Zero(size.area(), kPlanes), Vector(kScalars)};
  for (int p = 0; p < kPlanes; ++p) {
    input.features.planes[p].for_each([&](int i) { seen.planes(map[i], p) = 1; });
  }
  for (int s = 0; s < kScalars; ++s) seen.scalars[s] = input.features.scalars[s];
  return seen;
}

class ReferenceNetwork : public CpuNetwork {
 public:
  explicit ReferenceNetwork(std::shared_ptr<const NetModel> model) : model_(std::move(model)) {}
  void compute(std::span<const EvaluationInput> inputs, std::span<RawOutputs> outputs) override;

 private:
  void policy(const Board& board, const Matrix& tip, const short* map, RawOutputs& out) const;
  void value(const Board& board, const Matrix& tip, const short* map, RawOutputs& out) const;

  std::shared_ptr<const NetModel> model_;
};

void ReferenceNetwork::policy(const Board& board, const Matrix& tip, const short* map,
                              RawOutputs& out) const {
  const ModelPolicyHead& head = model_->policy;
  const Vector pools = board.pools_of(tip, head.pooling);
  Matrix points = board.conv(tip, head.conv1);
  points.rowwise() += pools * matrix_of(head.pooling.matrix);
  const Matrix logits = board.conv(board.read(points, head.read), head.conv2);
  Vector pass = pools * matrix_of(head.pass);
  if (head.pass_hidden) {
    pass += vector_of(head.pass_hidden->bias.weights);
    activate(pass, head.pass_hidden->activation);
    pass = (pass * matrix_of(head.pass_hidden->matrix)).eval();
  }
  const auto area = static_cast<std::size_t>(logits.rows());
  out.policy.resize(static_cast<std::size_t>(head.channels()));
  for (int k = 0; k < head.channels(); ++k) {
    out.policy[k].resize(area + 1);
    for (std::size_t i = 0; i < area; ++i) out.policy[k][i] = logits(map[i], k);
    out.policy[k][area] = pass[k];
  }
}

void ReferenceNetwork::value(const Board& board, const Matrix& tip, const short* map,
                             RawOutputs& out) const {
  const ModelValueHead& head = model_->value;
  const Matrix points = board.read(board.conv(tip, head.conv1), head.read);
  Vector hidden = board.pooled_for_value(points) * matrix_of(head.hidden);
  hidden += vector_of(head.hidden_bias.weights);
  activate(hidden, head.hidden_activation);
  const Vector value = hidden * matrix_of(head.value) + vector_of(head.value_bias.weights);
  const Vector misc = hidden * matrix_of(head.misc) + vector_of(head.misc_bias.weights);
  const Matrix ownership = board.conv(points, head.ownership);
  for (int i = 0; i < 3; ++i) out.value[i] = value[i];
  out.misc.assign(misc.data(), misc.data() + misc.size());
  out.ownership.resize(static_cast<std::size_t>(ownership.rows()));
  for (std::size_t i = 0; i < out.ownership.size(); ++i) out.ownership[i] = ownership(map[i], 0);
}

void ReferenceNetwork::compute(std::span<const EvaluationInput> inputs,
                               std::span<RawOutputs> outputs) {
  check(inputs.size() == outputs.size(), "one output per input");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const BoardSize size = inputs[i].features.size;
    const Board board(size);
    const Seen seen = seen_of(inputs[i]);
    Matrix trunk = board.conv(seen.planes, model_->stem);
    trunk.rowwise() += seen.scalars * matrix_of(model_->scalars);
    for (const ModelBlock& block : model_->blocks) board.add_block(trunk, block);
    const Matrix tip = board.read(trunk, model_->tip);
    const short* map = inputs[i].symmetry.map(size);
    policy(board, tip, map, outputs[i]);
    value(board, tip, map, outputs[i]);
  }
}

}  // namespace

std::unique_ptr<CpuNetwork> make_reference_network(std::shared_ptr<const NetModel> model) {
  return std::make_unique<ReferenceNetwork>(std::move(model));
}

}  // namespace tengen
