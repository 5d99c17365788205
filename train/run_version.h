#pragma once

#include <string>

namespace tengen {

std::string program_version();  // "0.1.0"
std::string git_hash();         // of the checkout that was built, "-dirty" if it was changed; or "unknown"
std::string torch_version();
// One fact a line: program, git, LibTorch, CUDA, HDF5, compiler, processor, devices.
std::string version_text();

}  // namespace tengen
