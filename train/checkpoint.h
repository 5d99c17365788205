#pragma once

#include <filesystem>
#include <string>

#include "nn/named_tensors.h"

namespace tengen {

// What a training checkpoint holds (files in train/README.md).
struct Checkpoint {
  NamedTensors weights;
  NamedTensors ema;
  NamedTensors optimizer;
  std::string state_json;
};

// directory/{weights,ema,optimizer}.safetensors and state.json: written into a temporary directory
// beside it, fsynced, renamed, so that `directory` is complete or absent. Throws Error if it exists
// or cannot be written.
void write_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint);
// Throws Error naming the file that is missing or damaged.
Checkpoint read_checkpoint(const std::filesystem::path& directory);

}  // namespace tengen
