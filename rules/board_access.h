#pragma once

#include <new>

#include "rules/board.h"
#include "rules/board_state.h"
#include "rules/engine.h"

namespace tengen {

// The way from a Board to the state inside it and the code that works on it, for sources of rules/
// only.
struct BoardAccess {
  // Returns f(state, engine of its pitch), f taking any pitch.
  template <class F>
  static decltype(auto) visit(const Board& board, F f) {
    switch (pitch_for(board.size_)) {
      case 10:
        return f(as<const BoardState<10>>(board.storage_), engine().small);
      case 14:
        return f(as<const BoardState<14>>(board.storage_), engine().medium);
      default:
        return f(as<const BoardState<20>>(board.storage_), engine().large);
    }
  }
  template <class F>
  static decltype(auto) visit(Board& board, F f) {
    switch (pitch_for(board.size_)) {
      case 10:
        return f(as<BoardState<10>>(board.storage_), engine().small);
      case 14:
        return f(as<BoardState<14>>(board.storage_), engine().medium);
      default:
        return f(as<BoardState<20>>(board.storage_), engine().large);
    }
  }

  // Requires a board of this pitch.
  template <int kPitch>
  static const BoardState<kPitch>& state_of(const Board& board) {
    return as<const BoardState<kPitch>>(board.storage_);
  }

 private:
  template <class State, class Storage>
  static State& as(Storage& storage) {
    static_assert(sizeof(State) <= Board::kStorageBytes);
    return *std::launder(reinterpret_cast<State*>(&storage));
  }
};

}  // namespace tengen
