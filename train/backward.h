#pragma once

#include <vector>

#include "nn/network.h"
#include "train/losses.h"
#include "train/train_options.h"

namespace tengen {

// Gives each parameter of the network its gradient of the batch's loss (mean over rows), in the
// parameter's own memory layout; zeros where no loss depends on it. If `sums` is not null it
// becomes the batch's LossSums. `batch` in the order of BatchField, on the network's device;
// forward and backward compute in bf16 or fp32, losses in fp32. Returns the batch's
// Network::statistics(): means and variances, taken slice by slice and joined by their shares of
// the points.
//
// On the CPU the batch is cut into slices of rows for up to `threads` threads: for small nets that
// scales, while threads inside single operations mostly wait for one another. Batch norm normalises
// each slice by itself. The result is a function of the arguments.
std::vector<at::Tensor> backward(const Network& network, const std::vector<at::Tensor>& batch,
                                 const TrainOptions& options, bool bf16, int threads,
                                 at::Tensor* sums);

// The batch's LossSums, without gradients, in the same way.
at::Tensor loss_sums(const Network& network, const std::vector<at::Tensor>& batch,
                     const TrainOptions& options, bool bf16, int threads);

}  // namespace tengen
