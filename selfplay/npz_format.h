#pragma once

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "selfplay/npz_file.h"

namespace tengen::npz {

// What reader and writer of .npz files have in common.

static_assert(std::endian::native == std::endian::little, "zip and our arrays are little-endian");

inline constexpr std::uint32_t kLocalHeader = 0x04034B50, kCentralHeader = 0x02014B50,
                               kEnd = 0x06054B50;
inline constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22;
inline constexpr std::uint16_t kVersion = 20, kDeflated = 8, kStored = 0;
inline constexpr std::uint16_t kFirstOfJanuary1980 = 0x21;  // the same file whenever it is written
inline constexpr std::uint64_t kMostDeflated = 1032;  // bytes that one of deflate's can stand for
inline constexpr std::size_t kNpyAlignment = 64;      // of the data in an .npy file

// Bytes of an element of a type as "<f4"; nullopt for what is no number of fixed width.
inline std::optional<std::uint64_t> element_bytes(std::string_view type) {
  if (type.size() != 3 || std::string_view("<|").find(type[0]) == std::string_view::npos ||
      std::string_view("fiub").find(type[1]) == std::string_view::npos ||
      std::string_view("1248").find(type[2]) == std::string_view::npos) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(type[2] - '0');
}

// nullopt if the product of the shape does not fit into 64 bits, or if the type has no width.
inline std::optional<std::uint64_t> bytes_of(const NpzEntry& entry) {
  auto bytes = element_bytes(entry.type);
  for (const std::int64_t n : entry.shape) {
    if (!bytes || n < 0) return std::nullopt;
    const auto length = static_cast<std::uint64_t>(n);
    if (length != 0 && *bytes > std::numeric_limits<std::uint64_t>::max() / length) {
      return std::nullopt;
    }
    *bytes *= length;
  }
  return bytes;
}

template <class T>
void put(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

template <class T>
T get(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

inline std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace tengen::npz
