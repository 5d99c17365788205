#include "nn/net_model.h"

#include <charconv>
#include <cmath>
#include <cstddef>

namespace tengen {

std::string to_text(const FileNumber& number) {
  if (!number.text.empty()) return number.text;
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number.value).ptr};
}

Affine merged(const NormLayer& norm) {
  const auto channels = static_cast<std::size_t>(norm.channels);
  Affine affine{std::vector<float>(channels), std::vector<float>(channels)};
  for (std::size_t c = 0; c < channels; ++c) {
    const double scale = norm.scale.empty() ? 1.0 : norm.scale[c];
    const double bias = norm.bias.empty() ? 0.0 : norm.bias[c];
    const double merged_scale = scale / std::sqrt(norm.variance[c] + norm.epsilon.value);
    affine.scale[c] = static_cast<float>(merged_scale);
    affine.bias[c] = static_cast<float>(bias - merged_scale * norm.mean[c]);
  }
  return affine;
}

}  // namespace tengen
