#include "train/checkpoint.h"

#include <torch/torch.h>

#include <fstream>
#include <iterator>
#include <string_view>

#include "nn/durable_file.h"
#include "rules/check.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWeights = "weights.safetensors";
constexpr const char* kEma = "ema.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path.string() + ": missing or unreadable");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

void write_checkpoint(const fs::path& directory, const Checkpoint& checkpoint) {
  if (fs::exists(directory)) throw Error(directory.string() + ": a checkpoint is there already");
  const fs::path temporary = temporary_beside(directory);
  try {
    fs::create_directories(temporary);
    write_safetensors(temporary / kWeights, checkpoint.weights, {});
    write_safetensors(temporary / kEma, checkpoint.ema, {});
    write_safetensors(temporary / kOptimizer, checkpoint.optimizer, {});
    const std::string_view state = checkpoint.state_json;
    write_durable(temporary / kState, {&state, 1});
    rename_durable(temporary, directory);
  } catch (const std::exception& e) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    throw Error(directory.string() + ": cannot write a checkpoint: " + e.what());
  }
}

Checkpoint read_checkpoint(const fs::path& directory) {
  return {read_safetensors(directory / kWeights), read_safetensors(directory / kEma),
          read_safetensors(directory / kOptimizer), read_text(directory / kState)};
}

}  // namespace tengen
