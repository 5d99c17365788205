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
  std::vector<Tensor> statistics;  // Network::statistics() of its rows
  double share = 1;                // of the batch's rows
  double points = 0;               // on its boards
  Tensor sums;
  std::exception_ptr failure;
};

at::ScalarType type_of(bool bf16) {
  return bf16 ? at::kBFloat16 : at::kFloat;
}

std::vector<Tensor> rows_of(const std::vector<Tensor>& batch, std::int64_t first,
                            std::int64_t end) {
  std::vector<Tensor> part;
  for (const Tensor& tensor : batch) part.push_back(tensor.narrow(0, first, end - first));
  return part;
}

// Cuts the batch into slices of rows and runs work(slice, its rows) for all
// of them at the same time, the first on this thread, each with one thread of LibTorch's.
// Rethrows what one of them threw.
using Work = std::function<void(Slice&, const std::vector<Tensor>&)>;
std::vector<Slice> run_slices(const std::vector<Tensor>& batch, int threads, const Work& work) {
  const std::int64_t rows = batch[kBatchWeights].size(0);
  const std::int64_t most = batch[kBatchWeights].is_cpu() ? std::max(threads, 1) : 1;
  const std::int64_t count = std::clamp<std::int64_t>(rows / kMinSliceRows, 1, most);
  std::vector<Slice> slices(static_cast<std::size_t>(count));
  const auto guarded = [&](std::int64_t i) {
    const std::int64_t first = rows * i / count, end = rows * (i + 1) / count;
    const TorchThreads one(1);
    try {
      slices[i].share = static_cast<double>(end - first) / static_cast<double>(rows);
      work(slices[i], rows_of(batch, first, end));
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

// Means and variances of the whole batch from those of its slices.
std::vector<Tensor> joined_statistics(const std::vector<Slice>& slices) {
  std::vector<Tensor> joined;
  double points = 0;
  for (const Slice& slice : slices) points += slice.points;
  for (std::size_t i = 0; i + 1 < slices[0].statistics.size(); i += 2) {
    Tensor mean = at::zeros_like(slices[0].statistics[i]), square = at::zeros_like(mean);
    for (const Slice& slice : slices) {
      const Tensor& m = slice.statistics[i];
      mean += slice.points / points * m;
      square += slice.points / points * (slice.statistics[i + 1] + m.square());
    }
    joined.push_back(mean);
    joined.push_back(square - mean.square());
  }
  return joined;
}

}  // namespace

std::vector<Tensor> backward(const Network& network, const std::vector<Tensor>& batch,
                             const TrainOptions& options, bool bf16, int threads, Tensor* sums) {
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : network.parameters()) parameters.push_back(parameter);
  std::vector<Slice> slices =
      run_slices(batch, threads, [&](Slice& slice, const std::vector<Tensor>& rows) {
        const auto outputs = network.forward(rows[kBatchPlanes].to(type_of(bf16)),
                                             rows[kBatchScalars].to(type_of(bf16)),
                                             ForwardMode::kTraining, &slice.statistics);
        if (!slice.statistics.empty()) {
          slice.points = rows[kBatchPlanes].select(1, kPlaneOnBoard).sum().item<double>();
        }
        const Tensor mean = losses(outputs, rows, options, sums == nullptr ? nullptr : &slice.sums);
        slice.gradients = torch::autograd::grad(
            {slice.share == 1 ? mean : mean * slice.share}, parameters, /*grad_outputs=*/{},
            /*retain_graph=*/std::nullopt, /*create_graph=*/false, /*allow_unused=*/true);
      });
  const at::NoGradGuard no_grad;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    // In the memory layout of its weights, as the optimiser needs it: grad() gives convolutions
    // theirs channels-last. Heads without a loss get zeros.
    Tensor sum = at::zeros_like(parameters[k]);
    for (const Slice& slice : slices) {
      if (slice.gradients[k].defined()) sum += slice.gradients[k];
    }
    parameters[k].mutable_grad() = sum;
  }
  if (sums != nullptr) *sums = added_sums(slices);
  return joined_statistics(slices);
}

Tensor loss_sums(const Network& network, const std::vector<Tensor>& batch,
                 const TrainOptions& options, bool bf16, int threads) {
  return added_sums(run_slices(batch, threads, [&](Slice& slice, const std::vector<Tensor>& rows) {
    const at::NoGradGuard no_grad;
    const auto outputs = network.forward(rows[kBatchPlanes].to(type_of(bf16)),
                                         rows[kBatchScalars].to(type_of(bf16)));
    losses(outputs, rows, options, &slice.sums);
  }));
}

}  // namespace tengen
