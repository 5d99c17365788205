#include <torch/torch.h>

#include "nn/features.h"
#include "nn/network_tower.h"

namespace tengen::tower {

Tensor activated(const Tensor& x, Activation kind) {
  switch (kind) {
    case Activation::kIdentity:
      return x;
    case Activation::kRelu:
      return at::relu(x);
    case Activation::kMish:
      return at::mish(x);
    case Activation::kSilu:
      return at::silu(x);
  }
  return x;
}

Boards boards_of(const Tensor& planes, at::ScalarType type) {
  const Tensor mask = planes.narrow(1, kPlaneOnBoard, 1);
  const Tensor area = at::sum(mask, {2, 3}, false, at::kFloat);
  return {mask.to(type), area, (area.sqrt() - 14.0) / 10.0};
}

Tensor Norm::operator()(const Tensor& x, const Pass& pass) const {
  Tensor merged_scale = scale, merged_bias = bias;
  if (mean.defined()) {
    const auto [m, v] = pass.in_training ? batch_statistics(x, pass) : std::pair(mean, variance);
    merged_scale = scale * (v + kNormEpsilon).rsqrt();
    merged_bias = bias - merged_scale * m;
  }
  const auto per_channel = [&x](const Tensor& t) { return t.to(x.scalar_type()).view({-1, 1, 1}); };
  // The mask before the activation lets both work in place, also when gradients are wanted.
  Tensor sum = at::addcmul(per_channel(merged_bias), x, per_channel(merged_scale));
  sum.mul_(pass.boards.mask);
  return pass.activation == Activation::kRelu ? sum.relu_() : activated(sum, pass.activation);
}

std::pair<Tensor, Tensor> Norm::batch_statistics(const Tensor& x, const Pass& pass) const {
  const Tensor mask = pass.boards.mask.to(at::kFloat);
  const Tensor points = pass.boards.area.sum();
  const Tensor wide = x.to(at::kFloat);
  const Tensor m = (wide * mask).sum({0, 2, 3}) / points;
  const Tensor v = ((wide - m.view({-1, 1, 1})).square() * mask).sum({0, 2, 3}) / points;
  if (pass.statistics != nullptr) {
    pass.statistics->push_back(m.detach());
    pass.statistics->push_back(v.detach());
  }
  return {m, v};
}

Tensor conv(const Tensor& x, const Tensor& weight) {
  return at::conv2d(x, weight.to(x.scalar_type()), {}, 1, weight.size(2) / 2);
}

Tensor over_board(const Tensor& per_channel, at::ScalarType type) {
  return per_channel.to(type).unsqueeze(2).unsqueeze(3);
}

Tensor mean_of(const Tensor& x, const Boards& boards) {
  return at::sum(x, {2, 3}, false, at::kFloat) / boards.area;
}

Tensor pool(const Tensor& x, const Pass& pass) {
  const Boards& boards = pass.boards;
  const Tensor mean = mean_of(x, boards);
  const bool is_positive = pass.activation == Activation::kRelu;
  const Tensor on_board = is_positive ? x : (x + (boards.mask - 1)).clamp_min(-1);
  return at::cat({mean, mean * boards.side, on_board.amax({2, 3}).to(at::kFloat)}, 1);
}

Tensor pool_for_value(const Tensor& x, const Boards& boards) {
  const Tensor mean = mean_of(x, boards);
  return at::cat({mean, mean * boards.side, mean * (boards.side.square() - 0.1)}, 1);
}

Tensor Block::operator()(const Tensor& x, const Pass& pass) const {
  const Tensor a = norm1(x, pass);
  Tensor r = conv(a, conv1);
  if (kind == ModelBlock::Kind::kPooling) {
    const Tensor g = pooling.norm(conv(a, pooling.conv_weight), pass);
    r = r + over_board(pooling.linear(pool(g, pass)), r.scalar_type());
  }
  for (const Block& block : inner) r = block(r, pass);
  return x + conv(norm2(r, pass), conv2);
}

}  // namespace tengen::tower
