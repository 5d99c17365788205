#include "nn/tile_program.h"

#include <algorithm>

#include "rules/check.h"

namespace tengen {
namespace {

bool is_relu(const NormedActivation& read) {
  return read.activation.kind == Activation::kRelu;
}
bool is_small(const ConvLayer& conv) {
  return conv.height == conv.width && (conv.height == 1 || conv.height == 3);
}
bool is_tileable(const ModelBlock& block) {
  if (!is_relu(block.read1) || !is_relu(block.read2)) return false;
  if (!is_small(block.conv1) || !is_small(block.conv2)) return false;
  if (block.pooling && !(is_relu(block.pooling->read) && is_small(block.pooling->conv)))
    return false;
  return std::ranges::all_of(block.inner, [](const ModelBlock& b) { return is_tileable(b); });
}

}  // namespace

bool is_tileable(const NetModel& model) {
  const auto& [policy, value] = std::tie(model.policy, model.value);
  const auto is_point = [](const ConvLayer& conv) { return conv.height == 1 && conv.width == 1; };
  return std::ranges::all_of(model.blocks, [](const ModelBlock& b) { return is_tileable(b); }) &&
         is_relu(model.tip) && is_small(policy.conv1) && is_small(policy.pooling.conv) &&
         is_relu(policy.pooling.read) && is_relu(policy.read) && is_point(policy.conv2) &&
         (!policy.pass_hidden || policy.pass_hidden->activation.kind == Activation::kRelu) &&
         is_small(value.conv1) && is_relu(value.read) &&
         value.hidden_activation.kind == Activation::kRelu && is_point(value.ownership);
}

TileBuffer* TileProgram::make_buffer(int channels, int bytes) {
  const int part = std::max(kTileChannels, bytes == kernels_.bytes ? kernels_.block : 1);
  buffers.push_back(std::make_unique<TileBuffer>(TileBuffer{padded(channels, part), bytes, {}}));
  position_bytes += static_cast<std::size_t>(buffers.back()->stride());
  return buffers.back().get();
}

TileBuffer* TileProgram::block_buffer(Use use, int channels, int depth) {
  TileBuffer*& buffer = block_buffers_[{use, channels, depth}];
  if (buffer == nullptr) buffer = make_buffer(channels, use == Use::kInside ? kernels_.bytes : 4);
  return buffer;
}

TileStep& TileProgram::add_step(const ConvLayer& conv, const NormedActivation& read, TileBuffer* in,
                                TileBuffer* out, bool is_fine) {
  TileStep step;
  step.conv = PackedConv(conv, kernels_, is_fine);
  step.read = PackedNorm(read.norm);
  step.in = in;
  step.out = out;
  bias_channels = std::max(bias_channels, padded(conv.out, kTileChannels));
  return steps.emplace_back(std::move(step));
}

void TileProgram::add_blocks(const std::vector<ModelBlock>& blocks, TileBuffer* trunk,
                             TileBuffer* read, const NormedActivation& after, int depth) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const ModelBlock& block = blocks[i];
    const NormedActivation& next = i + 1 < blocks.size() ? blocks[i + 1].read1 : after;
    TileBuffer* inside = block_buffer(Use::kInside, block.conv1.out, depth);
    if (block.pooling) {
      const PoolingLayers& pooling = *block.pooling;
      add_step(pooling.conv, pooling.read, read,
               block_buffer(Use::kPooled, pooling.conv.out, depth));
      steps.back().pooled_bias.emplace(pooling.matrix);
    }
    const bool is_nested = block.kind == ModelBlock::Kind::kNested && !block.inner.empty();
    add_step(block.conv1, is_nested ? block.inner.front().read1 : block.read2, read, inside);
    steps.back().starts_with_bias = block.pooling.has_value();
    if (is_nested) {
      TileBuffer* inner_trunk = block_buffer(Use::kInnerTrunk, block.conv1.out, depth);
      steps.back().sum = inner_trunk;
      add_blocks(block.inner, inner_trunk, inside, block.read2, depth + 1);
    }
    add_step(block.conv2, next, inside, read);
    steps.back().start = steps.back().sum = trunk;
  }
}

TileProgram::TileProgram(const NetModel& model, const CpuKernels& kernels) : kernels_(kernels) {
  check(is_tileable(model), "a model whose layers the kernels have");
  const ConvLayer stem = unrolled(model.stem);
  planes = make_buffer(stem.in, kernels.bytes);
  TileBuffer* trunk = make_buffer(model.channels(), 4);
  TileBuffer* read = make_buffer(model.channels(), kernels.bytes);
  TileStep& first = add_step(stem, model.blocks.empty() ? model.tip : model.blocks.front().read1,
                             planes, read, true);
  first.starts_with_bias = true;
  first.sum = trunk;
  add_blocks(model.blocks, trunk, read, model.tip);
  const PoolingLayers& pooling = model.policy.pooling;
  policy_pool = make_buffer(pooling.conv.out, 4);
  policy = make_buffer(model.policy.conv1.out, 4);
  value = make_buffer(model.value.conv1.out, 4);
  add_step(pooling.conv, pooling.read, read, policy_pool, true).pooled_bias.emplace(pooling.matrix);
  add_step(model.policy.conv1, model.policy.read, read, policy, true).starts_with_bias = true;
  add_step(model.value.conv1, model.value.read, read, value, true);
}

}  // namespace tengen
