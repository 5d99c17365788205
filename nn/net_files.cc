#include "nn/net_files.h"

#include <torch/torch.h>

#include <cstdio>
#include <map>

#include "nn/kata_net_reader.h"
#include "nn/kata_net_writer.h"
#include "nn/named_tensors.h"
#include "nn/net_source.h"
#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/hash.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw Error(file.string() + ": " + what);
}

// Copies what was read into the network: each tensor there, of its shape, finite, and no other.
void set_weights(const fs::path& file, const NamedTensors& read, Network& network) {
  std::map<std::string, at::Tensor> by_name(read.begin(), read.end());
  for (const auto& [name, parameter] : network.tensors()) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) fail(file, "tensor '" + name + "' is missing");
    const at::Tensor& t = found->second;
    if (t.scalar_type() != at::kFloat) fail(file, "tensor '" + name + "': expected dtype F32");
    if (t.sizes() != parameter.sizes()) {
      fail(file, "tensor '" + name + "': expected shape " + c10::str(parameter.sizes()) +
                     ", found " + c10::str(t.sizes()));
    }
    if (!t.isfinite().all().item<bool>()) fail(file, "tensor '" + name + "' is not finite");
    if (name.ends_with(".variance") && (t < 0).any().item<bool>()) {
      fail(file, "tensor '" + name + "' has a number below 0");
    }
    parameter.copy_(t);
    by_name.erase(found);
  }
  if (!by_name.empty()) {
    fail(file, "tensor '" + by_name.begin()->first + "' does not belong to a net of this shape");
  }
}

void keep_original(const fs::path& origin, const fs::path& file) {
  if (origin.empty()) return;
  if (is_kata_net_file(origin)) return write_kata_net(file, read_kata_net(origin));
  const fs::path kept = origin / kNetOriginalFile;
  if (!fs::exists(kept)) return;
  std::error_code no_link;  // another file system, or one that has none
  fs::create_hard_link(kept, file, no_link);
  if (no_link) write_durable(file, read_file(kept));
}

}  // namespace

std::uint64_t hash_of_weights(const Network& network) {
  auto hash = static_cast<std::uint64_t>(version_of(network.shape().features));
  for (const auto& [name, parameter] : network.tensors()) {
    const at::Tensor t = parameter.detach().to(at::kCPU).contiguous();
    hash = hash_of_bytes(name, hash);
    hash = hash_of_bytes({static_cast<const char*>(t.const_data_ptr()), t.nbytes()}, hash);
  }
  return hash;
}

std::string net_id(const Network& network, int index) {
  char text[40];
  std::snprintf(text, sizeof text, "net-%06d-%08x", index,
                static_cast<unsigned>(hash_of_weights(network) >> 32));
  return text;
}

void save_net(const fs::path& dir, const Network& network, NetInfo& info, const fs::path& origin) {
  if (fs::exists(dir)) fail(dir, "a net is there already");
  info.id = net_id(network, info.index);
  Draft draft(dir);
  try {
    fs::create_directories(draft.path());
    write_tensors(draft.path() / kNetWeightsFile, network.tensors(), {{"net", info.id}});
    keep_original(origin, draft.path() / kNetOriginalFile);
    write_durable(draft.path() / kNetInfoFile,
                  to_json({info, network.shape()}, network.parameter_count()));
    draft.publish();
  } catch (const fs::filesystem_error& e) {
    fail(dir, "cannot write a net: " + e.code().message());
  }
}

LoadedNet load_net(const fs::path& dir) {
  NetDescription net = read_net_description(dir);
  Network network(net.shape, 0);
  set_weights(dir / kNetWeightsFile, read_tensors(dir / kNetWeightsFile), network);
  return {std::move(network), std::move(net.info)};
}

NetInfo load_net_info(const fs::path& dir) {
  return read_net_description(dir).info;
}

}  // namespace tengen
