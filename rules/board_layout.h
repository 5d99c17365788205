#pragma once

#include <new>

#include "rules/board.h"
#include "rules/pitch_board.h"

namespace tengen {

// The way from a Board to the PitchBoard inside it, for sources of rules/ only: one switch, then
// all is compiled for the layout.
struct BoardLayout {
  using Small = PitchBoard<10>;
  using Medium = PitchBoard<14>;
  using Large = PitchBoard<20>;

  // Returns f(layout), f taking any PitchBoard.
  template <class F>
  static decltype(auto) visit(const Board& board, F f) {
    switch (pitch(board.size_)) {
      case 10:
        return f(as<const Small>(board.storage_));
      case 14:
        return f(as<const Medium>(board.storage_));
      default:
        return f(as<const Large>(board.storage_));
    }
  }
  template <class F>
  static decltype(auto) visit(Board& board, F f) {
    switch (pitch(board.size_)) {
      case 10:
        return f(as<Small>(board.storage_));
      case 14:
        return f(as<Medium>(board.storage_));
      default:
        return f(as<Large>(board.storage_));
    }
  }

  static int pitch(BoardSize size) {
    const int longer = size.width > size.height ? size.width : size.height;
    return longer <= 9 ? 10 : longer <= 13 ? 14 : 20;
  }

 private:
  template <class Layout, class Storage>
  static Layout& as(Storage& storage) {
    static_assert(sizeof(Layout) <= Board::kStorageBytes);
    return *std::launder(reinterpret_cast<Layout*>(&storage));
  }
};

}  // namespace tengen
