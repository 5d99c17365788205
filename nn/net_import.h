#pragma once

#include <filesystem>
#include <string>

#include "nn/net_files.h"

namespace tengen {

// The net that resolve_net (nn/net_source.h) found: a folder's, or one made of a model file of
// KataGo, whose name is its id. Throws Error.
LoadedNet open_net(const std::filesystem::path& path);

// `tengen import`: a model file of KataGo (nn/kata_net_reader.h) as a net's folder, index 0, with
// the file itself beside the weights, so that exporting it again gives its bytes. Returns the net's
// id. Throws Error, also if `dir` is there.
std::string import_kata_net(const std::filesystem::path& file, const std::filesystem::path& dir);

}  // namespace tengen
