#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "nn/cpu_kernels.h"
#include "nn/net_model.h"
#include "nn/packed_layers.h"

namespace tengen {

// An array of rows of channels, one per position.
struct TileBuffer {
  int channels = 0;
  int bytes = 4;  // of a channel
  AlignedBytes data;
  int stride() const { return channels * bytes; }
};

// A convolution with what is read of its sums, and what its sums start with.
struct TileStep {
  PackedConv conv;
  PackedNorm read;
  TileBuffer* in = nullptr;
  TileBuffer* start = nullptr;    // sums that exist already, or
  bool starts_with_bias = false;  // a row per board, or zero
  TileBuffer* sum = nullptr;
  TileBuffer* out = nullptr;
  // Then `out`, as it is pooled through a matrix, is the boards' bias for what follows.
  std::optional<PackedMatrix> pooled_bias;
};

// Whether the kernels have all of a model's layers: ReLU throughout, convolutions of one or three
// points.
bool is_tileable(const NetModel& model);

// A model as steps on buffers, which have no data yet. Plain data of the network that runs it.
class TileProgram {
 public:
  // Requires is_tileable(model).
  TileProgram(const NetModel& model, const CpuKernels& kernels);

  std::vector<std::unique_ptr<TileBuffer>> buffers;
  TileBuffer *planes, *policy_pool, *policy, *value;  // what is put in, and what heads begin with
  std::vector<TileStep> steps;
  int bias_channels = 0;           // of the widest row that sums start with
  std::size_t position_bytes = 0;  // of all buffers

 private:
  TileBuffer* make_buffer(int channels, int bytes);
  // What a block needs for itself: one buffer for all blocks at a depth of nesting. Of exactly so
  // many channels, so that its padding stays zero.
  enum class Use { kInside, kInnerTrunk, kPooled };
  TileBuffer* block_buffer(Use use, int channels, int depth);
  // `is_fine`: whether the rounding of weights is made good, at twice the work. Asked for where it
  // costs little: in the first layer, whose inputs are exact, and in the heads.
  TileStep& add_step(const ConvLayer& conv, const NormedActivation& read, TileBuffer* in,
                     TileBuffer* out, bool is_fine = false);
  // Their trunk is `trunk`, and `read` what is read of it: at first by the first block, in the end
  // by `after`.
  void add_blocks(const std::vector<ModelBlock>& blocks, TileBuffer* trunk, TileBuffer* read,
                  const NormedActivation& after, int depth = 0);

  const CpuKernels& kernels_;
  std::map<std::tuple<Use, int, int>, TileBuffer*> block_buffers_;  // [use, channels, depth]
};

}  // namespace tengen
