#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tengen {

// Ends a GTP command with "?text"; inside the engine only.
struct GtpFailure {
  std::string text;
};

template <class T>
T required(std::optional<T> value, const char* failure = "syntax error") {
  if (!value) throw GtpFailure{failure};
  return *value;
}

inline void require_arguments(const std::vector<std::string>& arguments, std::size_t least) {
  if (arguments.size() < least) throw GtpFailure{"syntax error"};
}

}  // namespace tengen
