#include "nn/play_network_cpu.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <map>

#include "nn/play_kernels.h"
#include "nn/torch_threads.h"
#include "rules/check.h"

namespace tengen {
namespace {

using at::Tensor;
using Attributes = c10::List<std::optional<at::Scalar>>;

// oneDNN's convolutions with what follows them fused in. LibTorch has them for its own compiler and
// reaches them by name only.
struct FusedOps {
  using Pack = Tensor(const Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef,
                      std::int64_t, at::OptionalIntArrayRef);
  using Conv = Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&, at::IntArrayRef,
                      at::IntArrayRef, at::IntArrayRef, std::int64_t, std::string_view, Attributes,
                      std::optional<std::string_view>);
  using ConvAdd = Tensor&(Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&,
                          at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, std::int64_t,
                          std::string_view, std::optional<at::Scalar>,
                          std::optional<std::string_view>, Attributes,
                          std::optional<std::string_view>);
  c10::TypedOperatorHandle<Pack> pack =
      find("mkldnn::_reorder_convolution_weight", "").typed<Pack>();
  c10::TypedOperatorHandle<Conv> conv = find("mkldnn::_convolution_pointwise", "").typed<Conv>();
  c10::TypedOperatorHandle<ConvAdd> conv_add =
      find("mkldnn::_convolution_pointwise_", "binary").typed<ConvAdd>();

  static c10::OperatorHandle find(const char* name, const char* overload) {
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
  }
};

constexpr std::int64_t kOne[] = {1, 1};
constexpr float kLeastReadScale = 1e-3F;  // of a norm that is multiplied into what follows

// Stride 1, "same".
class Conv {
 public:
  Conv() = default;
  Conv(const FusedOps& ops, const Tensor& weight, const Tensor& bias, at::ScalarType type,
       at::IntArrayRef input_sizes)
      : padding_{weight.size(2) / 2, weight.size(3) / 2},
        weight_(ops.pack.call(weight.to(type).contiguous(at::MemoryFormat::ChannelsLast), padding_,
                              kOne, kOne, 1, input_sizes)) {
    if (bias.defined()) bias_ = bias.to(type);
  }
  Tensor plain(const FusedOps& ops, const Tensor& x) const { return run(ops, x, "none"); }
  Tensor relu(const FusedOps& ops, const Tensor& x) const { return run(ops, x, "relu"); }
  void add_to(const FusedOps& ops, const Tensor& x, Tensor& sum) const {
    ops.conv_add.call(sum, x, weight_, bias_, padding_, kOne, kOne, 1, "add", 1.0, std::nullopt,
                      Attributes(), "");
  }

 private:
  Tensor run(const FusedOps& ops, const Tensor& x, std::string_view then) const {
    return ops.conv.call(x, weight_, bias_, padding_, kOne, kOne, 1, then, Attributes(), "");
  }
  std::array<std::int64_t, 2> padding_{};
  Tensor weight_;
  std::optional<Tensor> bias_;
};

struct PlayBlock {
  Conv conv1, conv2, pool_conv;
  bool pools = false;
  int pool_channels = 0;
  Tensor pool_weight, pool_bias;  // [r, 3 g], [r] fp32
};

// Weights by name, batch norms merged into their scales and biases.
class Weights {
 public:
  explicit Weights(const Network& network) {
    for (const auto& [name, t] : merged_parameters(network)) by_name_[name] = t.to(at::kCPU);
  }
  bool has(const std::string& name) const { return by_name_.contains(name); }
  const Tensor& operator[](const std::string& name) const {
    const auto found = by_name_.find(name);
    check(found != by_name_.end(), "a network has the weights of its shape");
    return found->second;
  }
  // A convolution with the norm after it multiplied in: scale * conv(x).
  Tensor scaled(const std::string& conv, const std::string& norm) const {
    return (*this)[conv] * (*this)[norm + ".scale"].view({-1, 1, 1, 1});
  }

 private:
  std::map<std::string, Tensor> by_name_;
};

// What a ReLU(scale * x + bias) before a convolution leaves to others if every scale is positive:
// the trunk carries x + bias / scale, the convolution's weights are multiplied by scale, and only
// the ReLU is left.
struct ReadNorm {
  Tensor scale, shift;  // [C]

  ReadNorm(const Weights& weights, const std::string& name)
      : scale(weights[name + ".scale"]), shift(weights[name + ".bias"] / scale) {}
  Tensor into(const Tensor& conv) const { return conv * scale.view({1, -1, 1, 1}); }
};

template <class T>
class CpuPlayNetwork : public PlayNetwork {
 public:
  CpuPlayNetwork(const Network& network, int batch, int canvas);

  float* planes(int row) override { return planes_.data() + std::size_t(row) * cells_ * kPlanes; }
  float* scalars(int row) override { return scalars_.mutable_data_ptr<float>() + row * kScalars; }
  const float* policy(int row) const override {
    return policy_.data() + std::size_t(row) * (cells_ + 1);
  }
  const float* value(int row) const override {
    return outcome_.const_data_ptr<float>() + row * outcome_.size(1);
  }
  const float* misc(int row) const override { return value(row) + 3; }
  void compute(std::span<const BoardSize> sizes) override;
  bool takes_short_batches() const override { return true; }

 private:
  static constexpr at::ScalarType kType = std::is_same_v<T, float> ? at::kFloat : at::kBFloat16;

  T* row_of(const Tensor& x, int row) const {
    return static_cast<T*>(x.mutable_data_ptr()) + std::size_t(row) * cells_ * x.size(1);
  }
  Tensor activations(std::int64_t channels) const {
    return at::zeros({batch_, cells_, channels}, kType)
        .view({batch_, canvas_, canvas_, channels})
        .permute({0, 3, 1, 2});
  }
  void clear(const Tensor& x) const;
  void read_trunk();
  // [rows, 3 channels]: KataGo's pooling of trunk and policy head, or of the value head.
  Tensor pooled(const Tensor& x, bool for_value) const;
  void run_block(const PlayBlock& block);
  void run_heads();

  int batch_, canvas_, cells_;
  int rows_ = 0;  // of this call
  FusedOps ops_;
  std::vector<float> planes_;
  Tensor scalars_, all_input_, all_read_;
  Tensor input_, read_, trunk_;  // rows_ of them
  Conv stem_;
  Tensor scalars_weight_, scalars_bias_;
  std::vector<PlayBlock> blocks_;
  Tensor g_weight_, g_bias_, v_weight_, v_bias_, p_weight_;
  Tensor pool_weight_, pool_bias_, policy_weight_, pass_weight_;
  Tensor hidden_weight_, hidden_bias_, outcome_weight_, outcome_bias_;
  std::vector<float> policy_;
  Tensor outcome_;  // [rows, 3 + misc]
  std::span<const BoardSize> sizes_;
};

// [out, in] with oneDNN's or MKL's matrix product on all points at once.
Tensor matrix_of(const Tensor& conv1x1, at::ScalarType type) {
  return conv1x1.flatten(1).to(type).contiguous();
}

template <class T>
CpuPlayNetwork<T>::CpuPlayNetwork(const Network& network, int batch, int canvas)
    : batch_(batch),
      canvas_(canvas),
      cells_(canvas * canvas),
      planes_(std::size_t(batch) * cells_ * kPlanes),
      scalars_(at::zeros({batch, kScalars}, at::kFloat)),
      policy_(std::size_t(batch) * (cells_ + 1)) {
  const Weights w(network);
  const NetworkShape& shape = network.shape();
  const std::int64_t c = shape.channels;
  all_input_ = activations(kPlanes);
  all_read_ = activations(c);
  const auto name_of_block = [](int i) { return "block" + std::to_string(i); };
  // What block i, or the tip, reads.
  const auto norm_of = [&](int i) {
    return ReadNorm(w, i < std::ssize(shape.blocks) ? name_of_block(i) + ".norm1" : "tip");
  };
  ReadNorm norm = norm_of(0);
  stem_ = Conv(ops_, w["stem.conv"], {}, kType, all_input_.sizes());
  scalars_weight_ = w["stem.scalars.weight"];
  scalars_bias_ = norm.shift;
  for (int i = 0; i < std::ssize(shape.blocks); ++i) {
    const std::string name = name_of_block(i);
    PlayBlock block;
    const Tensor scale2 = w[name + ".norm2.scale"];
    block.pools = w.has(name + ".pool.conv");
    const Tensor conv1 = norm.into(w.scaled(name + ".conv1", name + ".norm2"));
    const Tensor bias1 = w[name + ".norm2.bias"];
    block.conv1 = Conv(ops_, conv1, block.pools ? Tensor() : bias1, kType, all_read_.sizes());
    if (block.pools) {
      const Tensor g = norm.into(w.scaled(name + ".pool.conv", name + ".pool.norm"));
      block.pool_conv = Conv(ops_, g, w[name + ".pool.norm.bias"], kType, all_read_.sizes());
      block.pool_weight = w[name + ".pool.linear.weight"] * scale2.view({-1, 1});
      block.pool_bias = bias1;
    }
    const ReadNorm next = norm_of(i + 1);
    const Tensor conv2 = w[name + ".conv2"];
    const std::int64_t sizes2[] = {batch, conv2.size(1), canvas, canvas};
    block.conv2 = Conv(ops_, conv2, next.shift - norm.shift, kType, sizes2);
    blocks_.push_back(std::move(block));
    norm = next;
  }
  g_weight_ = matrix_of(norm.into(w.scaled("policy.pool.conv", "policy.pool.norm")), kType);
  g_bias_ = w["policy.pool.norm.bias"].contiguous();
  v_weight_ = matrix_of(norm.into(w.scaled("value.conv1", "value.norm")), kType);
  v_bias_ = w["value.norm.bias"].contiguous();
  p_weight_ = matrix_of(norm.into(w.scaled("policy.conv1", "policy.norm")), kType);
  pool_weight_ = w["policy.pool.linear.weight"] * w["policy.norm.scale"].view({-1, 1});
  pool_bias_ = w["policy.norm.bias"];
  policy_weight_ = w["policy.conv2"][0].flatten().contiguous();
  pass_weight_ = w["policy.pass.weight"][0].contiguous();
  hidden_weight_ = w["value.hidden.weight"];
  hidden_bias_ = w["value.hidden.bias"];
  outcome_weight_ = at::cat({w["value.value.weight"], w["value.misc.weight"]});
  outcome_bias_ = at::cat({w["value.value.bias"], w["value.misc.bias"]});
}

template <class T>
void CpuPlayNetwork<T>::clear(const Tensor& x) const {
  for (int row = 0; row < rows_; ++row) {
    clear_off_board(row_of(x, row), static_cast<int>(x.size(1)), sizes_[row], canvas_);
  }
}

template <class T>
void CpuPlayNetwork<T>::read_trunk() {
  relu(row_of(trunk_, 0), row_of(read_, 0), static_cast<int>(read_.numel()));
  clear(read_);
}

template <class T>
Tensor CpuPlayNetwork<T>::pooled(const Tensor& x, bool for_value) const {
  const int channels = static_cast<int>(x.size(1));
  const Tensor result = at::empty({rows_, 3 * channels}, at::kFloat);
  for (int row = 0; row < rows_; ++row) {
    float* mean = result.mutable_data_ptr<float>() + std::size_t(row) * 3 * channels;
    float* sided = mean + channels;
    float* third = sided + channels;
    const int area = sizes_[row].area();
    const float side = pooling_side(area);
    mean_and_max(row_of(x, row), cells_, channels, area, mean, third);
    for (int c = 0; c < channels; ++c) {
      sided[c] = mean[c] * side;
      if (for_value) third[c] = mean[c] * (side * side - 0.1F);
    }
  }
  return result;
}

template <class T>
void CpuPlayNetwork<T>::run_block(const PlayBlock& block) {
  read_trunk();
  Tensor r;
  if (block.pools) {
    const Tensor g = block.pool_conv.relu(ops_, read_);
    clear(g);
    r = block.conv1.plain(ops_, read_);
    const Tensor bias = at::linear(pooled(g, false), block.pool_weight, block.pool_bias);
    const int channels = static_cast<int>(r.size(1));
    for (int row = 0; row < rows_; ++row) {
      bias_relu(row_of(r, row), cells_, channels,
                bias.const_data_ptr<float>() + std::size_t(row) * channels);
    }
  } else {
    r = block.conv1.relu(ops_, read_);
  }
  clear(r);
  block.conv2.add_to(ops_, r, trunk_);
}

template <class T>
void CpuPlayNetwork<T>::run_heads() {
  read_trunk();
  const Tensor points = read_.permute({0, 2, 3, 1}).view({rows_ * cells_, read_.size(1)});
  const auto head = [&](const Tensor& weight) {
    return at::linear(points, weight)
        .view({rows_, canvas_, canvas_, weight.size(0)})
        .permute({0, 3, 1, 2});
  };
  const auto activate = [&](const Tensor& x, const Tensor& bias) {
    bias_relu(row_of(x, 0), rows_ * cells_, static_cast<int>(x.size(1)),
              bias.const_data_ptr<float>());
    clear(x);
  };
  const Tensor g = head(g_weight_);
  activate(g, g_bias_);
  const Tensor v = head(v_weight_);
  activate(v, v_bias_);
  const Tensor p = head(p_weight_);
  const Tensor g_pooled = pooled(g, false);
  const Tensor p_bias = at::linear(g_pooled, pool_weight_, pool_bias_);
  const Tensor pass = at::linear(g_pooled, pass_weight_.unsqueeze(0));
  const int channels = static_cast<int>(p.size(1));
  for (int row = 0; row < rows_; ++row) {
    float* logits = policy_.data() + std::size_t(row) * (cells_ + 1);
    bias_relu_dot(row_of(p, row), cells_, channels,
                  p_bias.const_data_ptr<float>() + std::size_t(row) * channels,
                  policy_weight_.const_data_ptr<float>(), logits);
    logits[cells_] = pass.const_data_ptr<float>()[row];
  }
  const Tensor hidden = at::linear(pooled(v, true), hidden_weight_, hidden_bias_).relu_();
  outcome_ = at::linear(hidden, outcome_weight_, outcome_bias_);
}

template <class T>
void CpuPlayNetwork<T>::compute(std::span<const BoardSize> sizes) {
  const c10::InferenceMode inference;
  const TorchThreads one(1);
  check(std::ssize(sizes) <= batch_, "no more rows than the batch holds");
  rows_ = static_cast<int>(sizes.size());
  sizes_ = sizes;
  input_ = all_input_.narrow(0, 0, rows_);
  read_ = all_read_.narrow(0, 0, rows_);
  T* input = row_of(input_, 0);
  const std::int64_t count = input_.numel();
  for (std::int64_t i = 0; i < count; ++i) input[i] = from_float<T>(planes_[i]);
  trunk_ = stem_.plain(ops_, input_);
  check(trunk_.is_contiguous(at::MemoryFormat::ChannelsLast), "convolutions keep channels last");
  const Tensor bias =
      at::linear(scalars_.narrow(0, 0, rows_), scalars_weight_, scalars_bias_).to(kType);
  trunk_.add_(bias.unsqueeze(2).unsqueeze(3));
  for (const PlayBlock& block : blocks_) run_block(block);
  run_heads();
}

}  // namespace

std::unique_ptr<PlayNetwork> make_cpu_play_network(const Network& network,
                                                   const std::string& precision, int batch,
                                                   int canvas) {
  const c10::InferenceMode inference;
  if (precision != "fp32" && precision != "bf16") {
    throw UsageError("precision '" + precision + "' on the CPU: expected fp32 or bf16");
  }
  const NetworkShape& shape = network.shape();
  const bool is_plain =
      std::ranges::count(shape.blocks, ModelBlock::Kind::kNested, &BlockShape::kind) == 0;
  if (!is_plain || shape.activation != Activation::kRelu || shape.has_pass_hidden ||
      shape.has_optimistic) {
    return nullptr;
  }
  for (const auto& [name, t] : merged_parameters(network)) {
    if (!name.ends_with("norm1.scale") && name != "tip.scale") continue;
    if (t.min().item<float>() < kLeastReadScale) return nullptr;
  }
  if (precision == "fp32") return std::make_unique<CpuPlayNetwork<float>>(network, batch, canvas);
  return std::make_unique<CpuPlayNetwork<Bf16>>(network, batch, canvas);
}

}  // namespace tengen
