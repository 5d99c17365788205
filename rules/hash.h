#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tengen {

// 64 bits over bytes, the same on every machine; files keep it. h = mix64(h ^ word) over 8-byte
// little-endian words, the last one filled with zeros, then mix64(h ^ length). To hash several
// things give the hash of one as the `h` of the next. Guards against accidents, not against an
// adversary.
std::uint64_t hash_of_bytes(std::span<const std::byte> bytes, std::uint64_t h = 0);
std::uint64_t hash_of_bytes(std::string_view text, std::uint64_t h = 0);

}  // namespace tengen
