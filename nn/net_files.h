#pragma once

#include <filesystem>
#include <string>

#include "nn/net_info.h"
#include "nn/network.h"

namespace tengen {

// "net-000012-3f9a0c7e": the index and a hash of features, names and weights.
std::string net_id(const Network& network, int index);

// Writes dir/{weights.safetensors, net.json}, and for an imported net dir/original.bin.gz: as a
// draft (rules/durable_file.h), so `dir` is complete or absent. Sets `info.id` to net_id. Throws
// Error, also if `dir` is there.
void save_net(const std::filesystem::path& dir, const Network& network, NetInfo& info,
              const NetModel* original = nullptr);

struct LoadedNet {
  Network network;
  NetInfo info;
};
// Throws Error naming file and field for anything missing, truncated, not finite, of another shape
// or of a features version that this program does not have.
LoadedNet load_net(const std::filesystem::path& dir);
NetInfo load_net_info(const std::filesystem::path& dir);

}  // namespace tengen
