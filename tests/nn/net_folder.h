#pragma once

#include <filesystem>

#include "nn/net_info.h"
#include "nn/net_model.h"

namespace tengen {

// Writes what play needs of a model as a net's folder (nn/net_info.h), without LibTorch: what only
// training asks for is missing or zero. `shape.features` and `info` are as given.
void write_net_folder(const std::filesystem::path& dir, const NetModel& model, const NetInfo& info,
                      FeatureSchema features = FeatureSchema::kV7);

}  // namespace tengen
