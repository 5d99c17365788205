#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "nn/network_shape.h"

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
  std::string source;            // where an imported net comes from, "" for our own
};

struct NetDescription {
  NetInfo info;
  NetworkShape shape;
};

inline constexpr const char* kNetInfoFile = "net.json";
// Of a net that was imported, or trained from one: the model file that it came from, as KataGo's
// exporter would write it.
inline constexpr const char* kNetOriginalFile = "original.bin.gz";
inline constexpr const char* kNetWeightsFile = "weights.safetensors";

// Throws Error naming file and field for anything missing, of another kind or out of its range, or
// of a features version that this program does not have.
NetDescription read_net_description(const std::filesystem::path& dir);
// The text of net.json; `parameters` is for people.
std::string to_json(const NetDescription& net, std::int64_t parameters);

}  // namespace tengen
