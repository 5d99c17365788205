#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/named_tensors.h"

namespace tengen {

// AdamW (Loshchilov and Hutter, arXiv:1711.05101), torch's fused kernel: betas 0.9 and 0.999,
// epsilon 1e-8, decay on tensors of two and more dimensions only. Also keeps the running average of
// the weights. Requires LibTorch 2.4 on a CPU.
class Optimizer {
 public:
  // `parameters` are the live tensors, with gradients; `averaged` those of the average, in the same
  // order.
  Optimizer(const NamedTensors& parameters, const NamedTensors& averaged, double weight_decay);
  ~Optimizer();

  void zero_gradients();
  // Global norm of the gradients, a scalar tensor.
  at::Tensor gradient_norm() const;
  // Scales the gradients; for clipping.
  void scale_gradients(double factor);
  // One step at this rate.
  void step(double learning_rate);
  // average = decay * average + (1 - decay) * weights.
  void average(double decay);

  // "<parameter>.exp_avg", ".exp_avg_sq" and ".step" (a scalar), for each parameter in order: the
  // live tensors.
  const NamedTensors& state() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Throws Error, starting with `where`, unless names, order and shapes are those of `like` and every
// value is finite.
void require_like(const NamedTensors& tensors, const NamedTensors& like, const std::string& where);
// Copies values into the tensors of `to`. Requires tensors alike.
void copy_tensors(const NamedTensors& from, const NamedTensors& to);

}  // namespace tengen
