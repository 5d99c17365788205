#pragma once

#include <filesystem>
#include <optional>

#include "nn/features.h"
#include "nn/net_info.h"
#include "nn/net_model.h"

namespace tengen {

// Where a net may be: in a folder of its own (nn/net_info.h), in a run's directory, whose champion
// is meant then, or in a model file of KataGo (nn/kata_net_reader.h).

// Whether a model file is there by this name: it ends in .bin, .txt or .gz.
bool is_kata_net_file(const std::filesystem::path& path);

// The folder of the net that plays in a run now; nullopt where no champion.json is. Throws Error if
// that names a net that is not in nets/.
std::optional<std::filesystem::path> champion_of(const std::filesystem::path& run_directory);

// The folder or the model file of the net that `path` names; nullopt if it names none.
std::optional<std::filesystem::path> find_net(const std::filesystem::path& path);
// The same; throws Error that says what was looked for.
std::filesystem::path resolve_net(const std::filesystem::path& path);

// A net for play without LibTorch.
struct NetSource {
  NetInfo info;
  FeatureSchema features;
  NetModel model;
};
// Reads what find_net found. Throws Error.
NetSource read_net(const std::filesystem::path& path);

// What is known of a model of KataGo's: its name is its id.
NetInfo kata_net_info(const NetModel& model);

}  // namespace tengen
