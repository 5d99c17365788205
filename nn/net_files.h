#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "nn/net_info.h"
#include "nn/network.h"

namespace tengen {

// Of features, names and weights.
std::uint64_t hash_of_weights(const Network& network);
// "net-000012-3f9a0c7e": the index and the upper half of that hash.
std::string net_id(const Network& network, int index);

// Writes dir/{weights.safetensors, net.json}: as a draft (rules/durable_file.h), so `dir` is
// complete or absent. `origin` is a net that this one goes back to, as resolve_net
// (nn/net_source.h) finds it: where that is a model file of KataGo, or a folder that keeps one, so
// does `dir`, as original.bin.gz; folders of one file system share it (a hard link). Sets `info.id`
// to net_id. Throws Error, also if `dir` is there.
void save_net(const std::filesystem::path& dir, const Network& network, NetInfo& info,
              const std::filesystem::path& origin = {});

struct LoadedNet {
  Network network;
  NetInfo info;
};
// Throws Error naming file and field for anything missing, truncated, not finite, of another shape
// or of a features version that this program does not have.
LoadedNet load_net(const std::filesystem::path& dir);
NetInfo load_net_info(const std::filesystem::path& dir);

}  // namespace tengen
