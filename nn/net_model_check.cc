#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "nn/features.h"
#include "nn/net_model.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::size_t kMaxNameLength = 256;  // of what readers take

// Follows the channels through the layers.
class Checker {
 public:
  Checker(const NetModel& model, std::string_view where) : model_(model), where_(where) {}

  void all() const {
    header();
    const int c = model_.channels();
    conv(model_.stem, kPlanes, c);
    matrix(model_.scalars, kScalars, c);
    require(!model_.blocks.empty(), "trunk", "1 block or more", "none");
    for (const ModelBlock& block : model_.blocks) this->block(block, c);
    normed(model_.tip, c);
    policy(model_.policy, c);
    value(model_.value, c);
  }

 private:
  void require(bool holds, const std::string& layer, const std::string& expected,
               const std::string& found) const {
    if (holds) return;
    throw Error(std::string(where_) + ": " + layer + ": expected " + expected + ", found " + found);
  }
  void require_equal(const std::string& layer, const std::string& what, std::size_t expected,
                     std::size_t found) const {
    require(expected == found, layer, std::to_string(expected) + " " + what, std::to_string(found));
  }

  // A name or number of a file is a word between blanks.
  void word(const std::string& layer, const std::string& text) const {
    const bool is_word = !text.empty() && text.size() <= kMaxNameLength &&
                         std::ranges::all_of(text, [](char c) { return c >= '!' && c <= '~'; });
    require(is_word, layer, "a name of 1 to 256 printable characters without blanks",
            "'" + text.substr(0, kMaxNameLength) + "'");
  }

  void header() const {
    require(is_model_name(model_.name), "header",
            "a model name of 1 to 96 characters of A-Z a-z 0-9 _ -", "'" + model_.name + "'");
    const int version = model_.version;
    require(version >= 8 && version <= 16, "header", "version 8 to 16", std::to_string(version));
    require(version >= 13 || model_.scales == default_scales(version), "header",
            "the usual scales of outputs before version 13", "others");
    const OutputScales& s = model_.scales;
    for (const FileNumber* scale : {&s.td_score, &s.score_mean, &s.score_stdev, &s.lead,
                                    &s.variance_time, &s.winloss_error, &s.score_error}) {
      positive("header", "scales of outputs", *scale);
    }
    for (std::size_t i = 0; i < model_.options.size(); ++i) {
      const int most = i == 1 && version >= 15 ? 1 : 0;
      require(model_.options[i] >= 0 && model_.options[i] <= most, "header",
              "option " + std::to_string(i) + " to be 0", std::to_string(model_.options[i]));
    }
    word("trunk", model_.trunk_name);
    for (const int option : model_.trunk_options) {
      require(option == 0, "trunk", "options that are 0", std::to_string(option));
    }
    for (const int i : {0, 1, 3}) {
      require(model_.widths[i] > 0, "trunk", "widths above 0", std::to_string(model_.widths[i]));
    }
  }

  void block(const ModelBlock& block, int channels) const {
    const bool is_pooling = block.kind == ModelBlock::Kind::kPooling;
    const bool is_nested = block.kind == ModelBlock::Kind::kNested;
    const std::string layer = "block '" + block.name + "'";
    word(layer, block.name);
    require_equal(layer, "pooled convolutions", is_pooling ? 1 : 0, block.pooling ? 1 : 0);
    require(is_nested != block.inner.empty(), layer, is_nested ? "inner blocks" : "no inner blocks",
            std::to_string(block.inner.size()));
    normed(block.read1, channels);
    const int mid = block.conv1.out;
    conv(block.conv1, channels, mid);
    if (block.pooling) pooling(*block.pooling, channels, mid);
    for (const ModelBlock& inner : block.inner) this->block(inner, mid);
    normed(block.read2, mid);
    conv(block.conv2, mid, channels);
  }

  void policy(const ModelPolicyHead& head, int trunk) const {
    const int planes = policy_planes(model_.version);
    const int p = head.conv1.out;
    pointwise(head.conv1, trunk, p);
    pointwise(head.pooling.conv, trunk, head.pooling.conv.out);
    pooling(head.pooling, trunk, p);
    normed(head.read, p);
    pointwise(head.conv2, p, planes);
    const int pooled = 3 * head.pooling.conv.out;
    const std::string layer = "policy head '" + head.name + "'";
    word(layer, head.name);
    require_equal(layer, "hidden layers of pass", model_.version >= 15 ? 1 : 0,
                  head.pass_hidden ? 1 : 0);
    matrix(head.pass, pooled, head.pass_hidden ? p : planes);
    if (!head.pass_hidden) return;
    bias(head.pass_hidden->bias, p);
    activation(head.pass_hidden->activation);
    matrix(head.pass_hidden->matrix, p, planes);
  }

  void value(const ModelValueHead& head, int trunk) const {
    word("value head '" + head.name + "'", head.name);
    const int v1 = head.conv1.out;
    const int v2 = head.hidden.out;
    const int misc = model_.version < 9 ? 4 : 6;
    pointwise(head.conv1, trunk, v1);
    normed(head.read, v1);
    matrix(head.hidden, 3 * v1, v2);
    bias(head.hidden_bias, v2);
    activation(head.hidden_activation);
    matrix(head.value, v2, 3);
    bias(head.value_bias, 3);
    matrix(head.misc, v2, misc);
    bias(head.misc_bias, misc);
    pointwise(head.ownership, v1, 1);
  }

  void pooling(const PoolingLayers& pooling, int in, int out) const {
    const int pooled = pooling.conv.out;
    conv(pooling.conv, in, pooled);
    normed(pooling.read, pooled);
    matrix(pooling.matrix, 3 * pooled, out);
  }

  void normed(const NormedActivation& read, int channels) const {
    norm(read.norm, channels);
    activation(read.activation);
  }

  void conv(const ConvLayer& layer, int in, int out) const {
    const std::string name = "convolution '" + layer.name + "'";
    word(name, layer.name);
    for (const int length : {layer.height, layer.width}) {
      require(length >= 1 && length <= kMaxKernel && length % 2 == 1, name,
              "an odd kernel from 1 to " + std::to_string(kMaxKernel), std::to_string(length));
    }
    require_equal(name, "input channels", in, layer.in);
    require_equal(name, "output channels", out, layer.out);
    weights(name, layer.weights, std::size_t(1) * layer.height * layer.width * in * out);
  }

  void pointwise(const ConvLayer& layer, int in, int out) const {
    require(layer.height == 1 && layer.width == 1, "convolution '" + layer.name + "'",
            "a kernel of 1x1 in a head",
            std::to_string(layer.height) + "x" + std::to_string(layer.width));
    conv(layer, in, out);
  }

  void norm(const NormLayer& layer, int channels) const {
    const std::string name = "norm '" + layer.name + "'";
    word(name, layer.name);
    require_equal(name, "channels", channels, layer.channels);
    positive(name, "epsilon", layer.epsilon);
    weights(name, layer.mean, channels);
    weights(name, layer.variance, channels);
    if (!layer.scale.empty()) weights(name, layer.scale, channels);
    if (!layer.bias.empty()) weights(name, layer.bias, channels);
    const Affine affine = merged(layer);
    for (const auto& values : {affine.scale, affine.bias}) {
      require(std::ranges::all_of(values, [](float v) { return std::isfinite(v); }), name,
              "scale / sqrt(variance + epsilon) and the bias to be finite", "another");
    }
  }

  void activation(const ActivationLayer& layer) const {
    word("activation '" + layer.name + "'", layer.name);
    require(model_.version >= 11 || layer.kind == Activation::kRelu,
            "activation '" + layer.name + "'", "ReLU before version 11", "another");
  }

  void matrix(const MatrixLayer& layer, int in, int out) const {
    const std::string name = "matrix '" + layer.name + "'";
    word(name, layer.name);
    require_equal(name, "inputs", in, layer.in);
    require_equal(name, "outputs", out, layer.out);
    weights(name, layer.weights, std::size_t(1) * in * out);
  }

  void bias(const BiasLayer& layer, int channels) const {
    word("bias '" + layer.name + "'", layer.name);
    weights("bias '" + layer.name + "'", layer.weights, channels);
  }

  void weights(const std::string& layer, const std::vector<float>& values,
               std::size_t count) const {
    require(count > 0, layer, "1 channel or more", "none");
    require_equal(layer, "numbers", count, values.size());
    require(std::ranges::all_of(values, [](float v) { return std::isfinite(v); }), layer,
            "finite numbers", "others");
  }

  void positive(const std::string& layer, const std::string& what, const FileNumber& number) const {
    require(std::isfinite(number.value) && number.value > 0, layer, what + " above 0",
            std::to_string(number.value));
    if (number.text.empty()) return;
    word(layer, number.text);
    const char* begin = number.text.data() + (number.text.front() == '+' ? 1 : 0);
    const char* end = number.text.data() + number.text.size();
    double value = 0;
    const auto read = std::from_chars(begin, end, value);
    require(read.ec == std::errc() && read.ptr == end && value == number.value, layer,
            what + " as text that gives the number", number.text);
  }

  const NetModel& model_;
  std::string_view where_;
};

}  // namespace

OutputScales default_scales(int version) {
  OutputScales scales;
  if (version < 13) scales.score_error.value = 30;
  return scales;
}

bool is_model_name(std::string_view name) {
  const auto may_stand = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && name.size() <= 96 && std::ranges::all_of(name, may_stand);
}

void validate(const NetModel& model, std::string_view where) {
  Checker(model, where).all();
}

}  // namespace tengen
