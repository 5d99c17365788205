#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "nn/net_model.h"

namespace tengen {

// Reads networks from KataGo's model files (cpp/neuralnet/desc.cpp): versions 8 to 16 with
// ordinary, pooling and nested bottleneck blocks. Refused, each by name: older versions, whose
// features differ; version 17 and transformer blocks; nets with a meta encoder (human style);
// options that KataGo reserves; layers that do not fit together; NaN and infinity; anything but
// blanks after the last layer. Throws Error "file: layer 'name': expected, found".

// A file that unpacks to more is refused.
inline constexpr std::uint64_t kMaxKataNetBytes = std::uint64_t{1} << 31;

// The name decides between forms, as in KataGo: .txt and .txt.gz are text, .bin and .bin.gz binary;
// .gz alone is binary if "@BIN@" is in it. The first bytes, not the name, say whether it is packed.
NetModel read_kata_net(const std::filesystem::path& path,
                       std::uint64_t max_bytes = kMaxKataNetBytes);

// The unpacked bytes. Gives a model that passes validate, and makes no room for what the bytes
// cannot hold.
NetModel parse_kata_net(std::string_view bytes, bool is_text, std::string_view name_for_errors);

}  // namespace tengen
