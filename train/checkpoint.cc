#include "train/checkpoint.h"

#include <fcntl.h>
#include <torch/torch.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "rules/check.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWeights = "weights.safetensors";
constexpr const char* kEma = "ema.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";

[[noreturn]] void fail(const fs::path& path, const char* what) {
  throw Error(path.string() + ": cannot " + what + ": " + std::strerror(errno));
}

// Puts a file's bytes, or a directory's names, on the disk.
void sync(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "open");
  const bool synced = fsync(descriptor) == 0;
  close(descriptor);
  if (!synced) fail(path, "fsync");
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) fail(path, "write");
  sync(path);
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path.string() + ": missing or unreadable");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

void write_checkpoint(const fs::path& directory, const Checkpoint& checkpoint) {
  if (fs::exists(directory)) throw Error(directory.string() + ": a checkpoint is there already");
  const fs::path parent = fs::absolute(directory).parent_path();
  const fs::path temporary =
      parent / (directory.filename().string() + "." + std::to_string(getpid()) + ".tmp");
  try {
    fs::remove_all(temporary);
    fs::create_directories(temporary);
    write_safetensors(temporary / kWeights, checkpoint.weights, {});
    write_safetensors(temporary / kEma, checkpoint.ema, {});
    write_safetensors(temporary / kOptimizer, checkpoint.optimizer, {});
    write_text(temporary / kState, checkpoint.state_json);
    sync(temporary);
    fs::rename(temporary, directory);
    sync(parent);
  } catch (const fs::filesystem_error& e) {
    throw Error(directory.string() + ": cannot write a checkpoint: " + e.code().message());
  }
}

Checkpoint read_checkpoint(const fs::path& directory) {
  return {read_safetensors(directory / kWeights), read_safetensors(directory / kEma),
          read_safetensors(directory / kOptimizer), read_text(directory / kState)};
}

}  // namespace tengen
