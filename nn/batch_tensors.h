#pragma once

#include "nn/features.h"
#include "rules/symmetry.h"

namespace tengen {

// Writes one row of a batch: `planes` is [canvas, canvas, kPlanes] (channels last), 0 or 1, the
// board in the top-left corner of the canvas and seen through `symmetry`, zero elsewhere; `scalars`
// is [kScalars]. Both are overwritten completely. Requires a board that fits on the canvas and a
// symmetry of it.
void fill_input_row(const Features& features, Symmetry symmetry, int canvas, float* planes,
                    float* scalars);

}  // namespace tengen
