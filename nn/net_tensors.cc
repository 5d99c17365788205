#include "nn/net_tensors.h"

#include <algorithm>
#include <cmath>

#include "nn/empty_model.h"
#include "nn/model_layers.h"
#include "nn/net_info.h"
#include "nn/safetensors.h"
#include "rules/check.h"

namespace tengen {
namespace {

using Sizes = std::vector<std::int64_t>;

// ---- Weights into a model

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const std::int64_t n : sizes) text += (text.empty() ? "[" : ", ") + std::to_string(n);
  return text + "]";
}

// Planes of the policy that play asks for, among those of training: mover and optimistic policy.
constexpr std::int64_t kOptimisticPlane = 4;

// Layers that have a name keep it.
class Filler {
 public:
  explicit Filler(const NetTensors& tensors) : tensors_(tensors) {}

  void conv(const std::string& name, ConvLayer& layer) {
    set_name(layer, name);
    const bool is_policy = name == "policy.conv2";
    const float* values = find(
        name, {is_policy ? planes(layer.out) : layer.out, layer.in, layer.height, layer.width});
    const int cells = layer.height * layer.width;
    layer.weights.resize(static_cast<std::size_t>(cells) * layer.in * layer.out);
    auto at = layer.weights.begin();
    for (int cell = 0; cell < cells; ++cell) {
      for (int in = 0; in < layer.in; ++in) {
        for (int out = 0; out < layer.out; ++out, ++at) {
          if (is_policy && !is_in_play(out)) continue;
          const std::int64_t row = is_policy ? plane(out) : out;
          *at = values[(row * layer.in + in) * cells + cell];
        }
      }
    }
  }
  void norm(const std::string& name, NormLayer& layer) {
    set_name(layer, name);
    const auto channels = static_cast<std::size_t>(layer.channels);
    const Affine now{copy(name + ".scale", channels), copy(name + ".bias", channels)};
    if (!layer.mean.empty() && merged(layer) == now) return;
    layer.scale = now.scale;
    layer.bias = now.bias;
    if (tensors_.contains(name + ".mean")) {
      layer.epsilon = {kNormEpsilon, {}};
      layer.mean = copy(name + ".mean", channels);
      layer.variance = copy(name + ".variance", channels);
      if (std::ranges::any_of(layer.variance, [](float v) { return v < 0; })) {
        throw Error("tensor '" + name + ".variance' has a number below 0");
      }
    } else {  // as KataGo's writer has it
      layer.epsilon = {1e-20, {}};
      layer.mean.assign(channels, 0);
      layer.variance.assign(channels, 1);
    }
  }
  void activation(const std::string& name, ActivationLayer& layer) {
    set_name(layer, name + ".activation");
  }
  void matrix(const std::string& name, MatrixLayer& layer) {
    set_name(layer, name);
    const bool is_policy = name == "policy.pass.weight";
    const float* values = find(name, {is_policy ? planes(layer.out) : layer.out, layer.in});
    layer.weights.resize(static_cast<std::size_t>(layer.in) * layer.out);
    for (int out = 0; out < layer.out; ++out) {
      if (is_policy && !is_in_play(out)) continue;
      const std::int64_t row = is_policy ? plane(out) : out;
      for (int in = 0; in < layer.in; ++in) {
        layer.weights[static_cast<std::size_t>(in) * layer.out + out] = values[row * layer.in + in];
      }
    }
  }
  void bias(const std::string& name, BiasLayer& layer) {
    set_name(layer, name);
    layer.weights = copy(name, layer.weights.size());
  }

 private:
  static void set_name(auto& layer, const std::string& name) {
    if (layer.name.empty()) layer.name = name;
  }
  // Others of the policy's planes are values of moves, which are kept as they were.
  static bool is_in_play(int out) { return out < 2; }
  static std::int64_t planes(int in_play) { return in_play == 1 ? 4 : 5; }
  static std::int64_t plane(int in_play) { return in_play == 0 ? 0 : kOptimisticPlane; }

  const float* find(const std::string& name, const Sizes& sizes) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw Error("tensor '" + name + "' is missing");
    if (found->second.sizes != sizes) {
      throw Error("tensor '" + name + "': expected shape " + text_of(sizes) + ", found " +
                  text_of(found->second.sizes));
    }
    if (!std::ranges::all_of(found->second.values, [](float x) { return std::isfinite(x); })) {
      throw Error("tensor '" + name + "' is not finite");
    }
    return found->second.values.data();
  }
  std::vector<float> copy(const std::string& name, std::size_t count) const {
    const float* values = find(name, {static_cast<std::int64_t>(count)});
    return {values, values + count};
  }

  const NetTensors& tensors_;
};

// ---- Weights out of a model

class Collector {
 public:
  NetTensors tensors;

  // Policy planes that are not used in play are left out: values of moves.
  void conv(const std::string& name, const ConvLayer& layer) {
    const bool is_policy = name == "policy.conv2";
    const int rows = is_policy ? std::min(layer.out, 2) : layer.out;
    const int cells = layer.height * layer.width;
    NetTensor& t = add(name, {rows, layer.in, layer.height, layer.width});
    for (int out = 0; out < rows; ++out) {
      for (int in = 0; in < layer.in; ++in) {
        for (int cell = 0; cell < cells; ++cell) {
          t.values.push_back(
              layer.weights[(static_cast<std::size_t>(cell) * layer.in + in) * layer.out + out]);
        }
      }
    }
  }
  void norm(const std::string& name, const NormLayer& layer) {
    const Affine affine = merged(layer);
    add(name + ".scale", {layer.channels}).values = affine.scale;
    add(name + ".bias", {layer.channels}).values = affine.bias;
  }
  void activation(const std::string&, const ActivationLayer&) {}
  void matrix(const std::string& name, const MatrixLayer& layer) {
    const int rows = name == "policy.pass.weight" ? std::min(layer.out, 2) : layer.out;
    NetTensor& t = add(name, {rows, layer.in});
    for (int out = 0; out < rows; ++out) {
      for (int in = 0; in < layer.in; ++in) {
        t.values.push_back(layer.weights[static_cast<std::size_t>(in) * layer.out + out]);
      }
    }
  }
  void bias(const std::string& name, const BiasLayer& layer) {
    add(name, {static_cast<std::int64_t>(layer.weights.size())}).values = layer.weights;
  }

 private:
  NetTensor& add(const std::string& name, Sizes sizes) {
    NetTensor& t = tensors[name];
    t.sizes = std::move(sizes);
    return t;
  }
};

}  // namespace

NetModel net_model(const NetworkShape& shape, const NetTensors& tensors, const std::string& name) {
  NetModel model = empty_model(shape);
  model.name = name;
  Filler filler(tensors);
  for_each_layer(model, filler);
  return model;
}

NetModel net_model(const NetModel& original, const NetTensors& tensors) {
  NetModel model = original;
  Filler filler(tensors);
  for_each_layer(model, filler);
  return model;
}

NetTensors net_tensors(const NetModel& model) {
  Collector collector;
  for_each_layer(model, collector);
  return std::move(collector.tensors);
}

NetTensors read_net_tensors(const std::filesystem::path& dir) {
  const std::filesystem::path file = dir / kNetWeightsFile;
  NetTensors tensors;
  read_safetensors(file, [&](const TensorHeader& header) -> void* {
    if (header.type != TensorType::kFloat) {
      throw Error(file.string() + ": tensor '" + header.name + "': expected dtype F32");
    }
    NetTensor& t = tensors[header.name];
    t.sizes = header.sizes;
    std::size_t count = 1;
    for (const std::int64_t n : header.sizes) count *= static_cast<std::size_t>(n);
    t.values.resize(count);
    return t.values.data();
  });
  return tensors;
}

NetModel load_net_model(const std::filesystem::path& dir) {
  const NetDescription net = read_net_description(dir);
  try {
    return net_model(net.shape, read_net_tensors(dir), net.info.id);
  } catch (const Error& e) {
    const std::string file = (dir / kNetWeightsFile).string();
    const std::string what = e.what();
    throw Error(what.starts_with(file) ? what : file + ": " + what);
  }
}

}  // namespace tengen
