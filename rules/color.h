#pragma once

#include <cstdint>

namespace tengen {

enum class Color : std::uint8_t { kBlack, kWhite };

constexpr Color opponent(Color c) {
  return c == Color::kBlack ? Color::kWhite : Color::kBlack;
}
constexpr int index_of(Color c) {
  return static_cast<int>(c);
}
constexpr const char* name_of(Color c) {
  return c == Color::kBlack ? "black" : "white";
}

// What lies on a point.
enum class Stone : std::uint8_t { kEmpty, kBlack, kWhite };

}  // namespace tengen
