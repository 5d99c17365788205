#include "train/trainer.h"

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "nn/torch_threads.h"
#include "train/backward.h"
#include "train/checkpoint.h"
#include "train/optimizer.h"

namespace tengen {
namespace {

using at::Tensor;

// Of a new batch in the running statistics of batch norm.
constexpr double kStatisticsShare = 0.05;

// Moves a network's live tensors; the network keeps computing with them.
Network on_device(Network network, const at::Device& device) {
  const at::NoGradGuard no_grad;
  for (auto& [name, tensor] : network.tensors()) {
    if (tensor.device() != device) Tensor(tensor).set_data(tensor.detach().to(device));
  }
  return network;
}

// Each of the network's running statistics goes `share` of the way to `target`.
void approach(const Network& network, const std::vector<Tensor>& target, double share) {
  const at::NoGradGuard no_grad;
  std::size_t i = 0;
  for (auto& [name, running] : network.statistics()) Tensor(running).lerp_(target[i++], share);
}

LossSums to_sums(const Tensor& tensor) {
  const Tensor here = tensor.to(at::kCPU, at::kDouble);
  LossSums sums;
  std::copy_n(here.const_data_ptr<double>(), kLossSums, sums.begin());
  return sums;
}

}  // namespace

struct Trainer::Impl {
  Impl(Network start, const TrainOptions& train_options, const std::string& device_name)
      : options(train_options),
        device(device_name),
        network(on_device(std::move(start), device)),
        ema(network.clone()),
        optimizer(network.parameters(), ema.parameters(), options.weight_decay),
        precision(options.precision) {}

  double time_step_s(const std::vector<Tensor>& batch, bool bf16, int threads) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
      const auto start = std::chrono::steady_clock::now();
      backward(network, batch, options, bf16, threads, nullptr);
      optimizer.gradient_norm().item<float>();  // waits for a GPU
      optimizer.zero_gradients();
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      best = std::min(best, spent.count());
    }
    return best;
  }

  LossTerms step(const Batch& rows, double progress);

  TrainOptions options;
  at::Device device;
  Network network;
  Network ema;
  Optimizer optimizer;
  std::string precision;
  std::int64_t steps = 0;
  std::int64_t samples = 0;
};

LossTerms Trainer::Impl::step(const Batch& rows, double progress) {
  const TorchThreads one(1);  // what is not cut into slices is small
  const int threads = one.before();
  const std::vector<Tensor> batch = to_tensors(rows, device.str());
  if (precision == "auto") {
    const double fp32_s = time_step_s(batch, false, threads);
    precision = time_step_s(batch, true, threads) < fp32_s ? "bf16" : "fp32";
  }
  Tensor sums;
  const auto statistics = backward(network, batch, options, precision == "bf16", threads, &sums);
  const Tensor figures = at::cat({sums, optimizer.gradient_norm().to(sums.dtype()).view({1})});
  const Tensor here = figures.to(at::kCPU);
  LossTerms terms = to_terms(to_sums(here.narrow(0, 0, kLossSums)));
  terms.gradient_norm = here[kLossSums].item<double>();
  if (!std::isfinite(terms.total) || !std::isfinite(terms.gradient_norm)) {
    optimizer.zero_gradients();
    throw NotFinite("step " + std::to_string(steps + 1) + ": loss " + std::to_string(terms.total) +
                    ", gradient norm " + std::to_string(terms.gradient_norm));
  }
  if (terms.gradient_norm > options.clip_norm) {
    optimizer.scale_gradients(options.clip_norm / terms.gradient_norm);
  }
  optimizer.step(learning_rate_at(steps, progress, options));
  optimizer.average(ema_decay_at(steps, options));
  // The averaged net's statistics are averaged like its weights.
  approach(network, statistics, kStatisticsShare);
  approach(ema, statistics, 1 - ema_decay_at(steps, options));
  optimizer.zero_gradients();
  ++steps;
  samples += rows.rows;
  return terms;
}

Trainer::Trainer(const NetworkShape& shape, const TrainOptions& options, const std::string& device,
                 std::uint64_t seed)
    : Trainer(Network(shape, seed), options, device) {}
Trainer::Trainer(Network network, const TrainOptions& options, const std::string& device)
    : impl_(std::make_unique<Impl>(std::move(network), options, device)) {}
Trainer::~Trainer() = default;

LossTerms Trainer::step(std::span<const Sample> rows, double progress) {
  Batch batch;
  fill_batch(rows, batch);
  return impl_->step(batch, progress);
}
LossTerms Trainer::step(const Batch& rows, double progress) {
  return impl_->step(rows, progress);
}

LossTerms Trainer::validate(std::span<const Sample> rows) const {
  check(!rows.empty(), "validation has rows");
  const TorchThreads one(1);
  LossSums sums{};
  Batch batch;
  while (!rows.empty()) {
    const std::size_t count = std::min(rows.size(), static_cast<std::size_t>(impl_->options.batch));
    fill_batch(rows.first(count), batch);
    const LossSums part = to_sums(loss_sums(impl_->ema, to_tensors(batch, impl_->device.str()),
                                            impl_->options, precision() == "bf16", one.before()));
    for (int i = 0; i < kLossSums; ++i) sums[i] += part[i];
    rows = rows.subspan(count);
  }
  return to_terms(sums);
}

std::int64_t Trainer::steps() const {
  return impl_->steps;
}
std::int64_t Trainer::samples() const {
  return impl_->samples;
}
const std::string& Trainer::precision() const {
  return impl_->precision;
}
Network Trainer::averaged() const {
  return on_device(impl_->ema.clone(), at::kCPU);
}
const Network& Trainer::network() const {
  return impl_->network;
}

std::string Trainer::not_finite() const {
  if (const auto name = impl_->network.not_finite(); !name.empty()) return "weight '" + name + "'";
  if (const auto name = impl_->ema.not_finite(); !name.empty()) {
    return "averaged weight '" + name + "'";
  }
  return "";
}

void Trainer::save(const std::filesystem::path& directory, const std::string& extra) const {
  nlohmann::ordered_json options;
  for_each_option(impl_->options, [&](std::string_view key, const auto& value, const OptionDoc&) {
    options[std::string(key)] = value;
  });
  const nlohmann::ordered_json state = {
      {"format_version", 2},
      {"steps", impl_->steps},
      {"samples", impl_->samples},
      {"precision", impl_->precision},
      {"net", name_of(impl_->network.shape())},
      {"features_version", version_of(impl_->network.shape().features)},
      {"options", options},
      {"extra", extra}};
  write_checkpoint(directory, {impl_->network.tensors(), impl_->ema.tensors(),
                               impl_->optimizer.state(), state.dump(1) + "\n"});
}

std::string Trainer::load(const std::filesystem::path& directory) {
  const Checkpoint saved = read_checkpoint(directory);
  const std::string where = (directory / "state.json").string();
  const auto weights = impl_->network.tensors();
  require_like(saved.weights, weights, (directory / "weights.safetensors").string());
  require_like(saved.ema, weights, (directory / "ema.safetensors").string());
  require_like(saved.optimizer, impl_->optimizer.state(),
               (directory / "optimizer.safetensors").string());
  try {
    const nlohmann::json state = nlohmann::json::parse(saved.state_json);
    if (state.at("format_version") != 2) throw Error(where + ": format_version is not 2");
    const int features_version = version_of(impl_->network.shape().features);
    if (state.at("features_version") != features_version) {
      throw Error(where + ": features_version " + state.at("features_version").dump() +
                  ", the net has " + std::to_string(features_version));
    }
    const std::int64_t steps = state.at("steps"), samples = state.at("samples");
    const std::string precision = state.at("precision"), extra = state.at("extra");
    impl_->steps = steps;
    impl_->samples = samples;
    if (impl_->options.precision == "auto") impl_->precision = precision;
    copy_tensors(saved.weights, weights);
    copy_tensors(saved.ema, impl_->ema.tensors());
    copy_tensors(saved.optimizer, impl_->optimizer.state());
    return extra;
  } catch (const nlohmann::json::exception& e) {
    throw Error(where + ": " + e.what());
  }
}

}  // namespace tengen
