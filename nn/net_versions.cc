#include "nn/net_versions.h"

#include <cmath>
#include <string>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr double kConstantWinlossError = 0.25;
constexpr double kConstantScoreError = 3;

// What the numbers of the two errors mean (nn/net_outputs.h).
enum class Errors { kNone, kPlain, kRoot, kSquared };
Errors errors_of(int version) {
  if (version == 8) return Errors::kNone;
  if (version == 9) return Errors::kPlain;
  return version <= 13 ? Errors::kRoot : Errors::kSquared;
}

// The columns `columns` of a matrix [...][out].
std::vector<float> with_columns(const std::vector<float>& weights, int out,
                                const std::vector<int>& columns) {
  std::vector<float> kept;
  for (std::size_t row = 0; row < weights.size(); row += out) {
    for (const int column : columns) kept.push_back(weights[row + column]);
  }
  return kept;
}

void choose_columns(MatrixLayer& layer, const std::vector<int>& columns) {
  layer.weights = with_columns(layer.weights, layer.out, columns);
  layer.out = static_cast<int>(columns.size());
}

class Conversion {
 public:
  Conversion(NetModel model, int version) : model_(std::move(model)), version_(version) {}

  NetModel result() {
    const int from = model_.version;
    if (from == version_) return std::move(model_);
    require(version_ >= 8 && version_ <= 16, "known are 8 to 16");
    require(version_ < from || (version_ != 9 && version_ < 15), "nothing is converted up to it");
    require(version_ >= 15 || model_.options[1] == 0,
            "it cannot ask for pass-alive areas under suicide rules");
    require(version_ >= 15 || !model_.policy.pass_hidden, "its pass has no hidden layer");
    if (version_ < 15) model_.options = {};
    if (version_ < 11) require_relu();
    set_policy_planes();
    set_errors(errors_of(from), errors_of(version_));
    set_scales();
    model_.version = version_;
    validate(model_, "net '" + model_.name + "' as version " + std::to_string(version_));
    return std::move(model_);
  }

 private:
  void require(bool holds, const std::string& reason) const {
    if (holds) return;
    throw Error("net '" + model_.name + "' of version " + std::to_string(model_.version) +
                " cannot be written as version " + std::to_string(version_) + ": " + reason);
  }

  void require_relu() const {
    require_relu(model_.tip.activation);
    for (const ModelBlock& block : model_.blocks) require_relu(block);
    require_relu(model_.policy.pooling.read.activation);
    require_relu(model_.policy.read.activation);
    require_relu(model_.value.read.activation);
    require_relu(model_.value.hidden_activation);
  }
  void require_relu(const ModelBlock& block) const {
    require_relu(block.read1.activation);
    require_relu(block.read2.activation);
    if (block.pooling) require_relu(block.pooling->read.activation);
    for (const ModelBlock& inner : block.inner) require_relu(inner);
    require(block.kind != ModelBlock::Kind::kNested, "nested blocks came with version 11");
  }
  void require_relu(const ActivationLayer& layer) const {
    require(layer.kind == Activation::kRelu, "activation '" + layer.name + "' is not ReLU");
  }

  // Fewer planes: the first ones. More: the policy is its own optimistic one.
  void set_policy_planes() {
    ModelPolicyHead& head = model_.policy;
    const int planes = policy_planes(version_);
    if (planes == head.channels()) return;
    const std::vector<int> columns = planes == 1            ? std::vector{0}
                                     : head.channels() == 1 ? std::vector{0, 0}
                                                            : std::vector{0, 1};
    head.conv2.weights = with_columns(head.conv2.weights, head.conv2.out, columns);
    head.conv2.out = planes;
    choose_columns(head.pass_hidden ? head.pass_hidden->matrix : head.pass, columns);
  }

  void set_errors(Errors from, Errors to) {
    if (from == to) return;
    MatrixLayer& misc = model_.value.misc;
    std::vector<float>& bias = model_.value.misc_bias.weights;
    if (to == Errors::kNone) {
      choose_columns(misc, {0, 1, 2, 3});
      bias.resize(4);
      return;
    }
    require(from == Errors::kNone, "the numbers of its short-term errors mean something else");
    std::vector<float> widened;
    for (std::size_t row = 0; row < misc.weights.size(); row += 4) {
      widened.insert(widened.end(), &misc.weights[row], &misc.weights[row] + 4);
      widened.insert(widened.end(), 2, 0.F);
    }
    misc.weights = std::move(widened);
    misc.out = 6;
    const OutputScales scales = default_scales(version_);
    bias.push_back(constant(to, kConstantWinlossError, scales.winloss_error.value));
    bias.push_back(constant(to, kConstantScoreError, scales.score_error.value));
  }

  // The raw number that means this error.
  static float constant(Errors kind, double error, double scale) {
    const auto inverse_softplus = [](double y) { return std::log(std::expm1(y)); };
    const double raw = kind == Errors::kSquared ? 2 * inverse_softplus(error / std::sqrt(scale))
                                                : inverse_softplus(error * error / scale);
    return static_cast<float>(raw);
  }

  void set_scales() {
    const OutputScales usual = default_scales(version_);
    OutputScales& scales = model_.scales;
    if (errors_of(model_.version) == Errors::kNone || version_ == 8) {
      scales.winloss_error = usual.winloss_error;
      scales.score_error = usual.score_error;
    }
    if (version_ >= 13) return;
    const auto require_usual = [this](const FileNumber& scale, const FileNumber& expected) {
      require(scale.value == expected.value, "its scales of outputs are fixed");
    };
    require_usual(scales.score_mean, usual.score_mean);
    require_usual(scales.score_stdev, usual.score_stdev);
    require_usual(scales.lead, usual.lead);
    require_usual(scales.variance_time, usual.variance_time);
    require_usual(scales.winloss_error, usual.winloss_error);
    require_usual(scales.score_error, usual.score_error);
    scales = usual;
  }

  NetModel model_;
  int version_;
};

}  // namespace

NetModel with_version(NetModel model, int version) {
  return Conversion(std::move(model), version).result();
}

}  // namespace tengen
