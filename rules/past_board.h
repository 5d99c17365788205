#pragma once

#include <array>
#include <cstdint>

namespace tengen {

// What the ladder planes need of an earlier board of a game: its stones, by colour, as the board
// keeps them (board_state.h), and its ko point there or 0.
struct PastBoard {
  std::array<std::array<std::uint64_t, 8>, 2> stones{};
  std::int16_t ko = 0;
};

}  // namespace tengen
