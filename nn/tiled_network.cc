#include "nn/tiled_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "nn/board_layout.h"
#include "nn/packed_layers.h"
#include "nn/tile_program.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::size_t kGroupBytes = std::size_t{1} << 20;  // half of a second cache of 2 MB

void activate(std::vector<float>& x) {
  for (float& v : x) v = v < 0 ? 0.F : v;
}

class TiledNetwork : public CpuNetwork {
 public:
  TiledNetwork(std::shared_ptr<const NetModel> model, const CpuKernels& kernels);
  void compute(std::span<const EvaluationInput> inputs, std::span<RawOutputs> outputs) override;

 private:
  void lay_out(BoardSize size);
  template <class T>
  void fill_planes(const EvaluationInput& input, int board);
  void fill(const EvaluationInput& input, int board);
  void run(const TileStep& step);
  // [3 channels]: KataGo's pooling of trunk and policy head, or of the value head.
  void pool(const TileBuffer& x, int channels, int board, bool for_value, float* pools) const;
  void policy(const EvaluationInput& input, int board, RawOutputs& out);
  void value(const EvaluationInput& input, int board, RawOutputs& out);
  // Sums over channels of a position's row.
  void weigh(const TileBuffer& x, const ConvLayer& conv1x1, int output,
             const EvaluationInput& input, int board, float* out) const;

  std::shared_ptr<const NetModel> model_;
  const CpuKernels& kernels_;
  TileProgram program_;
  int bias_stride_, pools_stride_;  // floats of a board

  std::optional<BoardLayout> layout_;
  int boards_ = 0;      // of this group
  AlignedBytes bias_;   // [boards][bias_stride_]
  AlignedBytes pools_;  // [boards][pools_stride_], of the last pooling
  PackedMatrix scalars_, pass_, pass_hidden_, value_hidden_, value_value_, value_misc_;
  std::vector<float> hidden_, small_;  // of a head
};

TiledNetwork::TiledNetwork(std::shared_ptr<const NetModel> model, const CpuKernels& kernels)
    : model_(std::move(model)),
      kernels_(kernels),
      program_(*model_, kernels),
      bias_stride_(program_.bias_channels),
      pools_stride_(3 * std::max({program_.bias_channels, program_.value->channels,
                                  program_.policy_pool->channels})) {
  const NetModel& m = *model_;
  scalars_ = PackedMatrix(m.scalars);
  if (m.policy.pass_hidden) {
    pass_ = PackedMatrix(m.policy.pass, m.policy.pass_hidden->bias.weights);
    pass_hidden_ = PackedMatrix(m.policy.pass_hidden->matrix);
  } else {
    pass_ = PackedMatrix(m.policy.pass);
  }
  value_hidden_ = PackedMatrix(m.value.hidden, m.value.hidden_bias.weights);
  value_value_ = PackedMatrix(m.value.value, m.value.value_bias.weights);
  value_misc_ = PackedMatrix(m.value.misc, m.value.misc_bias.weights);
  hidden_.resize(padded(std::max(m.value.hidden.out, m.policy.pass.out), kTileChannels));
  small_.resize(kTileChannels);
}

void TiledNetwork::lay_out(BoardSize size) {
  if (layout_ && layout_->size() == size) return;
  const int reach = std::max(1, model_->stem.height / 2);
  const BoardLayout one(size, 1, reach, kernels_);
  const int boards = static_cast<int>(
      std::max<std::size_t>(1, kGroupBytes / (one.positions() * program_.position_bytes)));
  layout_.emplace(size, boards, reach, kernels_);
  for (const auto& buffer : program_.buffers) {
    const auto bytes = static_cast<std::size_t>(layout_->positions()) * buffer->stride();
    if (buffer->data.size() < bytes) {
      buffer->data = AlignedBytes(bytes);
    } else {
      buffer->data.clear();  // what is off the board is zero
    }
  }
  bias_ = AlignedBytes(sizeof(float) * static_cast<std::size_t>(boards) * bias_stride_);
  pools_ = AlignedBytes(sizeof(float) * static_cast<std::size_t>(boards) * pools_stride_);
}

template <class T>
void TiledNetwork::fill_planes(const EvaluationInput& input, int board) {
  const BoardSize size = layout_->size();
  check(input.symmetry.index() < Symmetry::count(size), "a symmetry of this board");
  const short* map = input.symmetry.map(size);
  const int stride = program_.planes->channels, columns = model_->stem.width;
  T* rows = reinterpret_cast<T*>(program_.planes->data.data()) +
            std::size_t(layout_->first(board)) * stride;
  std::fill_n(rows, size.height * layout_->pitch() * stride, T{});
  // A point is seen by itself and from some columns to its left and right, each time in channels of
  // its own.
  struct Seen {
    int at, from, to;
  };
  std::array<Seen, kMaxArea> seen;
  for (int i = 0; i < size.area(); ++i) {
    const int column = map[i] % size.width, reach = columns / 2;
    seen[i] = {layout_->offset(map[i]) * stride + reach * kPlanes, -std::min(reach, column),
               std::min(reach, size.width - 1 - column)};
  }
  const auto one = static_cast<T>(kernels_.one);
  for (int p = 0; p < kPlanes; ++p) {
    input.features.planes[p].for_each([&](int i) {
      T* const at = rows + seen[i].at + p;
      for (int x = seen[i].from; x <= seen[i].to; ++x) at[x * (stride - kPlanes)] = one;
    });
  }
}

void TiledNetwork::fill(const EvaluationInput& input, int board) {
  if (kernels_.bytes == 2) {
    fill_planes<std::uint16_t>(input, board);
  } else {
    fill_planes<std::uint32_t>(input, board);
  }
  scalars_.product(input.features.scalars.data(),
                   bias_.floats() + std::size_t(board) * bias_stride_);
}

void TiledNetwork::run(const TileStep& step) {
  const PackedConv& conv = step.conv;
  std::vector<std::int32_t> taps;
  for (int row = 0; row < conv.passes * conv.height; ++row) {
    const int y = row % conv.height;
    for (int x = 0; x < conv.width; ++x) {
      taps.push_back(((y - conv.height / 2) * layout_->pitch() + x - conv.width / 2) *
                     step.in->stride());
    }
  }
  ConvJob job;
  job.in = step.in->data.data();
  job.in_stride = step.in->stride();
  job.taps = taps.data();
  job.tap_count = static_cast<std::int32_t>(taps.size());
  job.in_blocks = conv.in_blocks;
  job.weights = conv.weights.data();
  job.out_tiles = conv.out_tiles;
  job.tiles = layout_->tiles();
  job.tile_count = layout_->tile_count(boards_);
  if (step.start != nullptr) {
    job.start = step.start->data.floats();
    job.start_position = step.start->channels;
  } else if (step.starts_with_bias) {
    job.start = bias_.floats();
    job.start_board = bias_stride_;
  }
  if (step.sum != nullptr) {
    job.sum = step.sum->data.floats();
    job.sum_stride = step.sum->channels;
  }
  job.scale = step.read.scale.floats();
  job.bias = step.read.bias.floats();
  job.on_board = layout_->on_board();
  job.out = step.out->data.data();
  job.out_stride = step.out->stride();
  job.out_is_float = step.out->bytes == 4;
  kernels_.conv(job);
  if (!step.pooled_bias) return;
  for (int board = 0; board < boards_; ++board) {
    float* pools = pools_.floats() + std::size_t(board) * pools_stride_;
    pool(*step.out, step.pooled_bias->in() / 3, board, false, pools);
    step.pooled_bias->product(pools, bias_.floats() + std::size_t(board) * bias_stride_);
  }
}

void TiledNetwork::pool(const TileBuffer& x, int channels, int board, bool for_value,
                        float* pools) const {
  const BoardSize size = layout_->size();
  const auto area = static_cast<float>(size.area());
  const float side = (std::sqrt(area) - 14.F) / 10.F;
  const float* rows = x.data.floats() + std::size_t(layout_->first(board)) * x.channels;
  for (int from = 0; from < channels; from += kTileChannels) {
    TileVector sum = {}, most = {};  // activations are >= 0, and 0 off the board
    const float* row = rows + from;
    for (int i = 0; i < size.height * layout_->pitch(); ++i, row += x.channels) {
      const auto values = *reinterpret_cast<const TileVector*>(row);
      sum += values;
      most = most < values ? values : most;
    }
    for (int c = from; c < std::min(channels, from + kTileChannels); ++c) {
      const float mean = sum[c - from] / area;
      pools[c] = mean;
      pools[channels + c] = mean * side;
      pools[2 * channels + c] = for_value ? mean * (side * side - 0.1F) : most[c - from];
    }
  }
}

void TiledNetwork::weigh(const TileBuffer& x, const ConvLayer& conv1x1, int output,
                         const EvaluationInput& input, int board, float* out) const {
  const BoardSize size = layout_->size();
  const short* map = input.symmetry.map(size);
  const AlignedBytes weights(sizeof(float) * static_cast<std::size_t>(x.channels));
  for (int c = 0; c < conv1x1.in; ++c) {
    weights.floats()[c] = conv1x1.weights[c * conv1x1.out + output];
  }
  const float* rows = x.data.floats() + std::size_t(layout_->first(board)) * x.channels;
  for (int i = 0; i < size.area(); ++i) {
    const float* row = rows + layout_->offset(map[i]) * x.channels;
    TileVector products = {};
    for (int c = 0; c < x.channels; c += kTileChannels) {
      products += *reinterpret_cast<const TileVector*>(weights.floats() + c) *
                  *reinterpret_cast<const TileVector*>(row + c);
    }
    std::array<float, kTileChannels> sums;
    std::memcpy(sums.data(), &products, sizeof products);
    for (int half = kTileChannels / 2; half > 0; half /= 2) {
      for (int j = 0; j < half; ++j) sums[j] += sums[j + half];
    }
    out[i] = sums[0];
  }
}

void TiledNetwork::policy(const EvaluationInput& input, int board, RawOutputs& out) {
  const ModelPolicyHead& head = model_->policy;
  const auto area = static_cast<std::size_t>(layout_->size().area());
  // The policy's pools are the last that were made.
  pass_.product(pools_.floats() + std::size_t(board) * pools_stride_, hidden_.data());
  if (head.pass_hidden) {
    activate(hidden_);
    pass_hidden_.product(hidden_.data(), small_.data());
  } else {
    std::copy_n(hidden_.begin(), head.channels(), small_.begin());
  }
  out.policy.resize(static_cast<std::size_t>(head.channels()));
  for (int k = 0; k < head.channels(); ++k) {
    out.policy[k].resize(area + 1);
    weigh(*program_.policy, head.conv2, k, input, board, out.policy[k].data());
    out.policy[k][area] = small_[k];
  }
}

void TiledNetwork::value(const EvaluationInput& input, int board, RawOutputs& out) {
  const ModelValueHead& head = model_->value;
  float* pools = pools_.floats() + std::size_t(board) * pools_stride_;
  pool(*program_.value, head.conv1.out, board, true, pools);
  value_hidden_.product(pools, hidden_.data());
  activate(hidden_);
  value_value_.product(hidden_.data(), small_.data());
  std::copy_n(small_.begin(), out.value.size(), out.value.begin());
  value_misc_.product(hidden_.data(), small_.data());
  out.misc.assign(small_.begin(), small_.begin() + head.misc.out);
  out.ownership.resize(static_cast<std::size_t>(layout_->size().area()));
  weigh(*program_.value, head.ownership, 0, input, board, out.ownership.data());
}

void TiledNetwork::compute(std::span<const EvaluationInput> inputs, std::span<RawOutputs> outputs) {
  check(inputs.size() == outputs.size(), "one output per input");
  std::map<std::pair<int, int>, std::vector<std::size_t>> by_size;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const BoardSize size = inputs[i].features.size;
    by_size[{size.width, size.height}].push_back(i);
  }
  for (const auto& [side, same] : by_size) {
    lay_out(inputs[same.front()].features.size);
    kernels_.begin(layout_->tile_rows());
    for (std::size_t from = 0; from < same.size(); from += std::size_t(boards_)) {
      boards_ = static_cast<int>(
          std::min(same.size() - from, static_cast<std::size_t>(layout_->boards())));
      for (int b = 0; b < boards_; ++b) fill(inputs[same[from + b]], b);
      for (const TileStep& step : program_.steps) run(step);
      for (int b = 0; b < boards_; ++b) {
        policy(inputs[same[from + b]], b, outputs[same[from + b]]);
        value(inputs[same[from + b]], b, outputs[same[from + b]]);
      }
    }
    kernels_.end();
    // What is not a number would stay in the padding.
    for (const std::size_t i : same) {
      if (!std::isfinite(outputs[i].value[0])) layout_.reset();
    }
  }
}

}  // namespace

std::unique_ptr<CpuNetwork> make_tiled_network(std::shared_ptr<const NetModel> model,
                                               const CpuKernels& kernels) {
  return std::make_unique<TiledNetwork>(std::move(model), kernels);
}

}  // namespace tengen
