#include "rules/board_state.h"

namespace tengen {
namespace {

template <int kPitch>
struct AllShapes {
  static constexpr int kLongest = kPitch - 1;
  std::array<std::array<Shape<kPitch>, kLongest>, kLongest> by_height_and_width;

  AllShapes() {
    for (int height = 1; height <= kLongest; ++height) {
      for (int width = 1; width <= kLongest; ++width) {
        fill(by_height_and_width[height - 1][width - 1], height, width);
      }
    }
  }
  static void fill(Shape<kPitch>& shape, int height, int width) {
    shape.size = {static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const int p = Layout<kPitch>::point_at(row, column);
        const std::uint64_t bit = 1ULL << (p & 63);
        shape.on[p >> 6] |= bit;
        if (row == 0 || column == 0 || row == height - 1 || column == width - 1) {
          shape.edge[p >> 6] |= bit;
        }
      }
    }
  }
};

}  // namespace

template <int kPitch>
const Shape<kPitch>& shape_of(BoardSize size) {
  static const AllShapes<kPitch> all;
  return all.by_height_and_width[size.height - 1][size.width - 1];
}
template const Shape<10>& shape_of<10>(BoardSize);
template const Shape<14>& shape_of<14>(BoardSize);
template const Shape<20>& shape_of<20>(BoardSize);

}  // namespace tengen
