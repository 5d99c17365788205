#include "train/checkpoint.h"

#include <torch/torch.h>

#include "rules/check.h"
#include "rules/durable_file.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWeights = "weights.safetensors";
constexpr const char* kEma = "ema.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";

}  // namespace

void write_checkpoint(const fs::path& directory, const Checkpoint& checkpoint) {
  if (fs::exists(directory)) throw Error(directory.string() + ": a checkpoint is there already");
  Draft draft(directory);
  try {
    fs::create_directories(draft.path());
    write_tensors(draft.path() / kWeights, checkpoint.weights, {});
    write_tensors(draft.path() / kEma, checkpoint.ema, {});
    write_tensors(draft.path() / kOptimizer, checkpoint.optimizer, {});
    write_durable(draft.path() / kState, checkpoint.state_json);
    draft.publish();
  } catch (const NoRoomError&) {
    throw;
  } catch (const std::exception& e) {
    throw Error(directory.string() + ": cannot write a checkpoint: " + e.what());
  }
}

Checkpoint read_checkpoint(const fs::path& directory) {
  return {read_tensors(directory / kWeights), read_tensors(directory / kEma),
          read_tensors(directory / kOptimizer), read_file(directory / kState)};
}

}  // namespace tengen
