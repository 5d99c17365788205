#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rules/symmetry.h"
#include "selfplay/sample.h"

namespace tengen {

// Rows laid out for one training step: plain arrays that the trainer hands to the device. Boards of
// all sizes sit in the top-left corner of one square canvas of side `canvas`, C = canvas * canvas
// points. Everything is for the side to move; what is off a row's board is zero. A Batch is meant
// to be filled again and again: its memory is kept.
struct Batch {
  int rows = 0;
  int canvas = 0;
  std::vector<std::uint8_t> planes;  // [rows, canvas, canvas, kPlanes], 0 or 1; plane 0: on board
  std::vector<float> scalars;        // [rows, kScalars]
  std::vector<float> policy;         // [rows, 2, C + 1] probabilities: mover, opponent's reply
  std::vector<float> value;          // [rows, 3] win, loss, no result; sums to 1
  std::vector<float> ownership;      // [rows, C] +1 own, -1 opponent's, 0 nobody's
  std::vector<float> short_term;     // [rows, 3, 3] win, loss, no result: Sample::short_term
  std::vector<float> weights;        // [rows, 6]: RowWeight, below
  std::vector<float> score;          // [rows] points
  std::string window_state;          // Window::state() after these rows were drawn, or ""
};

// Entries of a row of Batch::weights.
enum RowWeight {
  kRowWeight,        // of the whole row; multiplied into the others
  kPolicyRowWeight,  // 0 without a policy target
  kReplyRowWeight,   // 0 without an opponent's reply
  kScoreRowWeight,   // of score and ownership
  kShortTermRowWeight,
  kInverseArea,  // 1 / area of the row's board
};
inline constexpr int kRowWeights = 6;

// One row and how it is to be seen.
struct SeenSample {
  const Sample* sample;
  Symmetry symmetry;
  int history = kHistoryPlies;  // earlier moves that it shows, see hide_history
};

// Fills `batch` with these rows, in order. Requires samples whose arrays have their board's length
// (as samples_from and ShardReader give them). `window_state` is left empty.
void fill_batch(std::span<const SeenSample> rows, Batch& batch);
void fill_batch(std::span<const Sample> rows, Batch& batch);  // as they are

}  // namespace tengen
