#pragma once

#include <string>

#include "nn/net_evaluator.h"

namespace tengen {

// What becomes of a calibration (nn/net_evaluator.h) after it was made.

// As a JSON object with the fields' names: device, precision, batch, short_batches, cpu_path,
// timings (a list of objects). Reading ignores other fields and throws Error for one that is
// missing, of another kind or out of its range.
std::string to_json(const Calibration& calibration);
Calibration calibration_from_json(const std::string& json);

// The arithmetic that was chosen: "bf16", "fp16 by our own kernels (fp16)".
std::string in_words(const Calibration& calibration);

// Whether this machine has what was chosen, perhaps on another one, and can compute this network
// so.
bool is_possible(const Calibration& calibration, const Network& network);

// A calibration is kept while nets change, and a later net may be one that rounding spoils.
struct CheckedCalibration {
  Calibration how;         // what this network is to be computed by
  bool fell_back = false;  // other than what was kept; then how far that is from fp32
  double policy_difference = 0, value_difference = 0;
};
// `kept` if its answers for this network stay within 0.02 of fp32 on 16 fixed positions on the
// smallest square canvas that holds `canvas`. Else the fastest of what was accepted when it was
// made that does, LibTorch's fp32 at the worst. Nothing is timed: the same on each start. A network
// that is not finite in fp32 either gets `kept`: playing says what is wrong with it.
CheckedCalibration checked(const Calibration& kept, const Network& network, BoardSize canvas);

}  // namespace tengen
