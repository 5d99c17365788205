#include "train/optimizer.h"

#include <torch/torch.h>

#include "rules/check.h"

namespace tengen {
namespace {

using at::Tensor;

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

// Parameters that share a weight decay.
struct Group {
  double weight_decay;
  std::vector<Tensor> parameters, exp_avgs, exp_avg_sqs, steps;
};

std::string shape_text(const Tensor& tensor) {
  std::string text = "[";
  for (const std::int64_t n : tensor.sizes()) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  }
  return text + "]";
}

}  // namespace

struct Optimizer::Impl {
  Group decayed, plain;
  std::vector<Tensor> parameters, averaged;  // all, in order
  NamedTensors state;                        // in order; the live tensors
};

Optimizer::Optimizer(const NamedTensors& parameters, const NamedTensors& averaged,
                     double weight_decay)
    : impl_(std::make_unique<Impl>()) {
  check(parameters.size() == averaged.size(), "every parameter has an average");
  impl_->decayed.weight_decay = weight_decay;
  impl_->plain.weight_decay = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [name, parameter] = parameters[i];
    parameter.requires_grad_(true);
    Group& group = parameter.dim() >= 2 ? impl_->decayed : impl_->plain;
    const Tensor exp_avg = at::zeros_like(parameter.detach());
    const Tensor exp_avg_sq = at::zeros_like(exp_avg);
    const Tensor step = at::zeros({}, exp_avg.options());
    group.parameters.push_back(parameter);
    group.exp_avgs.push_back(exp_avg);
    group.exp_avg_sqs.push_back(exp_avg_sq);
    group.steps.push_back(step);
    impl_->parameters.push_back(parameter);
    impl_->averaged.push_back(averaged[i].second);
    impl_->state.emplace_back(name + ".exp_avg", exp_avg);
    impl_->state.emplace_back(name + ".exp_avg_sq", exp_avg_sq);
    impl_->state.emplace_back(name + ".step", step);
  }
}

Optimizer::~Optimizer() = default;

void Optimizer::zero_gradients() {
  for (Tensor& parameter : impl_->parameters) parameter.mutable_grad().reset();
}

namespace {

std::vector<Tensor> gradients(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> grads;
  grads.reserve(parameters.size());
  for (const Tensor& parameter : parameters) {
    check(parameter.grad().defined(), "every parameter takes part in the loss");
    check(parameter.grad().strides() == parameter.strides(), "gradients lie as their weights do");
    grads.push_back(parameter.grad());
  }
  return grads;
}

}  // namespace

Tensor Optimizer::gradient_norm() const {
  return at::stack(at::_foreach_norm(gradients(impl_->parameters))).norm();
}

void Optimizer::scale_gradients(double factor) {
  std::vector<Tensor> grads = gradients(impl_->parameters);
  at::_foreach_mul_(grads, factor);
}

void Optimizer::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  for (Group* group : {&impl_->decayed, &impl_->plain}) {
    if (group->parameters.empty()) continue;
    std::vector<Tensor> grads = gradients(group->parameters);
    at::_foreach_add_(group->steps, 1);
    at::_fused_adamw_(group->parameters, grads, group->exp_avgs, group->exp_avg_sqs, {},
                      group->steps, learning_rate, kBeta1, kBeta2, group->weight_decay, kEpsilon,
                      /*amsgrad=*/false, /*maximize=*/false);
  }
}

void Optimizer::average(double decay) {
  const at::NoGradGuard no_grad;
  at::_foreach_lerp_(impl_->averaged, impl_->parameters, 1 - decay);
}

const NamedTensors& Optimizer::state() const {
  return impl_->state;
}

void require_like(const NamedTensors& tensors, const NamedTensors& like, const std::string& where) {
  if (tensors.size() != like.size()) {
    throw Error(where + ": " + std::to_string(tensors.size()) + " tensors, expected " +
                std::to_string(like.size()));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& [name, tensor] = tensors[i];
    const auto& [expected, target] = like[i];
    if (name != expected || tensor.sizes() != target.sizes()) {
      throw Error(where + ": tensor " + name + " " + shape_text(tensor) + ", expected " + expected +
                  " " + shape_text(target));
    }
    if (!at::isfinite(tensor).all().item<bool>()) {
      throw Error(where + ": tensor " + name + " is not finite");
    }
  }
}

void copy_tensors(const NamedTensors& from, const NamedTensors& to) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < from.size(); ++i) Tensor(to[i].second).copy_(from[i].second);
}

}  // namespace tengen
