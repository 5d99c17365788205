#include "train/run_version.h"

#include <torch/version.h>

#include <fstream>
#include <sstream>

namespace tengen {

std::string program_version() { return TENGEN_VERSION; }
std::string git_hash() { return TENGEN_GIT_HASH; }
std::string torch_version() { return TORCH_VERSION; }

}  // namespace tengen
