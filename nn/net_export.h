#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/net_outputs.h"

namespace tengen {

// `tengen export`.
struct ExportRequest {
  std::string net;             // the net's folder, or a model file of KataGo
  std::string to = "katago";   // "katago" or "onnx"
  std::string out;             // the file
  std::optional<int> version;  // KataGo's model version: 8 for old engines
};

// Writes a net as a file for other programs. An imported net, or KataGo's own file, goes out under
// its own names and in its own version, with the original's records where nothing was changed;
// others in version 11. The file is read back and computed by itself, and its outputs are compared
// with `answers`, those of the net, on positions of games on boards from 5x5 to 19x19: the largest
// differences are told to `out`, and a file beyond kExportBound is deleted and an Error. Throws
// Error also for what the version cannot say, UsageError for a request that makes no sense.
void export_net(const ExportRequest& request, const NetAnswers& answers, std::ostream& out);

// Largest differences of what two networks say of the same positions, head by head.
struct OutputDifference {
  double policy = 0;     // of probabilities of the points and the pass
  double value = 0;      // of win, loss, no result
  double score = 0;      // points: mean, root of the mean square, lead
  double ownership = 0;  // between -1 and 1
};
OutputDifference largest_difference(std::span<const NetOutputs> a, std::span<const NetOutputs> b);

inline constexpr OutputDifference kExportBound = {1e-4, 1e-4, 5e-3, 1e-3};

}  // namespace tengen
