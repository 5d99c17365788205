#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "nn/network.h"

namespace tengen {

// What is known of a net besides its weights: net.json beside weights.safetensors.
struct NetInfo {
  std::string id;            // "net-000012-3f9a0c7e": index in the run and a hash of the weights
  int index = 0;             // 0 is the untrained net
  std::int64_t step = 0;     // optimiser steps behind it
  std::int64_t samples = 0;  // rows trained on, repeats counted
  std::int64_t evaluations = 0;  // self-play evaluations behind it
  std::string parent;            // id of the net before it, "" for none
  std::string rules;             // rules text of the run that trained it, for people
  int features_version = kFeaturesVersion;
};

// "net-000012-3f9a0c7e": the index and a hash of shape, names and weights.
std::string net_id(const Network& network, int index);

// Writes dir/{weights.safetensors, net.json}: as a draft (rules/durable_file.h), so
// `dir` is complete or absent. Sets `info.id` to net_id and `info.features_version` to this
// program's. Throws Error, also if `dir` is there.
void save_net(const std::filesystem::path& dir, const Network& network, NetInfo& info);

struct LoadedNet {
  Network network;
  NetInfo info;
};
// Throws Error naming file and field for anything missing, truncated, not finite, of another shape
// or of another features version.
LoadedNet load_net(const std::filesystem::path& dir);
NetInfo load_net_info(const std::filesystem::path& dir);

}  // namespace tengen
