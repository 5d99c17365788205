#include "train/backward.h"

#include <torch/torch.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>

#include "nn/torch_threads.h"

namespace tengen {
namespace {

using at::Tensor;

// Below this a thread spends more on the weights than on its rows.
constexpr std::int64_t kMinSliceRows = 16;

struct Slice {
  std::vector<Tensor> gradients;
  Tensor sums;
  std::exception_ptr failure;
};

Tensor loss(const Network& network, const std::vector<Tensor>& batch, const TrainOptions& options,
            bool bf16, Tensor* sums) {
  const at::ScalarType type = bf16 ? at::kBFloat16 : at::kFloat;
  const auto outputs = network.forward(batch[kBatchPlanes].to(type), batch[kBatchScalars].to(type));
  return losses(outputs, batch, options, sums);
}

std::vector<Tensor> rows_of(const std::vector<Tensor>& batch, std::int64_t first,
                            std::int64_t end) {
  std::vector<Tensor> part;
  for (const Tensor& tensor : batch) part.push_back(tensor.narrow(0, first, end - first));
  return part;
}

// Cuts the batch into slices of rows and runs work(slice, its rows, their share of the batch) for
// all of them at the same time, the first on this thread, each with one thread of LibTorch's.
// Rethrows what one of them threw.
using Work = std::function<void(Slice&, const std::vector<Tensor>&, double)>;
std::vector<Slice> run_slices(const std::vector<Tensor>& batch, int threads, const Work& work) {
  const std::int64_t rows = batch[kBatchWeights].size(0);
  const std::int64_t most = batch[kBatchWeights].is_cpu() ? std::max(threads, 1) : 1;
  const std::int64_t count = std::clamp<std::int64_t>(rows / kMinSliceRows, 1, most);
  std::vector<Slice> slices(static_cast<std::size_t>(count));
  const auto guarded = [&](std::int64_t i) {
    const std::int64_t first = rows * i / count, end = rows * (i + 1) / count;
    const TorchThreads one(1);
    try {
      work(slices[i], rows_of(batch, first, end),
           static_cast<double>(end - first) / static_cast<double>(rows));
    } catch (...) {
      slices[i].failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::int64_t i = 1; i < count; ++i) others.emplace_back(guarded, i);
    guarded(0);
  }
  for (const Slice& slice : slices) {
    if (slice.failure) std::rethrow_exception(slice.failure);
  }
  return slices;
}

Tensor added_sums(const std::vector<Slice>& slices) {
  Tensor sums = slices[0].sums;
  for (std::size_t i = 1; i < slices.size(); ++i) sums = sums + slices[i].sums;
  return sums;
}

}  // namespace

void backward(const Network& network, const std::vector<Tensor>& batch, const TrainOptions& options,
              bool bf16, int threads, Tensor* sums) {
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : network.parameters()) parameters.push_back(parameter);
  std::vector<Slice> slices =
      run_slices(batch, threads, [&](Slice& slice, const std::vector<Tensor>& rows, double share) {
        const Tensor mean =
            loss(network, rows, options, bf16, sums == nullptr ? nullptr : &slice.sums);
        slice.gradients = torch::autograd::grad({share == 1 ? mean : mean * share}, parameters);
      });
  const at::NoGradGuard no_grad;
  for (std::size_t i = 1; i < slices.size(); ++i) {
    at::_foreach_add_(slices[0].gradients, slices[i].gradients);
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    // In the memory layout of its weights, as the optimiser needs it: grad() gives convolutions
    // theirs channels-last.
    parameters[k].mutable_grad() = at::empty_like(parameters[k]).copy_(slices[0].gradients[k]);
  }
  if (sums != nullptr) *sums = added_sums(slices);
}

Tensor loss_sums(const Network& network, const std::vector<Tensor>& batch,
                 const TrainOptions& options, bool bf16, int threads) {
  return added_sums(
      run_slices(batch, threads, [&](Slice& slice, const std::vector<Tensor>& rows, double) {
        const at::NoGradGuard no_grad;
        loss(network, rows, options, bf16, &slice.sums);
      }));
}

}  // namespace tengen
