#pragma once

#include <string>
#include <string_view>

#include "rules/rng.h"

namespace tengen {

// `text` after one to eight random changes: a byte replaced, inserted or removed, a span of it
// removed or repeated elsewhere, a span of `other` put in. Spans have at most 64 bytes.
inline std::string mutated(std::string text, std::string_view other, Rng& rng) {
  const auto index_in = [&rng](std::string_view s) {
    return rng.below(static_cast<std::uint32_t>(s.size()) + 1);
  };
  const auto span_of = [&](std::string_view s) {
    return std::string(s.substr(index_in(s), 1 + rng.below(64)));
  };
  for (auto changes = 1 + rng.below(8); changes > 0; --changes) {
    const std::size_t at = index_in(text);
    const auto byte = static_cast<char>(rng.below(256));
    switch (rng.below(6)) {
      case 0:
        if (at < text.size()) text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      case 2:
        text.erase(at, 1);
        break;
      case 3:
        text.erase(at, 1 + rng.below(64));
        break;
      case 4:
        text.insert(at, span_of(text));
        break;
      default:
        text.insert(at, span_of(other));
    }
  }
  return text;
}

}  // namespace tengen
