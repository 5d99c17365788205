#pragma once

#include <cstdlib>
#include <filesystem>

namespace tengen {

// KataGo's files, which some tests compare with: below TENGEN_TEST_DATA, or beside the checkout
// (the macro TENGEN_SOURCE_DIR) where that is not set. A test skips if its file is not there.
inline std::filesystem::path katago_data() {
  const char* dir = std::getenv("TENGEN_TEST_DATA");
  const auto data = dir != nullptr
                        ? std::filesystem::path(dir)
                        : std::filesystem::path(TENGEN_SOURCE_DIR) / ".." / "shared" / "data";
  return data / "katago";
}

}  // namespace tengen
