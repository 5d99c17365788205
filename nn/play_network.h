#pragma once

#include <memory>
#include <span>
#include <string>

#include "nn/network.h"

namespace tengen {

// A network's weights laid out once for one device, arithmetic, batch and canvas, computing only
// what play needs. The caller fills the input, calls compute and reads the output; all buffers are
// in host memory, fp32, and live as long as the object. One thread at a time; on the CPU all work
// is done on the calling thread if LibTorch is limited to one (TorchThreads).
class PlayNetwork {
 public:
  virtual ~PlayNetwork() = default;

  // Input and output of a row.
  virtual float* planes(int row) = 0;              // [canvas, canvas, kPlanes]
  virtual float* scalars(int row) = 0;             // [kScalars]
  virtual const float* policy(int row) const = 0;  // [canvas * canvas + 1] logits; off board: any
  virtual const float* value(int row) const = 0;   // [3] logits: win, loss, no result
  virtual const float* misc(int row) const = 0;    // RawOutputs::misc

  // Computes rows 0 ... sizes.size() - 1 and no others; sizes[i] is the board of row i. A row's
  // answer does not depend on the other rows; on how many there are it may, in the last bits.
  // Throws Error if the device fails.
  virtual void compute(std::span<const BoardSize> sizes) = 0;

  // The two halves of compute. Between them a device may work while the caller goes on, if it
  // `overlaps`; the caller then leaves input and output alone. A finish for each start, in turn.
  virtual void start(std::span<const BoardSize> sizes) { compute(sizes); }
  virtual void finish() {}
  virtual bool overlaps() const { return false; }

  // Whether calibration's comparison of short batches with full ones holds for it: it compares what
  // is made on the CPU as a rule, not LibTorch's own path, which stands in for it there.
  virtual bool takes_short_batches() const { return false; }
};

// `device` is "cpu" or "cuda:0" and the like, `precision` "fp32", "bf16" or "fp16" (GPUs only).
std::unique_ptr<PlayNetwork> make_play_network(const Network& network, const std::string& device,
                                               const std::string& precision, int batch, int canvas);

}  // namespace tengen
