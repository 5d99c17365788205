#include "train/backward.h"

#include <torch/torch.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>

namespace tengen {
namespace {

using at::Tensor;

constexpr std::int64_t kMinSliceRows = 32;

// Sets LibTorch's number of threads for work that this thread starts, while it lives.
class TorchThreads {
 public:
  explicit TorchThreads(int threads) : before_(at::get_num_threads()) {
    at::set_num_threads(threads);
  }
  ~TorchThreads() { at::set_num_threads(before_); }
  TorchThreads(const TorchThreads&) = delete;
  TorchThreads& operator=(const TorchThreads&) = delete;

 private:
  int before_;
};

struct Slice {
  std::vector<Tensor> gradients;
  Tensor sums;
  std::exception_ptr failure;
};

// Runs work(slice, index) for all slices at the same time, the first on this thread, each with one
// thread of LibTorch's. Rethrows what one of them threw.
void run_slices(std::vector<Slice>& slices, const std::function<void(Slice&, std::int64_t)>& work) {
  const auto guarded = [&](std::size_t i) {
    const TorchThreads one(1);
    try {
      work(slices[i], static_cast<std::int64_t>(i));
    } catch (...) {
      slices[i].failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < slices.size(); ++i) threads.emplace_back(guarded, i);
    guarded(0);
  }
  for (const Slice& slice : slices) {
    if (slice.failure) std::rethrow_exception(slice.failure);
  }
}

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

}  // namespace

void backward(const Network& network, const std::vector<Tensor>& batch, const TrainOptions& options,
              bool bf16, Tensor* sums) {
  const std::int64_t rows = batch[kBatchWeights].size(0);
  const std::int64_t threads = batch[kBatchWeights].is_cpu() ? at::get_num_threads() : 1;
  const std::int64_t count =
      std::clamp<std::int64_t>(rows / kMinSliceRows, 1, std::max<std::int64_t>(1, threads));
  if (count == 1) {
    loss(network, batch, options, bf16, sums).backward();
    return;
  }
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : network.parameters()) parameters.push_back(parameter);
  std::vector<Slice> slices(static_cast<std::size_t>(count));
  run_slices(slices, [&](Slice& slice, std::int64_t index) {
    const std::int64_t first = rows * index / count, end = rows * (index + 1) / count;
    const double share = static_cast<double>(end - first) / static_cast<double>(rows);
    const Tensor mean = loss(network, rows_of(batch, first, end), options, bf16,
                             sums == nullptr ? nullptr : &slice.sums);
    slice.gradients = torch::autograd::grad({mean * share}, parameters);
  });

  const at::NoGradGuard no_grad;
  for (std::size_t i = 1; i < slices.size(); ++i) {
    if (sums != nullptr) slices[0].sums += slices[i].sums;
    at::_foreach_add_(slices[0].gradients, slices[i].gradients);
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    parameters[k].mutable_grad() = slices[0].gradients[k];
  }
  if (sums != nullptr) *sums = slices[0].sums;
}

Tensor loss_sums(const Network& network, const std::vector<Tensor>& batch,
                 const TrainOptions& options, bool bf16) {
  const at::NoGradGuard no_grad;
  Tensor sums;
  loss(network, batch, options, bf16, &sums);
  return sums;
}

}  // namespace tengen
