#pragma once

#include <filesystem>
#include <iosfwd>

#include "nn/calibration.h"

namespace tengen {

// $XDG_CACHE_HOME/tengen/calibrations, or ~/.cache/tengen/calibrations; empty if the system names
// neither.
std::filesystem::path calibrations_directory();

// Calibrations kept from one start of the program to the next, each in a file of its own,
// <directory>/<hash of the question>.json:
//
//   format_version  int     1
//   of              object  the question: options, side of the canvas, shape and hash of the net,
//                           program, LibTorch, CUDA, processor and its flags, cores, devices, GPUs
//   calibration     object  the answer (nn/calibration.h)
//
// A file that is damaged, or of another question, is written anew. Files may be deleted at any
// time, and several processes may use the directory at once. What only costs time is no error: a
// directory that cannot be written means that nothing is kept, and one line to `log`.
class CalibrationCache {
 public:
  // Made when the first calibration is kept. `log` must outlive the cache.
  CalibrationCache(std::filesystem::path directory, std::ostream& log);

  // What calibrate (nn/net_evaluator.h) says, now or at an earlier start. Throws what it throws.
  Calibration calibrate(const Network& network, const EvaluatorOptions& options, BoardSize canvas);

 private:
  void keep(const std::filesystem::path& file, const std::string& text);

  std::filesystem::path directory_;
  std::ostream& log_;
  bool has_complained_ = false;
};

}  // namespace tengen
