#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tengen {

// Whether bytes begin as a gzip file does (RFC 1952).
bool is_gzip(std::string_view bytes);

// What a gzip file holds: all its members, one after another. Throws Error "name: what is wrong"
// where it is damaged, ends early, has something else behind it or would give more than
// `max_bytes`.
std::string gunzip(std::string_view bytes, std::uint64_t max_bytes, std::string_view name);

// One member without a time or a name: the same bytes give the same file.
std::string gzip(std::string_view bytes);

}  // namespace tengen
