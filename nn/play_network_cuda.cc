#include "nn/play_network_cuda.h"

#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/torch.h>

#include <map>
#include <mutex>
#include <utility>

#include "nn/device_weights.h"
#include "rules/check.h"

namespace tengen {
namespace {

using at::Tensor;

// LibTorch's pool hands its 32 streams out in turn; a stream that two threads share must not be
// recorded.
class OwnStream {
 public:
  explicit OwnStream(c10::DeviceIndex device) : device_(device) {
    const c10::cuda::CUDAGuard guard(device);
    C10_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~OwnStream() {
    const c10::cuda::CUDAGuard guard(device_);
    C10_CUDA_CHECK_WARN(cudaStreamDestroy(stream_));
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  c10::cuda::CUDAStream get() const { return c10::cuda::getStreamFromExternal(stream_, device_); }

 private:
  c10::DeviceIndex device_;
  cudaStream_t stream_ = nullptr;
};

// Recording enters itself in LibTorch's generator of random numbers, one per device and unguarded.
std::mutex& recording() {
  static std::mutex mutex;
  return mutex;
}

// All heads of some rows, on the device.
struct Answers {
  Tensor policy, value, misc;
};

// A pass over a fixed number of rows: recorded, or to be launched each time.
struct Pass {
  Answers answers;                             // where the recorded pass leaves them
  std::unique_ptr<at::cuda::CUDAGraph> graph;  // null: not recorded
};

class CudaPlayNetwork : public PlayNetwork {
 public:
  CudaPlayNetwork(const Network& network, const at::Device& device, at::ScalarType type, int batch,
                  int canvas, bool graphs)
      : device_(device),
        type_(type),
        graphs_(graphs),
        stream_(device.index()),
        network_(weights_on(network, device.str(), type)) {
    // The weights came over LibTorch's current stream.
    c10::cuda::getCurrentCUDAStream(device.index()).synchronize();
    const c10::cuda::CUDAStreamGuard guard(stream_.get());
    const auto host = at::TensorOptions().dtype(at::kFloat).pinned_memory(true);
    const auto there = at::TensorOptions().dtype(at::kFloat).device(device_);
    planes_ = at::zeros({batch, canvas, canvas, kPlanes}, host);
    scalars_ = at::zeros({batch, kScalars}, host);
    planes_there_ = at::zeros(planes_.sizes(), there);
    scalars_there_ = at::zeros(scalars_.sizes(), there);
    policy_ = at::zeros({batch, canvas * canvas + 1}, host);
    value_ = at::zeros({batch, 3}, host);
    misc_ = at::zeros({batch, misc_outputs(network.shape().version)}, host);
  }
  ~CudaPlayNetwork() override {
    // What is still under way reads and writes the buffers.
    C10_CUDA_CHECK_WARN(cudaStreamSynchronize(stream_.get().stream()));
  }

  float* planes(int row) override {
    return planes_.mutable_data_ptr<float>() + row * planes_.stride(0);
  }
  float* scalars(int row) override { return scalars_.mutable_data_ptr<float>() + row * kScalars; }
  const float* policy(int row) const override {
    return policy_.const_data_ptr<float>() + row * policy_.stride(0);
  }
  const float* value(int row) const override { return value_.const_data_ptr<float>() + row * 3; }
  const float* misc(int row) const override {
    return misc_.const_data_ptr<float>() + row * misc_.size(1);
  }

  void compute(std::span<const BoardSize> sizes) override {
    start(sizes);
    finish();
  }

  void start(std::span<const BoardSize> sizes) override {
    const std::int64_t rows = std::ssize(sizes);
    check(rows >= 1 && rows <= planes_.size(0), "no more rows than the batch holds");
    told([&] {
      const c10::InferenceMode inference;
      const c10::cuda::CUDAStreamGuard guard(stream_.get());
      planes_there_.narrow(0, 0, rows).copy_(planes_.narrow(0, 0, rows), /*non_blocking=*/true);
      scalars_there_.narrow(0, 0, rows).copy_(scalars_.narrow(0, 0, rows), /*non_blocking=*/true);
      const Answers answers = run(rows);
      policy_.narrow(0, 0, rows).copy_(answers.policy, /*non_blocking=*/true);
      value_.narrow(0, 0, rows).copy_(answers.value, /*non_blocking=*/true);
      misc_.narrow(0, 0, rows).copy_(answers.misc, /*non_blocking=*/true);
      done_.record(stream_.get());
    });
  }

  void finish() override {
    told([&] { done_.synchronize(); });
  }

  bool overlaps() const override { return true; }

 private:
  template <class Work>
  void told(Work work) const {
    try {
      work();
    } catch (const c10::Error& e) {
      // Copies that did start still read the buffers, which the caller fills again.
      C10_CUDA_CHECK_WARN(cudaStreamSynchronize(stream_.get().stream()));
      throw Error("device " + device_.str() + ": " + e.what_without_backtrace());
    }
  }

  Answers forward(std::int64_t rows) const {
    const Tensor planes = planes_there_.narrow(0, 0, rows).to(type_).permute({0, 3, 1, 2});
    const auto heads =
        network_.forward(planes, scalars_there_.narrow(0, 0, rows), ForwardMode::kPlay);
    return {heads[kPolicyHead].contiguous(), heads[kValueHead].contiguous(),
            heads[kMiscHead].contiguous()};
  }

  Answers run(std::int64_t rows) {
    auto found = passes_.find(rows);
    if (found == passes_.end() && !graphs_) return forward(rows);
    if (found == passes_.end()) found = passes_.emplace(rows, recorded(rows)).first;
    if (!found->second.graph) return forward(rows);
    found->second.graph->replay();
    return found->second.answers;
  }

  Pass recorded(std::int64_t rows) {
    const std::lock_guard lock(recording());
    // Libraries take their memory and choose their kernels before they are recorded.
    for (int i = 0; i < 3; ++i) forward(rows);
    stream_.get().synchronize();
    Pass pass;
    pass.graph = std::make_unique<at::cuda::CUDAGraph>();
    try {
      // Other threads may allocate meanwhile, and wait for the device.
      pass.graph->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
      pass.answers = forward(rows);
      pass.graph->capture_end();
    } catch (const c10::Error& e) {
      give_up(pass);
      TORCH_WARN_ONCE("no CUDA graphs on ", device_.str(), ": ", e.what_without_backtrace());
    }
    return pass;
  }

  // Leaves the stream as it was before recording began, and records no more. LibTorch's allocator
  // may still know the graph that failed: it stays.
  void give_up(Pass& pass) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    C10_CUDA_CHECK_WARN(cudaStreamIsCapturing(stream_.get().stream(), &status));
    if (status != cudaStreamCaptureStatusNone) {
      try {
        pass.graph->capture_end();
      } catch (const c10::Error&) {  // it says again that recording failed
      }
    }
    failed_ = std::exchange(pass, {});
    graphs_ = false;
    C10_CUDA_CLEAR_ERROR();
  }

  at::Device device_;
  at::ScalarType type_;
  bool graphs_;
  OwnStream stream_;  // first, as the others' memory belongs to it
  Network network_;
  Tensor planes_, scalars_, policy_, value_, misc_;  // pinned, on the host
  Tensor planes_there_, scalars_there_;              // on the device
  std::map<std::int64_t, Pass> passes_;              // by rows
  Pass failed_;                                      // that could not be recorded
  at::cuda::CUDAEvent done_;
};

}  // namespace

std::unique_ptr<PlayNetwork> make_cuda_play_network(const Network& network,
                                                    const std::string& device,
                                                    const std::string& precision, int batch,
                                                    int canvas, bool graphs) {
  const at::ScalarType type = scalar_type(precision);
  try {
    const at::Device there(device);
    check(there.is_cuda() && there.has_index(), "a GPU by its number");
    return std::make_unique<CudaPlayNetwork>(network, there, type, batch, canvas, graphs);
  } catch (const c10::Error& e) {
    throw Error("device " + device + ": " + e.what_without_backtrace());
  }
}

}  // namespace tengen
