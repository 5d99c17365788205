#pragma once

#include <cstdint>

#include "rules/rng.h"

namespace tengen {

// What each piece of a game's chance is named by, beside (seed, index). Numbers stay: a new piece
// changes no game that does without it.
enum class GameStream : std::uint64_t {
  kSize,
  kKomi,
  kOpening,
  kEnd,
  kPlies,
  kRandomGame,
  kRandomOpening,
  kRules,
  kHandicap,
  kCalibration,
  kFork,
  kBalance,
  kStart,
  kOpponent,
};

inline Rng stream_of(std::uint64_t seed, std::uint64_t index, GameStream stream) {
  return Rng(mix64(seed, index), static_cast<std::uint64_t>(stream));
}

// Seed of all chance at one ply. A search has its own streams of it; of an Rng these.
inline std::uint64_t ply_seed(std::uint64_t seed, std::uint64_t index, int ply) {
  return mix64(mix64(seed, index), static_cast<std::uint64_t>(GameStream::kPlies),
               static_cast<std::uint64_t>(ply));
}
enum PlyStream : std::uint64_t { kSymmetryOfOpening, kMoveOfOpening, kCheapSearch };

}  // namespace tengen
