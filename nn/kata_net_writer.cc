#include "nn/kata_net_writer.h"

#include <bit>
#include <charconv>

#include "nn/features.h"
#include "nn/gzip.h"
#include "rules/check.h"
#include "rules/durable_file.h"

namespace tengen {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

std::string shortest(float value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// In the order of the file, as the reader's.
class Writer {
 public:
  explicit Writer(KataNetForm form) : form_(form) {}

  std::string written(const NetModel& model) {
    version_ = model.version;
    header(model);
    trunk(model);
    policy_head(model.policy);
    value_head(model.value);
    return std::move(out_);
  }

 private:
  void header(const NetModel& model) {
    line(model.name);
    line(model.version);
    line(kPlanes);
    line(kScalars);
    const OutputScales& s = model.scales;
    if (version_ >= 13) {
      for (const FileNumber* scale : {&s.td_score, &s.score_mean, &s.score_stdev, &s.lead,
                                      &s.variance_time, &s.winloss_error, &s.score_error}) {
        line(*scale);
      }
    }
    if (version_ >= 15) {
      for (const int option : model.options) line(option);
    }
  }

  void trunk(const NetModel& model) {
    line(model.trunk_name);
    line(model.blocks.size());
    line(model.channels());
    for (const int width : model.widths) line(width);
    if (version_ >= 15) {
      for (const int option : model.trunk_options) line(option);
    }
    conv(model.stem);
    matrix(model.scalars);
    for (const ModelBlock& block : model.blocks) this->block(block);
    normed(model.tip);
  }

  void block(const ModelBlock& block) {
    const bool is_nested = block.kind == ModelBlock::Kind::kNested;
    line(is_nested ? "nested_bottleneck_block" : block.pooling ? "gpool_block" : "ordinary_block");
    line(block.name);
    if (is_nested) line(block.inner.size());
    normed(block.read1);
    conv(block.conv1);
    if (block.pooling) pooling(*block.pooling);
    for (const ModelBlock& inner : block.inner) this->block(inner);
    normed(block.read2);
    conv(block.conv2);
  }

  void policy_head(const ModelPolicyHead& head) {
    line(head.name);
    conv(head.conv1);
    pooling(head.pooling);
    normed(head.read);
    conv(head.conv2);
    matrix(head.pass);
    if (!head.pass_hidden) return;
    bias(head.pass_hidden->bias);
    activation(head.pass_hidden->activation);
    matrix(head.pass_hidden->matrix);
  }

  void value_head(const ModelValueHead& head) {
    line(head.name);
    conv(head.conv1);
    normed(head.read);
    matrix(head.hidden);
    bias(head.hidden_bias);
    activation(head.hidden_activation);
    matrix(head.value);
    bias(head.value_bias);
    matrix(head.misc);
    bias(head.misc_bias);
    conv(head.ownership);
  }

  void pooling(const PoolingLayers& pooling) {
    conv(pooling.conv);
    normed(pooling.read);
    matrix(pooling.matrix);
  }

  void normed(const NormedActivation& read) {
    norm(read.norm);
    activation(read.activation);
  }

  void conv(const ConvLayer& layer) {
    line(layer.name);
    line(layer.height);
    line(layer.width);
    line(layer.in);
    line(layer.out);
    line(1);  // dilation
    line(1);
    floats(layer.weights);
  }

  void norm(const NormLayer& layer) {
    line(layer.name);
    line(layer.channels);
    line(layer.epsilon);
    line(layer.scale.empty() ? 0 : 1);
    line(layer.bias.empty() ? 0 : 1);
    floats(layer.mean);
    floats(layer.variance);
    if (!layer.scale.empty()) floats(layer.scale);
    if (!layer.bias.empty()) floats(layer.bias);
  }

  void activation(const ActivationLayer& layer) {
    line(layer.name);
    if (version_ >= 11) line(name_of(layer.kind));
  }

  static const char* name_of(Activation kind) {
    switch (kind) {
      case Activation::kIdentity:
        return "ACTIVATION_IDENTITY";
      case Activation::kRelu:
        return "ACTIVATION_RELU";
      case Activation::kMish:
        return "ACTIVATION_MISH";
      case Activation::kSilu:
        return "ACTIVATION_SILU";
    }
    check(false, "an activation is one of four");
    return "";
  }

  void matrix(const MatrixLayer& layer) {
    line(layer.name);
    line(layer.in);
    line(layer.out);
    floats(layer.weights);
  }

  void bias(const BiasLayer& layer) {
    line(layer.name);
    line(layer.weights.size());
    floats(layer.weights);
  }

  void line(std::string_view word) { (out_ += word) += '\n'; }
  void line(const FileNumber& number) { line(to_text(number)); }
  void line(std::integral auto number) { line(std::string_view(std::to_string(number))); }

  void floats(const std::vector<float>& values) {
    if (form_ == KataNetForm::kText) {
      for (const float value : values) (out_ += shortest(value)) += ' ';
      out_.back() = '\n';
      return;
    }
    out_ += "@BIN@";
    out_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    out_ += '\n';
  }

  KataNetForm form_;
  int version_ = 0;
  std::string out_;
};

}  // namespace

std::string to_kata_net(const NetModel& model, KataNetForm form) {
  validate(model, "the net to be written");
  return Writer(form).written(model);
}

void write_kata_net(const std::filesystem::path& path, const NetModel& model) {
  if (!path.string().ends_with(".bin.gz")) {
    throw Error(path.string() + ": expected a name that ends in .bin.gz, by which KataGo knows it");
  }
  write_durable(path, gzip(to_kata_net(model)));
}

}  // namespace tengen
