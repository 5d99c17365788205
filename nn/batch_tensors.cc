#include "nn/batch_tensors.h"

#include <algorithm>

#include "rules/check.h"

namespace tengen {

void fill_input_row(const Features& features, Symmetry symmetry, int canvas, float* planes,
                    float* scalars) {
  const BoardSize size = features.size;
  check(size.width <= canvas && size.height <= canvas, "the board fits on the canvas");
  check(symmetry.index() < Symmetry::count(size), "a symmetry of this board");
  std::fill_n(planes, canvas * canvas * kPlanes, 0.F);
  const short* map = symmetry.map(size);
  std::array<int, kMaxArea> cells;  // where a point's planes begin
  for (int i = 0; i < size.area(); ++i) {
    cells[i] = (map[i] / size.width * canvas + map[i] % size.width) * kPlanes;
  }
  for (int p = 0; p < kPlanes; ++p) {
    features.planes[p].for_each([&](int i) { planes[cells[i] + p] = 1.F; });
  }
  std::ranges::copy(features.scalars, scalars);
}

}  // namespace tengen
