#include "rules/hash.h"

#include <bit>
#include <cstring>

#include "rules/rng.h"

namespace tengen {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

std::uint64_t hash_of_bytes(std::span<const std::byte> bytes, std::uint64_t h) {
  std::size_t i = 0;
  std::uint64_t word = 0;
  for (; i + sizeof word <= bytes.size(); i += sizeof word) {
    std::memcpy(&word, bytes.data() + i, sizeof word);
    h = mix64(h ^ word);
  }
  if (i < bytes.size()) {
    word = 0;
    std::memcpy(&word, bytes.data() + i, bytes.size() - i);
    h = mix64(h ^ word);
  }
  return mix64(h ^ bytes.size());
}

std::uint64_t hash_of_bytes(std::string_view text, std::uint64_t h) {
  return hash_of_bytes(std::as_bytes(std::span(text)), h);
}

}  // namespace tengen
